#include "core/symbols/pdb/msf_file.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace highwater::symbols {
namespace {

constexpr std::string_view kMagic("Microsoft C/C++ MSF 7.00\r\n\x1A"
                                  "DS\0\0\0",
                                  32);
constexpr std::uint32_t kNoStream = 0xFFFFFFFFu;

struct SuperBlock {
    std::uint32_t blockBytes;
    std::uint32_t freeBlockMap;
    std::uint32_t blockCount;
    std::uint32_t directoryBytes;
    std::uint32_t unknown;
    std::uint32_t blockMap; ///< the block that lists the directory's blocks
};

Error damaged(const char* what) { return {ErrorKind::Damaged, std::string("The PDB is damaged: ") + what + "."}; }

/// Copies `count` bytes from `offset` of a stream with the block numbers `blockAt(i)`; in place where possible.
template <typename BlockAt>
StreamBytes gather(ByteSpan file, std::uint32_t blockBytes, BlockAt blockAt, std::uint64_t offset,
                   std::uint64_t count) {
    if (count == 0) return {};
    const auto first = offset / blockBytes;
    const auto last = (offset + count - 1) / blockBytes;
    bool isContiguous = true;
    for (auto i = first; i <= last; ++i) {
        const std::uint64_t block = blockAt(i);
        if (block * blockBytes >= file.size()) return {};
        const auto wanted = i == last ? (offset + count - 1) % blockBytes + 1 : blockBytes;
        if (file.size() - block * blockBytes < wanted) return {};
        isContiguous = isContiguous && block == blockAt(first) + (i - first);
    }
    const auto begin = std::uint64_t{blockAt(first)} * blockBytes + offset % blockBytes;
    if (isContiguous) return StreamBytes(file.subspan(begin, count));
    std::vector<std::byte> copy;
    copy.reserve(count);
    for (auto i = first; i <= last; ++i) {
        const auto from = i == first ? offset % blockBytes : 0;
        const auto part = std::min<std::uint64_t>(blockBytes - from, count - copy.size());
        const auto bytes = file.subspan(std::uint64_t{blockAt(i)} * blockBytes + from, part);
        copy.insert(copy.end(), bytes.begin(), bytes.end());
    }
    return StreamBytes(std::move(copy));
}

} // namespace

bool MsfFile::isMsf(ByteSpan file) {
    return file.size() >= kMagic.size() && std::memcmp(file.data(), kMagic.data(), kMagic.size()) == 0;
}

Result<MsfFile> MsfFile::open(ByteSpan file) {
    if (!isMsf(file)) return Error{ErrorKind::Unsupported, "The file is not a PDB in a known format."};
    if (file.size() < kMagic.size() + sizeof(SuperBlock)) return damaged("it is truncated");
    const auto super = loadUnchecked<SuperBlock>(file.data() + kMagic.size());
    const auto size = super.blockBytes;
    if (size < 512 || size > 65536 || (size & (size - 1)) != 0) return damaged("its block size is invalid");
    if (super.directoryBytes > file.size()) return damaged("its directory is larger than the file");
    const auto listBytes = (std::uint64_t{super.directoryBytes} + size - 1) / size * 4;
    const auto listAt = std::uint64_t{super.blockMap} * size;
    if (listAt > file.size() || file.size() - listAt < listBytes) return damaged("its directory is outside the file");

    MsfFile msf;
    msf.file_ = file;
    msf.blockBytes_ = size;
    const auto* list = file.data() + listAt;
    msf.directory_ = gather(
        file, size, [&](std::uint64_t i) { return loadUnchecked<std::uint32_t>(list + i * 4); }, 0,
        super.directoryBytes);
    ByteReader reader(msf.directory_.bytes());
    const auto count = reader.take<std::uint32_t>();
    if (!count || *count > reader.remaining() / 4) return damaged("its directory is outside the file");
    std::uint64_t blocks = 0;
    for (std::uint32_t i = 0; i < *count; ++i) {
        const auto bytes = reader.take<std::uint32_t>().value_or(0);
        const auto real = bytes == kNoStream ? 0 : bytes;
        msf.streams_.push_back({real, blocks});
        blocks += (std::uint64_t{real} + size - 1) / size;
    }
    msf.blockNumbersAt_ = reader.offset();
    // Streams whose block numbers are cut off are empty.
    const auto known = reader.remaining() / 4;
    std::uint64_t claimed = 0;
    for (auto& stream : msf.streams_) {
        const bool isCut = stream.firstBlock + (std::uint64_t{stream.bytes} + size - 1) / size > known;
        if (isCut || stream.bytes > file.size()) stream.bytes = 0;
        claimed += stream.bytes;
    }
    // Each block belongs to one stream, or also to an older directory. Without this limit a small file could claim any
    // size.
    if (claimed > 2 * std::uint64_t{file.size()}) return damaged("its streams overlap");
    return msf;
}

std::uint64_t MsfFile::streamBytes(std::size_t stream) const {
    return stream < streams_.size() ? streams_[stream].bytes : 0;
}

StreamBytes MsfFile::read(std::size_t stream) const { return read(stream, 0, streamBytes(stream)); }

StreamBytes MsfFile::read(std::size_t stream, std::uint64_t offset, std::uint64_t count) const {
    const auto size = streamBytes(stream);
    if (offset >= size) return {};
    const auto first = streams_[stream].firstBlock;
    return gather(
        file_, blockBytes_, [&](std::uint64_t i) { return block(first + i); }, offset, std::min(count, size - offset));
}

} // namespace highwater::symbols
