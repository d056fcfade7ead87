#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace highwater::source {

/// The bytes of a file, unpacked if it is packed, from start to end. One thread; the file's bytes must outlive it.
class PackedStream {
  public:
    /// `file` is gzip, Zstandard, or neither. A byte order mark is skipped, and UTF-16 text with a mark, as PowerShell
    /// writes it, is converted to UTF-8. Unsupported: Zstandard where the library is missing; the sentence explains how
    /// to unpack the file, which it calls `name`.
    static Result<std::unique_ptr<PackedStream>> open(ByteSpan file, std::string_view name);

    virtual ~PackedStream() = default;
    PackedStream(const PackedStream&) = delete;
    PackedStream& operator=(const PackedStream&) = delete;

    /// Reads the next bytes and returns their number. 0: the end, or the rest is damaged (isBroken()).
    virtual std::size_t read(std::span<std::byte> room) = 0;
    /// Number of bytes of the file used so far.
    [[nodiscard]] virtual std::size_t bytesUsed() const = 0;
    /// The file is cut off or damaged after the bytes that were read.
    [[nodiscard]] virtual bool isBroken() const { return false; }

  protected:
    PackedStream() = default;
};

[[nodiscard]] bool isPacked(ByteSpan file);
/// Whether the stream differs from the bytes of the file.
[[nodiscard]] bool isPackedOrMarked(ByteSpan file);
[[nodiscard]] bool isGzip(ByteSpan file);
[[nodiscard]] bool isZstd(ByteSpan file);

/// Opens a Zstandard stream, like open().
[[nodiscard]] Result<std::unique_ptr<PackedStream>> openZstd(ByteSpan file, std::string_view name);

} // namespace highwater::source
