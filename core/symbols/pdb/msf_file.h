#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"

#include <memory>
#include <vector>

namespace highwater::symbols {

/// The bytes of one stream of a PDB: in place if its blocks are consecutive, otherwise a copy.
class StreamBytes {
  public:
    StreamBytes() = default;
    explicit StreamBytes(ByteSpan inPlace) : bytes_(inPlace) {}
    explicit StreamBytes(std::vector<std::byte> copy) : copy_(std::move(copy)), bytes_(copy_) {}
    StreamBytes(StreamBytes&&) = default; // does not move the memory of the copy
    StreamBytes& operator=(StreamBytes&&) = default;

    [[nodiscard]] ByteSpan bytes() const { return bytes_; }

  private:
    std::vector<std::byte> copy_;
    ByteSpan bytes_;
};

/// The container of a PDB ("MSF 7.00"): numbered streams scattered over blocks. Every block number is checked against
/// the file, so that damaged files give short or empty streams. Immutable after open: any thread.
/// Layout: https://llvm.org/docs/PDB/MsfFile.html
class MsfFile {
  public:
    /// `file` must outlive the object.
    [[nodiscard]] static Result<MsfFile> open(ByteSpan file);
    [[nodiscard]] static bool isMsf(ByteSpan file);

    [[nodiscard]] std::size_t streamCount() const { return streams_.size(); }
    [[nodiscard]] std::uint64_t streamBytes(std::size_t stream) const;
    /// The whole stream; empty if there is none or one of its blocks is outside the file.
    [[nodiscard]] StreamBytes read(std::size_t stream) const;
    /// Part of a stream, cut at its end; empty like read().
    [[nodiscard]] StreamBytes read(std::size_t stream, std::uint64_t offset, std::uint64_t count) const;

  private:
    struct Stream {
        std::uint32_t bytes = 0;
        std::uint64_t firstBlock = 0; ///< index into the block numbers of the directory
    };

    [[nodiscard]] std::uint32_t block(std::uint64_t index) const {
        return loadUnchecked<std::uint32_t>(directory_.bytes().data() + blockNumbersAt_ + index * 4);
    }

    ByteSpan file_;
    std::uint32_t blockBytes_ = 0;
    StreamBytes directory_;
    std::size_t blockNumbersAt_ = 0;
    std::vector<Stream> streams_;
};

} // namespace highwater::symbols
