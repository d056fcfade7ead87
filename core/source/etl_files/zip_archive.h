#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace highwater::source {

/// A file inside a zip archive, as described by the central directory. Sizes in bytes, not trusted.
struct ZipEntry {
    std::string name;
    std::uint64_t packedBytes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t headerOffset = 0;
    std::uint32_t checksum = 0;
    std::uint16_t method = 0; ///< 0 stored, 8 deflated
    bool isEncrypted = false;
};

/// The content of an entry and its owner (null: the bytes are in the archive itself).
struct ZipContent {
    ByteSpan bytes;
    std::shared_ptr<const void> memory;
    bool isWhole = true; ///< false: the packed bytes end early or their checksum is wrong
};

/// Remaining limits for unpacking, in bytes. Each entry that is read reduces them.
struct UnpackingRoom {
    std::uint64_t bytes = 0;                              ///< in all
    std::uint64_t memoryBytes = std::uint64_t{128} << 20; ///< in memory; larger entries use a scratch file
};

/// Reads zip archives from memory: central directory, stored and deflated entries, zip64 sizes. Supports the archives
/// that other programs create for traces (.etl.zip, .diagsession); not a general unzipper. Errors call the archive
/// `name`. Any thread.
class ZipArchive {
  public:
    /// Refuses archives whose entries overlap. No program creates them, and they can expand the same data again and
    /// again.
    static Result<ZipArchive> open(ByteSpan archive, std::string name);

    [[nodiscard]] const std::vector<ZipEntry>& entries() const { return entries_; }

    /// Expands one entry, using a scratch file for a large one. Refuses other methods, encryption, claimed sizes beyond
    /// the deflate ratio, beyond `room` or beyond half of the free disk space, and entries that expand to more than
    /// they claim. Memory grows with the actual data.
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
