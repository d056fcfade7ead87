#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace highwater::source {

/// The bytes of a file, unpacked where it is packed, from begin to end. One thread; the file's bytes must outlive it.
class PackedStream {
  public:
    /// `file` is gzip, Zstandard, or neither. Of text the mark of its encoding is left out, and what is UTF-16 by its
    /// mark, as PowerShell writes it, comes as UTF-8. Unsupported: Zstandard where there is no library for it; the
    /// sentence says how to unpack the file, which is called `name`.
    static Result<std::unique_ptr<PackedStream>> open(ByteSpan file, std::string_view name);

    virtual ~PackedStream() = default;
    PackedStream(const PackedStream&) = delete;
    PackedStream& operator=(const PackedStream&) = delete;

    /// Puts the next bytes into the room; how many. 0: that was all, or the rest is damaged (isBroken()).
    virtual std::size_t read(std::span<std::byte> room) = 0;
    /// Bytes of the file that were used so far.
    [[nodiscard]] virtual std::size_t bytesUsed() const = 0;
    /// The file is cut off or damaged behind what was read.
    [[nodiscard]] virtual bool isBroken() const { return false; }

  protected:
    PackedStream() = default;
};

[[nodiscard]] bool isPacked(ByteSpan file);
/// What a stream reads is not what the file has in it.
[[nodiscard]] bool isPackedOrMarked(ByteSpan file);
[[nodiscard]] bool isGzip(ByteSpan file);
[[nodiscard]] bool isZstd(ByteSpan file);

/// A PackedStream of Zstandard; as open().
[[nodiscard]] Result<std::unique_ptr<PackedStream>> openZstd(ByteSpan file, std::string_view name);

} // namespace highwater::source
