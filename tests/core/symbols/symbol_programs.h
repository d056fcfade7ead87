#pragma once

#include "core/symbols/answers/symbol_file.h"
#include "tests/built_programs/built_programs.h"

#include <QByteArray>
#include <QString>

#include <memory>
#include <string>
#include <vector>

namespace highwater::tests {

/// Whether core/symbols is built with LLVM. Without it (on Windows) it does not read DWARF or newer Rust names.
constexpr bool kHasLlvm = HIGHWATER_HAS_LLVM;

/// One frame as text: "function|file:line", inlined ones first; "" for an address without a name.
struct TextFrame {
    std::string function;
    std::string file;
    unsigned line = 0;
    friend bool operator==(const TextFrame&, const TextFrame&) = default;
};
using TextFrames = std::vector<TextFrame>;

/// llvm-symbolizer's answers for these addresses (bytes from the image's base). Empty when it crashed.
std::vector<TextFrames> askSymbolizer(const QString& image, const std::vector<symbols::Rva>& addresses);
/// The same from our reader, with full names.
std::vector<TextFrames> askReader(symbols::SymbolFile& file, const std::vector<symbols::Rva>& addresses);
/// "a|f.cpp:1 < b|f.cpp:2": for messages.
std::string toText(const TextFrames& frames);

std::vector<std::byte> bytesOfFile(const QString& path);
/// Creates missing folders as well.
void writeFile(const QString& path, const QByteArray& bytes);

/// Opens one of BuiltPrograms by its name.
std::unique_ptr<symbols::SymbolFile> openProgram(const QString& name);
/// Every byte of the code of these small programs.
std::vector<symbols::Rva> allAddresses();

} // namespace highwater::tests
