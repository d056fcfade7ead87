#include "core/references/heap_chunks.h"

#include "core/references/stop_watch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

namespace highwater::references {
namespace {

using namespace mapping_flag;

// malloc/malloc.c and malloc/arena.c of glibc. A chunk begins with the size of the one before it, which is part of that
// one if it is in use, and its own size, with flags. The block of the program follows.
constexpr Address kBlockAt = 16;
constexpr ByteCount kOverhead = 8, kSmallestChunk = 32, kChunkUnit = 16;
constexpr std::uint64_t kFlags = 7, kPreviousIsUsed = 1, kHasMapping = 2, kIsOfOtherArena = 4;
constexpr std::uint64_t kIsFree = kHasMapping; ///< in Chunk: chunks of heaps have no mapping of their own
/// At the end of a heap to which nothing could be added, so that no chunk behind it is examined: one of these, and one
/// without bytes. If no space for both is left, the last chunk is the rest.
constexpr ByteCount kFence = 16;

constexpr Address kHeapUnit = Address{64} << 20; ///< heaps of threads are at multiples of this, and at most as large
constexpr ByteCount kArenaStateBytes = 2200;     ///< struct malloc_state
constexpr Address kFastListsAt = 16, kTopAt = 96, kListsAt = 112; ///< in an arena
constexpr std::size_t kFastLists = 10, kCheckedLists = 4;

constexpr std::size_t kThreadLists = 64; ///< in struct tcache_perthread_struct: their lengths, then their first blocks
constexpr ByteCount kThreadListsBytes = 0x290;
constexpr std::uint16_t kMostInList = 4096; ///< 7 unless it is configured
/// In blocks that look like such lists at first. A program can make very many of these.
constexpr std::size_t kMostLinksInVain = 1 << 20;
constexpr ByteCount kLargestData = 64 << 20; ///< of a module, with the arena of the program

/// The part of memory that is being read.
class Words {
  public:
    explicit Words(const ReadMemory& read) : read_(read), buffer_(kBytes) {}

    /// Nothing: not readable.
    std::optional<std::uint64_t> at(Address address) {
        if (address < begin_ || address - begin_ >= bytes_ || bytes_ - (address - begin_) < kWord) {
            begin_ = address;
            bytes_ = read_(address, buffer_);
            if (bytes_ < kWord) return std::nullopt;
        }
        std::uint64_t word = 0;
        std::memcpy(&word, buffer_.data() + (address - begin_), kWord);
        return word;
    }
    /// Without effect on the part that is being read.
    template <std::size_t N>
    [[nodiscard]] bool take(Address address, std::array<std::uint64_t, N>& words) const {
        return read_(address, std::as_writable_bytes(std::span(words))) == sizeof words;
    }

  private:
    static constexpr Address kWord = 8;
    static constexpr std::size_t kBytes = 256 * 1024;
    const ReadMemory& read_;
    std::vector<std::byte> buffer_;
    Address begin_ = 0;
    std::size_t bytes_ = 0;
};

struct Chunk {
    Address at = 0;
    std::uint64_t sizeAndFlags = 0;
    [[nodiscard]] ByteCount bytes() const { return sizeAndFlags & ~kFlags; }
    [[nodiscard]] bool isFree() const { return (sizeAndFlags & kIsFree) != 0; }
};

/// The heaps of one process.
class HeapWalk {
  public:
    HeapWalk(const ResidentSample& sample, const ReadMemory& read, const std::stop_token& stop)
        : sample_(sample), words_(read), watch_(stop) {}

    HeapChunks find() {
        Address reached = 0, end = 0;
        for (std::size_t i = 0; i < sample_.mappings.size(); ++i) {
            const auto& mapping = sample_.mappings[i];
            if ((mapping.flags & (kRead | kWrite | kFile | kShared)) != (kRead | kWrite)) continue;
            const AddressRange range{std::max(mapping.begin, reached), mapping.end};
            if (range.begin >= range.end) continue;
            if (end <= range.begin) end = continuedEnd(i);
            if (sample_.nameOf(mapping) == "[heap]") {
                walkProgramHeap({range.begin, end});
                reached = end;
            } else {
                walkOthers(range, end);
                if (!heaps_.empty()) reached = heaps_.back().end;
            }
        }
        if (heaps_.empty()) return result();
        for (const auto arena : arenas_)
            emptyFastLists(arena);
        for (std::size_t i = 0; i < chunks_.size(); ++i)
            if (mayHaveThreadLists(chunks_[i])) emptyThreadLists(i);
        return result();
    }

