#pragma once

#include "tests/fixtures/address_space.h"

#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace highwater::tests {

/// A program of LLVM 19 by name, "" if it is not installed.
QString llvmTool(const QString& name);
/// Runs it to its end and returns its output. Empty if it failed or crashed, which is also logged.
QString runTool(const QString& program, const QStringList& arguments, const QString& input = {});

/// programs/*.cpp, built for Windows and for Linux in a folder of their own. Built once per test program; where there
/// is no compiler (under Wine), the folder HIGHWATER_BUILT_PROGRAMS contains them.
class BuiltPrograms {
  public:
    static const BuiltPrograms& instance();

    /// "" if they could be built, otherwise the missing tool: for QSKIP.
    [[nodiscard]] const QString& problem() const { return problem_; }
    [[nodiscard]] QString path(const QString& name) const { return folder_ + '/' + name; }
    [[nodiscard]] const QString& folder() const { return folder_; }
    // The files: exercise2.exe, exercise2.pdb; exercise2.elf with everything, stripped.elf, stripped.debug;
    // MemoryTestApp.exe, MemoryTestApp.pdb, MemoryTestApp.map, and the same of Inlined.

    /// MemoryTestApp.exe for exercise2Trace(): its identity, and the addresses of its functions according to the
    /// linker's map.
    [[nodiscard]] fixtures::BuiltModule memoryTestApp() const { return module(QStringLiteral("MemoryTestApp")); }
    /// The same program at -O2, with InnerLoopOperation inlined into main, whose code then contains the function.
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
