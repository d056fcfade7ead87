#include "core/decode/records/picture_record.h"

#include "core/base/varint.h"

#include <limits>

namespace highwater::decode {
namespace {

constexpr std::uint64_t kDominatorIsHolder = 4, kHasType = 8;
static_assert(kReachabilities <= kDominatorIsHolder);
constexpr std::uint64_t kIsFurther =
    8; // of a root: pictures of earlier versions have neither names of threads nor frames
static_assert(kRootKinds <= kIsFurther);

/// Of the bytes of a picture, which can be damaged and still be a picture. FNV-1a, of 63 bits as numbers have.
std::uint64_t checksumOf(std::string_view bytes) {
    std::uint64_t sum = 0xCBF29CE484222325ull;
    for (const auto byte : bytes)
        sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001B3ull;
    return sum >> 1;
}

/// 0: none.
std::uint64_t linkOf(std::uint32_t index) { return index == PictureBlock::kNone ? 0 : std::uint64_t{index} + 1; }

std::string coded(const MemoryPicture& picture, std::int64_t ticks) {
    std::string out;
    putVarint(out, static_cast<std::uint64_t>(ticks));
    for (const auto number : {picture.rootBytes, picture.unreadBytes, ByteCount{picture.threads},
                              ByteCount{picture.unreadThreads}, ByteCount{picture.hasUnknownBlocks}})
        putVarint(out, number);
    putNames(out, picture.names);
    putVarint(out, picture.roots.size());
    for (const auto& root : picture.roots) {
        const bool isFurther = root.threadName != root.name || root.parent != PictureRoot::kNoParent;
        putVarint(out, static_cast<std::uint64_t>(root.kind) | (isFurther ? kIsFurther : 0));
        for (const auto number : {root.address, root.code, Address{root.name}, Address{root.thread}})
            putVarint(out, number);
        if (!isFurther) continue;
        putVarint(out, root.threadName);
        putVarint(out, linkOf(root.parent));
    }
    putVarint(out, picture.blocks.size());
    Address reached = 0;
    for (const auto& block : picture.blocks) {
        putVarint(out, block.address - reached);
        putVarint(out, block.bytes);
        const bool isSame = block.dominator == block.holder;
        putVarint(out, static_cast<std::uint64_t>(block.reachability) | (isSame ? kDominatorIsHolder : 0) |
                           (block.type != 0 ? kHasType : 0));
        putVarint(out, linkOf(block.holder));
        if (!isSame) putVarint(out, linkOf(block.dominator));
        if (block.type != 0) putVarint(out, block.type);
        reached = block.address + block.bytes;
    }
    if (!picture.types.empty()) putNames(out, picture.types);
    return out;
}

/// Values beyond the last enumerator are invalid.
template <typename Enumeration>
Enumeration takeEnumerator(CodedReader& reader, std::uint64_t value, std::uint64_t count) {
    return static_cast<Enumeration>(value < count ? value : reader.fail());
}

std::uint32_t takeLink(CodedReader& reader) {
    const auto link = reader.number();
    if (link > PictureBlock::kNone) reader.fail();
    return link == 0 ? PictureBlock::kNone : static_cast<std::uint32_t>(link - 1);
}

PictureRoot takeRoot(CodedReader& reader) {
    PictureRoot root;
    const auto kind = reader.number();
    root.kind = takeEnumerator<RootKind>(reader, kind & ~kIsFurther, kRootKinds);
    root.address = reader.number();
    root.code = reader.number();
    root.name = reader.word();
    root.thread = reader.word();
    root.threadName = (kind & kIsFurther) != 0 ? reader.word() : root.name;
    root.parent = (kind & kIsFurther) != 0 ? takeLink(reader) : PictureRoot::kNoParent;
    return root;
}

PictureBlock takeBlock(CodedReader& reader, Address reached) {
    PictureBlock block;
    if (__builtin_add_overflow(reached, reader.number(), &block.address)) reader.fail();
    block.bytes = reader.number();
    const auto kind = reader.number();
    block.reachability = takeEnumerator<Reachability>(reader, kind & ~(kDominatorIsHolder | kHasType), kReachabilities);
    block.holder = takeLink(reader);
    block.dominator = (kind & kDominatorIsHolder) != 0 ? block.holder : takeLink(reader);
    if ((kind & kHasType) != 0) block.type = reader.word();
    return block;
}

std::int64_t takePicture(CodedReader& reader, MemoryPicture& picture) {
    const auto ticks = static_cast<std::int64_t>(reader.number()); // at most 63 bits
    picture.rootBytes = reader.number();
    picture.unreadBytes = reader.number();
    picture.threads = reader.word();
    picture.unreadThreads = reader.word();
    picture.hasUnknownBlocks = reader.number() != 0;
    picture.names = reader.names();
    const auto roots = reader.count(sizeof(PictureRoot));
    picture.roots.reserve(roots);
    for (std::uint64_t i = 0; i < roots && reader.isRight(); ++i)
        picture.roots.push_back(takeRoot(reader));
    const auto blocks = reader.count(sizeof(PictureBlock));
    picture.blocks.reserve(blocks);
    Address reached = 0;
    bool hasTypes = false;
    for (std::uint64_t i = 0; i < blocks && reader.isRight(); ++i) {
        const auto& block = picture.blocks.emplace_back(takeBlock(reader, reached));
        if (__builtin_add_overflow(block.address, block.bytes, &reached)) reader.fail();
        hasTypes = hasTypes || block.type != 0;
    }
    if (hasTypes) picture.types = reader.names();
    return ticks;
}

} // namespace

std::vector<std::vector<std::byte>> encodePicture(const MemoryPicture& picture, std::int64_t ticks,
                                                  std::uint32_t number) {
    if (ticks < 0 || !isValid(picture) || picture.bytes() > kMostPictureBytes) return {};
    auto bytes = coded(picture, ticks);
    putVarint(bytes, checksumOf(bytes));
    if (bytes.size() > kMostPictureBytes) return {};
    return encodeParts(picture.pid, number, bytes);
}

PictureParts::Outcome PictureParts::take(const etl::RawRecord& record, TraceTime time) {
    const auto [whole, dropped] = parts_.take(record, time);
    Outcome outcome{nullptr, 0, dropped};
    if (!whole) return outcome;
    CodedReader reader(whole->bytes, kMostPictureBytes);
    auto picture = std::make_shared<MemoryPicture>();
    picture->pid = whole->pid;
    outcome.ticks = takePicture(reader, *picture);
    const auto covered = whole->bytes.size() - reader.remaining();
    if (reader.number() != checksumOf(std::string_view(whole->bytes).substr(0, covered))) reader.fail();
    if (reader.isComplete() && isValid(*picture))
        outcome.picture = std::move(picture);
    else
        ++outcome.dropped;
    return outcome;
}

} // namespace highwater::decode