  private:
    /// Blocks of a heap and blocks with mappings of their own, by address.
    HeapChunks result() {
        HeapChunks found;
        found.heaps = std::move(heaps_);
        for (const auto& chunk : chunks_)
            if (!chunk.isFree()) found.blocks.push_back({chunk.at + kBlockAt, chunk.bytes() - kOverhead});
        const auto middle = static_cast<std::ptrdiff_t>(found.blocks.size());
        found.blocks.insert(found.blocks.end(), mapped_.begin(), mapped_.end());
        std::inplace_merge(found.blocks.begin(), found.blocks.begin() + middle, found.blocks.end(),
                           [](const Block& a, const Block& b) { return a.address < b.address; });
        return found;
    }

    /// The end of the mapping and of those that continue it. The system does not join what a heap gets after a fork
    /// with what it had before.
    [[nodiscard]] Address continuedEnd(std::size_t i) const {
        const auto& mappings = sample_.mappings;
        const auto flags = mappings[i].flags & ~kPages;
        const auto& name = sample_.nameOf(mappings[i]);
        for (; i + 1 < mappings.size(); ++i) {
            const auto& next = mappings[i + 1];
            if (next.begin != mappings[i].end || (next.flags & ~kPages) != flags || sample_.nameOf(next) != name) break;
        }
        return mappings[i].end;
    }

