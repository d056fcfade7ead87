#pragma once

#include "core/symbols/symbol_file.h"

#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <string>
#include <vector>

namespace highwater::tests {

/// A program of LLVM 19 by name, "" when it is not installed.
QString llvmTool(const QString& name);
/// Runs it to its end; what it printed. Empty when it failed or crashed, which is also said in the log.
QString runTool(const QString& program, const QStringList& arguments, const QString& input = {});

/// programs/exercise2.cpp, built for Windows and for Linux in a folder of its own. Built once per test program.
class BuiltPrograms {
  public:
    static const BuiltPrograms& instance();

    /// "" when they could be built, else what is missing: for QSKIP.
    [[nodiscard]] const QString& problem() const { return problem_; }
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    // The files: exercise2.exe, exercise2.pdb; exercise2.elf with everything, stripped.elf, stripped.debug.

  private:
    BuiltPrograms();
    void build();
    bool run(const QString& program, const QStringList& arguments);

    QTemporaryDir folder_;
    QString problem_;
};

/// One frame as text: "function|file:line", inlined ones first; "" for an address without name.
struct TextFrame {
    std::string function;
    std::string file;
    unsigned line = 0;
    friend bool operator==(const TextFrame&, const TextFrame&) = default;
};
using TextFrames = std::vector<TextFrame>;

/// What llvm-symbolizer says of each address (bytes from the image's base). Empty when it crashed.
std::vector<TextFrames> askSymbolizer(const QString& image, const std::vector<symbols::Rva>& addresses);
/// The same from our reader, with full names.
std::vector<TextFrames> askReader(symbols::SymbolFile& file, const std::vector<symbols::Rva>& addresses);
/// "a|f.cpp:1 < b|f.cpp:2": for messages.
std::string toText(const TextFrames& frames);

std::vector<std::byte> bytesOfFile(const QString& path);

} // namespace highwater::tests
