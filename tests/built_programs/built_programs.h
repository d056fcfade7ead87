#pragma once

#include "tests/fixtures/address_space.h"

#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace highwater::tests {

/// A program of LLVM 19 by name, "" when it is not installed.
QString llvmTool(const QString& name);
/// Runs it to its end; what it printed. Empty when it failed or crashed, which is also said in the log.
QString runTool(const QString& program, const QStringList& arguments, const QString& input = {});

/// programs/*.cpp, built for Windows and for Linux in a folder of their own. Built once per test program; where there
/// is no compiler (under Wine), they are those of the folder that HIGHWATER_BUILT_PROGRAMS names.
class BuiltPrograms {
  public:
    static const BuiltPrograms& instance();

    /// "" when they could be built, else what is missing: for QSKIP.
    [[nodiscard]] const QString& problem() const { return problem_; }
    [[nodiscard]] QString path(const QString& name) const { return folder_ + '/' + name; }
    [[nodiscard]] const QString& folder() const { return folder_; }
    // The files: exercise2.exe, exercise2.pdb; exercise2.elf with everything, stripped.elf, stripped.debug;
    // MemoryTestApp.exe, MemoryTestApp.pdb, MemoryTestApp.map, and the same of Inlined.

    /// MemoryTestApp.exe for exercise2Trace(): its identity, and where the linker's map says that its functions lie.
    [[nodiscard]] fixtures::BuiltModule memoryTestApp() const { return module(QStringLiteral("MemoryTestApp")); }
    /// The same program at -O2, with InnerLoopOperation inlined into main: its code there stands for the function.
    [[nodiscard]] fixtures::BuiltModule inlinedTestApp() const { return module(QStringLiteral("Inlined")); }

  private:
    BuiltPrograms();
    void build();
    void buildTestApp(const QString& name, const QStringList& options);
    [[nodiscard]] fixtures::BuiltModule module(const QString& name) const;
    bool run(const QString& program, const QStringList& arguments);

    QTemporaryDir ownFolder_;
    QString folder_;
    QString problem_;
};

} // namespace highwater::tests
