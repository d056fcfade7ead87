#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace highwater {

/// A file mapped read-only. bytes() stays valid while the object lives. Immutable after open: any thread.
/// If the file is cut off while it is mapped, or its disk does not answer, what is missing reads as zeros, and
/// hasLostBytes() tells so. On Windows a mapped file cannot be cut off; one that is not on a fixed drive, which may go
/// away, is copied to a scratch file first.
class MappedFile {
  public:
    /// Maps the whole file. A directory, a missing file, missing rights: an Error with a sentence. An empty file maps
    /// to empty bytes.
    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);

    virtual ~MappedFile() = default;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] ByteSpan bytes() const { return bytes_; }
    /// Whether bytes that were read until now are zeros because the file had none there any more.
    [[nodiscard]] virtual bool hasLostBytes() const = 0;
    /// What was read until now need not stay in this process' memory: it is fetched again where it is read again.
    virtual void letGo() const {}
    /// All of that will be read soon.
    virtual void willRead(std::uint64_t /*offset*/, std::uint64_t /*bytes*/) const {}
    /// Copies what lies at `offset` into `room`, without mapping it in: for who looks at a little in many places. What
    /// was copied; shorter than the room only where the file ends.
    [[nodiscard]] virtual ByteSpan read(std::uint64_t offset, std::span<std::byte> room) const;

  protected:
    MappedFile() = default;
    ByteSpan bytes_;
};

} // namespace highwater
