#pragma once

#include "core/base/byte_reader.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <vector>

namespace highwater {

/// Bytes of a file: [begin, end).
struct FileRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    friend bool operator==(const FileRange&, const FileRange&) = default;
};

/// Whether they could be a hole in a sparse file. About as fast as memory.
[[nodiscard]] inline bool areZeros(ByteSpan bytes) {
    return bytes.empty() ||
           (bytes[0] == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

/// The parts of a sparse file that may contain other bytes than zeros, in order. Nothing is known, and the result is
/// the whole file, on Windows and on file systems without this information. After `most` parts, the rest is one part.
/// Empty: the file cannot be opened, or has no such part. Any thread.
[[nodiscard]] std::vector<FileRange> dataIn(const std::filesystem::path& path, std::size_t most = 1 << 20);

} // namespace highwater
