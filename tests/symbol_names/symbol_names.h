#pragma once

#include "core/symbols/answers/symbol_file.h"

#include <filesystem>
#include <string>

namespace highwater::tests {

/// What a debug file says of every `step`th byte in [0, end): a line an address that has names, with each frame's short
/// and full name, file and line. For comparing two builds of the readers.
std::string symbolNames(symbols::SymbolFile& file, symbols::Rva end, symbols::Rva step);

/// How a download ends, in two attempts: "outcome: sentence", the system's own words left out. A file of another length
/// than `bytes` is refused.
std::string fetchedText(const std::string& url, const std::filesystem::path& target, std::uint64_t bytes);

} // namespace highwater::tests
