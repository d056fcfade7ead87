#pragma once

#include "core/symbols/answers/symbol_file.h"

#include <filesystem>
#include <string>

namespace highwater::tests {

/// The names in a debug file for every `step`th byte in [0, end): one line for each address that has names, with each
/// frame's short and full name, file and line. For comparing two builds of the readers.
std::string symbolNames(symbols::SymbolFile& file, symbols::Rva end, symbols::Rva step);

/// The result of a download, in two attempts: "outcome: sentence", without the system's own words. A file with another
/// length than `bytes` is refused.
std::string fetchedText(const std::string& url, const std::filesystem::path& target, std::uint64_t bytes);

} // namespace highwater::tests
