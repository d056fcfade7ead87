#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace highwater::pipeline {

/// Names what an index file is of and who wrote it: for each of the trace's files its path, size and time of change and
/// checksums of 64 pieces of it (the first and the last one are its begin and its end), the version of the program, and
/// a checksum of the sources that make rows of records: another build of them reads no index of this one. In no form
/// that is to be read. Empty: a file cannot be read, or is none. Any thread; reads 4 MB of each file.
[[nodiscard]] std::string traceIndexKey(const std::vector<std::filesystem::path>& paths);
/// The same for the same files, whatever is in them: what the index file is called, without its ending.
[[nodiscard]] std::string traceIndexName(const std::vector<std::filesystem::path>& paths);
/// Of all of them together; 0: one cannot be read.
[[nodiscard]] std::uint64_t bytesOfFiles(const std::vector<std::filesystem::path>& paths);

} // namespace highwater::pipeline