    /// The heap that grows with the end of the program's data. Its last chunk is that from which it allocates.
    void walkProgramHeap(const AddressRange& range) {
        if (!walk(range.begin, range.end, true)) return;
        const auto arena = programArena(chunks_.back().at);
        if (!arena) return chunks_.resize(chunksBefore_);
        arenas_.push_back(*arena);
        heaps_.push_back(range);
    }
    /// The arena of the program is in the data of the C library, which has no symbol for it. It refers to the last
    /// chunk, and its empty lists refer to themselves.
    [[nodiscard]] std::optional<Address> programArena(Address top) {
        for (const auto& mapping : sample_.mappings) {
            if ((mapping.flags & (kWrite | kFile | kShared)) != (kWrite | kFile)) continue;
            if (mapping.end - mapping.begin > kLargestData) continue;
            for (auto at = mapping.begin; at < mapping.end; at += sizeof at) {
                const auto word = words_.at(at);
                if (!word || watch_.isStopped()) break;
                if (*word == top && at - mapping.begin >= kTopAt && isArena(at - kTopAt)) return at - kTopAt;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] bool isArena(Address arena) const {
        std::array<std::uint64_t, 2 * kCheckedLists> lists{};
        if (!words_.take(arena + kListsAt, lists)) return false;
        for (std::size_t i = 0; i < lists.size(); ++i) {
            const auto self = arena + kListsAt + i / 2 * 16 - kBlockAt;
            if (lists[i] != self && !chunkAt(lists[i])) return false;
        }
        return true;
    }

    /// Heaps of threads, which may continue to `end`, and blocks with mappings of their own.
    void walkOthers(const AddressRange& range, Address end) {
        for (auto at = firstMapped(range); at < range.end && !watch_.isStopped();) {
            const bool isHeap = at % kHeapUnit == 0 && walkThreadHeap(at, at + std::min(end - at, kHeapUnit));
            const auto reached = isHeap ? at + 1 : std::max(walkMapped(at, range.end), at + 1);
            const auto left = (kHeapUnit - reached % kHeapUnit) % kHeapUnit;
            if (range.end - reached <= left) return;
            at = reached + left;
        }
    }
    /// Such a heap begins with its arena's address, the heap before it, and its size. The first one of an arena
    /// contains the arena.
    bool walkThreadHeap(Address begin, Address end) {
        std::array<std::uint64_t, 3> header{};
        if (!words_.take(begin, header)) return false;
        const auto [arena, before, bytes] = header;
        const auto headerBytes = arena % kHeapUnit; // 48, or 32 before 2.35
        if (headerBytes != 48 && headerBytes != 32) return false;
        if (bytes % kResidentPageBytes != 0 || bytes == 0 || bytes > end - begin || before % kHeapUnit != 0)
            return false;
        const bool isFirst = arena == begin + headerBytes;
        const auto chunks =
            isFirst ? arena + kArenaStateBytes + (kChunkUnit - kArenaStateBytes % kChunkUnit) : begin + headerBytes;
        if (!walk(chunks, begin + bytes, false)) return true;
        if (isFirst) arenas_.push_back(arena);
        heaps_.push_back({begin, end});
        return true;
    }

    /// Adds the chunks in [begin, end). False: they do not end there; none is added.
    bool walk(Address begin, Address end, bool isOfProgram) {
        chunksBefore_ = chunks_.size();
        const auto fail = [this] {
            chunks_.resize(chunksBefore_);
            return false;
        };
        for (auto at = begin; at < end;) {
            const auto size = end - at >= kSmallestChunk / 2 ? words_.at(at + sizeof at) : std::nullopt;
            if (!size || watch_.isStopped()) return fail();
            const bool isFirst = chunks_.size() == chunksBefore_;
            if ((*size & kPreviousIsUsed) == 0 && !isFirst) chunks_.back().sizeAndFlags |= kIsFree;
            const auto bytes = *size & ~kFlags;
            if (bytes <= kFence && !isOfProgram && !isFirst) {          // the heap is full
                if (bytes == 0) chunks_.back().sizeAndFlags |= kIsFree; // a rest that is too small for a chunk
                return true;
            }
            const auto wrong = kHasMapping | (isOfProgram ? kIsOfOtherArena : 0);
            if ((*size & wrong) != 0 || bytes < kSmallestChunk || bytes % kChunkUnit != 0 || bytes > end - at)
                return fail();
            chunks_.push_back({at, *size});
            at += bytes;
        }
        if (chunks_.size() == chunksBefore_) return false;
        chunks_.back().sizeAndFlags |= kIsFree;
        return true;
    }

    /// The system joins a mapping also with the data of a library below it, such as the agent's.
    [[nodiscard]] Address firstMapped(const AddressRange& range) const {
        constexpr ByteCount kMostBefore = 1 << 20, kSmallest = 128 << 10; // the least that gets a mapping by default
        std::array<std::uint64_t, 2> header{};
        for (auto at = range.begin; at < range.end && at - range.begin <= kMostBefore; at += kResidentPageBytes) {
            if (at != range.begin && at % kHeapUnit == 0) break; // a heap may begin there
            const bool isMapped = words_.take(at, header) && isMappedBlock(header, range.end - at);
            if (isMapped && (header[1] >= kSmallest || at == range.begin)) return at;
        }
        return range.begin;
    }
    [[nodiscard]] static bool isMappedBlock(const std::array<std::uint64_t, 2>& header, ByteCount most) {
        const auto bytes = header[1] & ~kFlags;
        return header[0] == 0 && (header[1] & kFlags) == kHasMapping && bytes != 0 && bytes % kResidentPageBytes == 0 &&
               bytes <= most;
    }
    /// Blocks with mappings of their own, which the system joins. Returns the end of the last one.
    Address walkMapped(Address begin, Address end) {
        std::array<std::uint64_t, 2> header{};
        auto at = begin;
        while (at < end && !watch_.isStopped() && words_.take(at, header)) {
            if (!isMappedBlock(header, end - at)) break;
            const auto bytes = header[1] & ~kFlags;
            const auto before = bytesBeforeAligned(at, bytes);
            mapped_.push_back({at + before + kBlockAt, bytes - before - kBlockAt});
            at += bytes;
        }
        return at;
    }
    /// An aligned block has a chunk of its own in the mapping, which begins with the bytes before it. 0: not aligned.
    [[nodiscard]] ByteCount bytesBeforeAligned(Address at, ByteCount bytes) const {
        constexpr Address kSmallestAlignment = 32;
        for (auto alignment = kSmallestAlignment; alignment < bytes; alignment *= 2) {
            const auto rest = (at + kBlockAt) % alignment;
            auto before = alignment - rest;
            if (before < kSmallestChunk) before += alignment;
            std::array<std::uint64_t, 2> header{};
            if (before >= bytes - kBlockAt || !words_.take(at + before, header)) return 0;
            if (header[0] == before && header[1] == ((bytes - before) | kHasMapping)) return before;
        }
        return 0;
    }

    [[nodiscard]] std::optional<std::size_t> indexAt(Address at) const {
        const auto found = std::ranges::lower_bound(chunks_, at, {}, &Chunk::at);
        if (found == chunks_.end() || found->at != at) return std::nullopt;
        return static_cast<std::size_t>(found - chunks_.begin());
    }
    [[nodiscard]] bool chunkAt(Address at) const { return indexAt(at).has_value(); }

    /// Links between free chunks are combined with their own addresses, from 2.32 on.
    [[nodiscard]] Address linkAt(Address at, Address offset) const {
        std::array<std::uint64_t, 1> word{};
        if (!words_.take(at, word)) return 0;
        const auto stored = word[0];
        const auto revealed = stored ^ at >> 12;
        const auto isLink = [&](Address link) { return link == 0 || chunkAt(link - offset); };
        return isLink(revealed) ? revealed : isLink(stored) ? stored : 0;
    }
    /// Chunks of small sizes that were freed and not joined with their neighbors, which count as used for these.
    void emptyFastLists(Address arena) {
        std::array<std::uint64_t, kFastLists> lists{};
        if (!words_.take(arena + kFastListsAt, lists)) return;
        for (std::size_t i = 0; i < kFastLists; ++i) {
            auto next = indexAt(lists[i]);
            while (next && chunks_[*next].bytes() == bytesOfList(i) && !chunks_[*next].isFree()) {
                chunks_[*next].sizeAndFlags |= kIsFree;
                next = indexAt(linkAt(chunks_[*next].at + kBlockAt, 0));
            }
        }
    }
    [[nodiscard]] static ByteCount bytesOfList(std::size_t list) { return kSmallestChunk + list * kChunkUnit; }

    /// A free chunk that was used for the lists may be larger by the smallest rest, which is no chunk.
    [[nodiscard]] static bool mayHaveThreadLists(const Chunk& chunk) {
        return !chunk.isFree() &&
               (chunk.bytes() == kThreadListsBytes || chunk.bytes() == kThreadListsBytes + kChunkUnit);
    }
    /// Chunks that a thread has freed and keeps for itself, if the chunk contains its lists of these, which is certain
    /// only if they have the noted lengths and sizes.
    void emptyThreadLists(std::size_t owner) {
        std::array<std::uint64_t, kThreadLists / 4 + kThreadLists> words{};
        if (!words_.take(chunks_[owner].at + kBlockAt, words)) return;
        std::array<std::uint16_t, kThreadLists> lengths{};
        std::memcpy(lengths.data(), words.data(), sizeof lengths);
        const std::span firsts(words.data() + kThreadLists / 4, kThreadLists);
        kept_.clear();
        for (std::size_t i = 0; i < kThreadLists; ++i) {
            if (takeList(firsts[i], lengths[i], bytesOfList(i))) continue;
            linksInVain_ += kept_.size();
            return;
        }
        if (kept_.empty()) return;
        for (const auto chunk : kept_)
            chunks_[chunk].sizeAndFlags |= kIsFree;
        chunks_[owner].sizeAndFlags |= kIsFree; // memory of malloc itself
    }
    bool takeList(Address block, std::uint16_t length, ByteCount bytes) {
        if (length > kMostInList || linksInVain_ > kMostLinksInVain) return false;
        for (; length > 0; --length) {
            const auto chunk = indexAt(block - kBlockAt);
            if (!chunk || chunks_[*chunk].bytes() != bytes || chunks_[*chunk].isFree()) return false;
            kept_.push_back(*chunk);
            block = linkAt(block, kBlockAt);
        }
        return block == 0;
    }

    const ResidentSample& sample_;
    Words words_;
    StopWatch watch_;
    std::vector<Chunk> chunks_;    ///< of heaps, by address
    std::size_t chunksBefore_ = 0; ///< of the heap that is followed
    std::vector<Block> mapped_;    ///< blocks with mappings of their own, by address
    std::vector<AddressRange> heaps_;
    std::vector<Address> arenas_;
    std::vector<std::size_t> kept_; ///< chunks in lists of a thread
    std::size_t linksInVain_ = 0;
};

} // namespace

HeapChunks findHeapChunks(const ResidentSample& mappings, const ReadMemory& read, const std::stop_token& stop) {
    return HeapWalk(mappings, read, stop).find();
}

} // namespace highwater::references
