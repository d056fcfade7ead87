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

/// programs/*.cpp, built for Windows and for Linux in a folder of their own. Built once per test program.
class BuiltPrograms {
  public:
    static const BuiltPrograms& instance();

    /// "" when they could be built, else what is missing: for QSKIP.
    [[nodiscard]] const QString& problem() const { return problem_; }
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    [[nodiscard]] QString folder() const { return folder_.path(); }
    // The files: exercise2.exe, exercise2.pdb; exercise2.elf with everything, stripped.elf, stripped.debug;
    // MemoryTestApp.exe, MemoryTestApp.pdb, MemoryTestApp.map.

    /// MemoryTestApp.exe for exercise2Trace(): its identity, and where the linker's map says that its functions lie.
    [[nodiscard]] fixtures::BuiltModule memoryTestApp() const;

  private:
    BuiltPrograms();
    void build();
    bool run(const QString& program, const QStringList& arguments);

    QTemporaryDir folder_;
    QString problem_;
};

} // namespace highwater::tests
