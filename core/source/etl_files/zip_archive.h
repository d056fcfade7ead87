#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace highwater::source {

/// One file inside a zip archive, as the central directory describes it. Sizes in bytes, not to be trusted.
struct ZipEntry {
    std::string name;
    std::uint64_t packedBytes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t headerOffset = 0;
    std::uint32_t checksum = 0;
    std::uint16_t method = 0; ///< 0 stored, 8 deflated
    bool isEncrypted = false;
};

/// The content of an entry, and what keeps it alive (null: it lies in the archive itself).
struct ZipContent {
    ByteSpan bytes;
    std::shared_ptr<const void> memory;
    bool isWhole = true; ///< false: the packed bytes end early or their checksum is wrong
};

/// What unpacking may still take; each entry that is read makes it less. Bytes.
struct UnpackingRoom {
    std::uint64_t bytes = 0;                              ///< in all
    std::uint64_t memoryBytes = std::uint64_t{128} << 20; ///< in memory: what does not fit goes to a scratch file
};

/// Reads zip archives from memory: central directory, stored and deflated entries, zip64 sizes. What other programs put
/// around traces (.etl.zip, .diagsession); not a general unzipper. Names the archive `name` in Errors. Any thread.
class ZipArchive {
  public:
    /// Refused: archives whose entries overlap, which no program makes. They expand one piece of data again and again.
    static Result<ZipArchive> open(ByteSpan archive, std::string name);

    [[nodiscard]] const std::vector<ZipEntry>& entries() const { return entries_; }

    /// Expands one entry, a large one to a scratch file. Refused: other methods, encryption, entries that claim to
    /// expand beyond what deflate can do, beyond `room`, or to more than half of what the disk has left, and entries
    /// that expand to more than they claim. What is taken grows with what is really there.
    [[nodiscard]] Result<ZipContent> read(const ZipEntry& entry, UnpackingRoom& room) const;

  private:
    ZipArchive(ByteSpan archive, std::string name) : archive_(archive), name_(std::move(name)) {}
    [[nodiscard]] bool entriesOverlap() const;
    [[nodiscard]] Result<ByteSpan> packedBytes(const ZipEntry& entry) const;
    [[nodiscard]] Result<ZipContent> inflate(const ZipEntry& entry, ByteSpan packed, UnpackingRoom& room) const;
    [[nodiscard]] Error error(ErrorKind kind, const ZipEntry& entry, std::string_view what) const;

    ByteSpan archive_;
    std::string name_;
    std::vector<ZipEntry> entries_;
};

} // namespace highwater::source
