#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace highwater::pipeline {

/// Identifies the content and the writer of an index file: path, size, modification time and checksums of 64 pieces
/// (the first and the last one are its start and end) of each of the trace's files, the program version, and a checksum
/// of the sources that turn records into rows, so that another build of them does not use this index. The text is
/// opaque. Empty if a file cannot be read or is not a regular file. Any thread; reads 4 MB of each file.
[[nodiscard]] std::string traceIndexKey(const std::vector<std::filesystem::path>& paths);
/// The same for the same files, regardless of their content: the base name of the index file.
[[nodiscard]] std::string traceIndexName(const std::vector<std::filesystem::path>& paths);
/// Total size; 0 if one cannot be read.
[[nodiscard]] std::uint64_t bytesOfFiles(const std::vector<std::filesystem::path>& paths);

} // namespace highwater::pipeline
