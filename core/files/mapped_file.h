#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace highwater {

/// A file mapped read-only. bytes() stays valid during the lifetime of the object. Immutable after open: any thread. If
/// the file is truncated while it is mapped, or its disk does not respond, the missing parts read as zeros, and
/// hasLostBytes() returns true. On Windows a mapped file cannot be truncated. A file that is not on a fixed drive and
/// may therefore disappear is copied to a scratch file first.
class MappedFile {
  public:
    /// Maps the whole file. Errors (with a sentence): a directory, a missing file, missing rights. An empty file maps
    /// to empty bytes.
    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);

    virtual ~MappedFile() = default;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] ByteSpan bytes() const { return bytes_; }
    /// Whether some bytes read so far are zeros because they were no longer in the file.
    [[nodiscard]] virtual bool hasLostBytes() const = 0;
    /// Pages read so far need not stay in the memory of this process. They are loaded again on the next access.
    virtual void letGo() const {}
    /// The whole range will be read soon.
    virtual void willRead(std::uint64_t /*offset*/, std::uint64_t /*bytes*/) const {}
    /// Copies the bytes at `offset` to `room` without mapping them, for small reads in many places. Returns the copied
    /// bytes, which are fewer than the room only at the end of the file.
    [[nodiscard]] virtual ByteSpan read(std::uint64_t offset, std::span<std::byte> room) const;

  protected:
    MappedFile() = default;
    ByteSpan bytes_;
};

} // namespace highwater
