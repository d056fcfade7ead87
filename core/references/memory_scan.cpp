#include "core/references/memory_scan.h"

#include "core/base/on_threads.h"
#include "core/references/block_index.h"
#include "core/references/stop_watch.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>

namespace highwater::references {
namespace {

constexpr ByteCount kPieceBytes = 1 << 20;
constexpr ByteCount kLargestUnusedGap = 4096; ///< reading it is faster than another call
constexpr ByteCount kLargestUnusedHole = 4 * kResidentPageBytes; ///< likewise, of pages that were never touched
constexpr std::uint32_t kMostOwners = 1 << 16;

struct Range {
    Address begin = 0;
    Address end = 0;
    [[nodiscard]] ByteCount bytes() const { return end > begin ? end - begin : 0; }
    [[nodiscard]] Range within(const Range& other) const {
        return {std::max(begin, other.begin), std::min(end, other.end)};
    }
    /// The whole words.
    [[nodiscard]] Range words() const {
        const auto first = (begin + kWord - 1) / kWord * kWord;
        const auto last = end / kWord * kWord;
        return first < begin || first >= last ? Range() : Range{first, last}; // the sum may overflow
    }
};

/// Memory that a thread reads at a time: of several owners (areas or blocks), or part of a large one.
struct Piece {
    std::uint32_t first = 0;
    std::uint32_t last = 0; ///< excluded
    Range limits{0, ~Address{0}};
};

/// Parts of readable mappings that contain more than zeros, by address.
class UsedParts {
  public:
    explicit UsedParts(const ResidentSample& mappings) {
        for (const auto& mapping : mappings.mappings) {
            if ((mapping.flags & mapping_flag::kRead) == 0) continue;
            mappings_.push_back({mapping.begin, mapping.end});
            if ((mapping.flags & mapping_flag::kPages) == 0)
                parts_.push_back({mapping.begin, mapping.end});
            else
                addPages(mapping);
        }
    }
    /// Calls visit(part) for what the range contains of each.
    template <typename Visit>
    void each(const Range& range, const Visit& visit) const {
        eachIn(parts_, range, visit);
    }
    /// Bytes of the range in readable mappings that are in no part.
    [[nodiscard]] ByteCount unusedIn(const Range& range) const {
        ByteCount bytes = 0;
        eachIn(mappings_, range, [&](const Range& part) { bytes += part.bytes(); });
        eachIn(parts_, range, [&](const Range& part) { bytes -= part.bytes(); });
        return bytes;
    }

  private:
    void addPages(const Mapping& mapping) {
        const auto first = parts_.size();
        mapping.pages.each([&](std::uint64_t page, std::uint64_t pages) {
            const auto begin = mapping.begin + page * kResidentPageBytes, end = begin + pages * kResidentPageBytes;
            if (parts_.size() > first && begin - parts_.back().end <= kLargestUnusedHole)
                parts_.back().end = end;
            else
                parts_.push_back({begin, end});
        });
    }
    template <typename Visit>
    static void eachIn(const std::vector<Range>& parts, const Range& range, const Visit& visit) {
        for (auto part = std::ranges::upper_bound(parts, range.begin, {}, &Range::end);
             part != parts.end() && part->begin < range.end; ++part)
            visit(part->within(range));
    }

    std::vector<Range> mappings_, parts_;
};

/// Divides the memory of owners, which are visited in order.
class PieceCutter {
  public:
    explicit PieceCutter(const UsedParts& used) : used_(used) {}

    void add(std::uint32_t owner, const Range& range) {
        if (range.bytes() > kPieceBytes) return addLarge(owner, range);
        if (bytes_ + range.bytes() > kPieceBytes || owner - current_.first >= kMostOwners) finish(owner);
        if (!takeBytes(range.bytes())) {
            leftOut_ += range.bytes();
            return finish(owner + 1);
        }
        current_.last = owner + 1;
        bytes_ += range.bytes();
    }
    /// Ends the current piece; the next one begins with this owner.
    void finish(std::uint32_t next) {
        if (current_.first < current_.last) pieces_.push_back(current_);
        current_ = {next, next, {0, ~Address{0}}};
        bytes_ = 0;
    }
    [[nodiscard]] std::vector<Piece> finished(std::uint32_t owners) {
        finish(owners);
        return std::move(pieces_);
    }
    [[nodiscard]] ByteCount leftOut() const { return leftOut_; }

  private:
    void addLarge(std::uint32_t owner, const Range& range) {
        finish(owner + 1);
        auto rest = range.bytes() - used_.unusedIn(range);
        used_.each(range, [&](Range part) {
            while (part.bytes() > 0 && takeBytes(std::min(part.bytes(), kPieceBytes))) {
                const Range piece{part.begin, part.begin + std::min(part.bytes(), kPieceBytes)};
                pieces_.push_back({owner, owner + 1, piece});
                rest -= piece.bytes();
                part.begin = piece.end;
            }
        });
        leftOut_ += rest;
    }
    /// Whether this much may still be read.
    bool takeBytes(ByteCount bytes) {
        if (bytes > budget_) return false;
        budget_ -= bytes;
        return true;
    }

    const UsedParts& used_;
    std::vector<Piece> pieces_;
    Piece current_;
    ByteCount bytes_ = 0; ///< of the current piece
    ByteCount budget_ = kMostScannedBytes;
    ByteCount leftOut_ = 0;
};

/// Reads memory in which pages may be unreadable.
class Reader {
  public:
    explicit Reader(const ReadMemory& read) : read_(read), words_(kPieceBytes / kWord + 2) {}

    /// Both limits are multiples of words. Unreadable parts read as zeros, which refer to nothing.
    void read(const Range& range) {
        range_ = range;
        holes_.clear(), hole_ = 0;
        const std::span bytes(reinterpret_cast<std::byte*>(words_.data()), static_cast<std::size_t>(range.bytes()));
        for (Address at = range.begin; at < range.end;) {
            const auto rest = bytes.subspan(static_cast<std::size_t>(at - range.begin));
            const auto got = std::min(read_(at, rest), rest.size());
            if (got == rest.size()) return;
            const auto from = at + got;
            at = std::min(range.end, (from / kResidentPageBytes + 1) * kResidentPageBytes);
            if (at <= from) at = range.end; // at the end of the address space
            addHole({from, at});
            std::ranges::fill(
                bytes.subspan(static_cast<std::size_t>(from - range.begin), static_cast<std::size_t>(at - from)),
                std::byte{0});
        }
    }
    [[nodiscard]] std::span<const std::uint64_t> words(const Range& part) const {
        return {words_.data() + (part.begin - range_.begin) / kWord, static_cast<std::size_t>(part.bytes() / kWord)};
    }
    /// Bytes of the part that were not readable. Parts are asked for in order.
    [[nodiscard]] ByteCount unreadIn(const Range& part) {
        while (hole_ < holes_.size() && holes_[hole_].end <= part.begin)
            ++hole_;
        ByteCount bytes = 0;
        for (auto i = hole_; i < holes_.size() && holes_[i].begin < part.end; ++i)
            bytes += holes_[i].within(part).bytes();
        return bytes;
    }

  private:
    void addHole(const Range& hole) {
        if (!holes_.empty() && holes_.back().end == hole.begin)
            holes_.back().end = hole.end;
        else
            holes_.push_back(hole);
    }

    const ReadMemory& read_;
    std::vector<std::uint64_t> words_;
    Range range_;
    std::vector<Range> holes_;
    std::size_t hole_ = 0; ///< the first that may be in the next part
};

/// The memory of all owners, and the pieces of it that are still to be read.
struct Work {
    const Memory& memory;
    std::span<PictureBlock> blocks;
    const RootAreas& roots;
    const ObjectTypes& types;
    const BlockIndex& index;
    std::vector<Piece> rootPieces = {}, blockPieces = {};
    std::vector<LargeVector<Reference>> found = {}; ///< for each of blockPieces
    LargeVector<std::uint32_t> counts = {};         ///< of references of each block, moved by one
    std::atomic<std::size_t> next = 0;

    [[nodiscard]] Range areaRange(std::uint32_t area) const { return {roots.areas[area].begin, roots.areas[area].end}; }
    [[nodiscard]] Range blockRange(std::uint32_t block) const {
        return {blocks[block].address, blocks[block].address + blocks[block].bytes};
    }
};

/// Which references from roots to a block a thread has seen.
class SeenRoots {
  public:
    /// Whether the result needs a further reference. Paths to a block that two roots refer to have no root in common,
    /// whichever others there are, except for the stack of two frames.
    bool add(std::uint32_t root, bool isCertain, const RootAreas& found) {
        const auto seen = value_ & kBoth, kind = isCertain ? kCertain : kPossible;
        const auto first = value_ / kOneRoot;
        const auto common = first == 0 ? root + 1 : first == kSeveral ? kSeveral : commonOf(first - 1, root, found);
        if ((seen & kind) != 0 && common == first) return false;
        value_ = common * kOneRoot | seen | kind;
        return true;
    }

  private:
    static std::uint32_t commonOf(std::uint32_t a, std::uint32_t b, const RootAreas& found) {
        if (a == b) return a + 1;
        return found.topOf(a) == found.topOf(b) ? found.topOf(a) + 1 : kSeveral;
    }
    static constexpr std::uint32_t kCertain = 1, kPossible = 2, kBoth = 3, kOneRoot = 4,
                                   kSeveral = 0xFFFFFFFF / kOneRoot;
    std::uint32_t value_ = 0; ///< kinds of references, and above them: no root, the number + 1 of one that all paths
                              ///< lead through, or several
};

/// What one thread finds. A thread gets pieces in ascending order, so that it may drop further references from roots to
/// a block.
class Scanner {
  public:
    Scanner(Work& work) : work_(work), reader_(work.memory.read), seen_(work.blocks.size()) {}

    void takePieces(const std::stop_token& stop) {
        const auto ofRoots = work_.rootPieces.size(), all = ofRoots + work_.blockPieces.size();
        for (auto i = work_.next++; i < all && !stop.stop_requested(); i = work_.next++)
            i < ofRoots ? scanRoots(work_.rootPieces[i]) : scanBlocks(i - ofRoots);
    }
    std::vector<RootReference> roots;
    ByteCount rootBytes = 0, unreadBytes = 0;

  private:
    void scanRoots(const Piece& piece) {
        const auto range = [&](std::uint32_t area) { return work_.areaRange(area); };
        const auto visit = [&](std::uint32_t area, const Range& words) {
            const auto unread = reader_.unreadIn(words);
            unreadBytes += unread, rootBytes += words.bytes() - unread;
            scanRootWords(area, words.begin, kWord, reader_.words(words));
        };
        for (auto area = piece.first; area < piece.last; ++area) {
            if (work_.roots.areas[area].kind == RootKind::Register)
                scanRootWords(area, 0, 1, work_.memory.threads[work_.roots.areas[area].thread].registers);
        }
        eachRun(piece, range, visit);
    }
    void scanRootWords(std::uint32_t area, Address address, Address step, std::span<const std::uint64_t> words) {
        for (const auto word : words) {
            const auto block = work_.index.find(word, place_);
            if (block != BlockIndex::kNone && !isStateOfMalloc(work_.roots.areas[area], word, work_.blocks[block])) {
                const Reference reference(block, word == work_.blocks[block].address);
                if (seen_[block].add(work_.roots.areas[area].root, reference.isCertain(), work_.roots))
                    roots.push_back({address, area, reference});
            }
            address += step;
        }
    }
    /// The free lists of glibc refer to the header of a free chunk, 16 bytes before the memory that it would hand out.
    /// The header begins in the last word of the block below if that has been requested up to its last bytes. Other
    /// data of libc refers to the last word of a block only if it refers to its start, too (buffers of files).
    static bool isStateOfMalloc(const RootArea& area, Address word, const PictureBlock& block) {
        constexpr Address kChunk = 16;
        return area.isOfCLibrary && word % kChunk == 0 && word != block.address &&
               block.address + block.bytes - word <= kWord;
    }

    void scanBlocks(std::size_t number) {
        found_.clear();
        const auto range = [&](std::uint32_t block) { return work_.blockRange(block); };
        const auto visit = [&](std::uint32_t block, const Range& words) {
            unreadBytes += reader_.unreadIn(words);
            const auto all = reader_.words(words);
            // Threads read addresses and sizes of all blocks meanwhile, but only this one has this word.
            if (words.begin == work_.blocks[block].address) work_.blocks[block].type = work_.types.find(all.front());
            for (const auto word : all) {
                const auto entry = work_.index.entryOf(word, place_);
                if (entry == BlockIndex::kNoEntry) continue;
                work_.index.prefetchEntry(entry);
                candidates_[candidateCount_++] = {word, entry, block};
                if (candidateCount_ == candidates_.size()) lookUpCandidates();
            }
        };
        eachRun(work_.blockPieces[number], range, visit);
        lookUpCandidates();
        countReferences();
        work_.found[number].assign(found_.begin(), found_.end());
    }
    /// Several at once, because each waits for memory twice.
    void lookUpCandidates() {
        const auto candidates = std::span(candidates_).first(std::exchange(candidateCount_, 0));
        for (const auto& candidate : candidates)
            work_.index.prefetchBlocks(candidate.entry);
        for (const auto& [word, entry, block] : candidates) {
            const auto target = work_.index.findIn(entry, word);
            if (target == BlockIndex::kNone) continue;
            if (block != owner_) countReferences();
            owner_ = block;
            const Reference reference(target, word == work_.blocks[target].address);
            if (ofOwner_ > 0 && found_.back() == reference) continue;
            found_.push_back(reference);
            ++ofOwner_;
        }
    }
    void countReferences() {
        const auto count = std::exchange(ofOwner_, 0);
        // Parts of a large block may be read by two threads.
        if (count > 0) std::atomic_ref(work_.counts[owner_ + 1]).fetch_add(count, std::memory_order_relaxed);
    }

    /// Reads owners that are near each other at once.
    template <typename RangeOf, typename Visit>
    void eachRun(const Piece& piece, const RangeOf& rangeOf, const Visit& visit) {
        const auto wordsOf = [&](std::uint32_t owner) { return rangeOf(owner).within(piece.limits).words(); };
        for (auto first = piece.first, end = first; first < piece.last; first = end) {
            auto run = wordsOf(first);
            for (end = first + 1; end < piece.last; ++end) {
                const auto words = wordsOf(end);
                if (words.bytes() == 0) continue;
                if (run.bytes() == 0) run = words;
                if (words.begin < run.begin || words.end < run.end || words.end - run.begin > kPieceBytes ||
                    (words.begin > run.end && words.begin - run.end > kLargestUnusedGap))
                    break;
                run.end = words.end;
            }
            if (run.bytes() == 0) continue;
            reader_.read(run);
            for (auto owner = first; owner < end; ++owner) {
                if (const auto words = wordsOf(owner); words.bytes() > 0) visit(owner, words);
            }
        }
    }

    Work& work_;
    Reader reader_;
    LargeVector<SeenRoots> seen_; ///< by block
    /// A word of a block that may be a reference.
    struct Candidate {
        Address word = 0;
        std::size_t entry = 0;
        std::uint32_t block = 0;
    };
    std::array<Candidate, 64> candidates_;
    std::size_t candidateCount_ = 0;
    std::vector<Reference> found_; ///< in the current piece
    std::uint32_t owner_ = 0;      ///< the block that contains the last ones
    std::uint32_t ofOwner_ = 0;    ///< how many of them
    std::size_t place_ = 0;
};

/// Joins the references of all pieces, which are in the order of blocks, with space for those of roots.
std::optional<Error> join(Work& work, ReferenceGraph& graph, std::size_t ofRoots) {
    std::uint64_t sum = ofRoots;
    for (const auto& piece : work.found)
        sum += piece.size();
    if (sum > 0xFFFFFFFF)
        return Error{ErrorKind::Unsupported, "The memory of the process contains more than 4 billion references to "
                                             "blocks, too many for Highwater."};
    graph.references.reserve(static_cast<std::size_t>(sum));
    for (auto& piece : work.found) {
        graph.references.insert(graph.references.end(), piece.begin(), piece.end());
        LargeVector<Reference>().swap(piece);
    }
    graph.first = std::move(work.counts);
    for (std::size_t i = 1; i < graph.first.size(); ++i)
        graph.first[i] += graph.first[i - 1];
    return std::nullopt;
}

void addRoots(std::vector<RootReference>& roots, const std::vector<RootReference>& more) {
    const auto size = static_cast<std::ptrdiff_t>(roots.size());
    roots.insert(roots.end(), more.begin(), more.end());
    std::ranges::inplace_merge(roots, roots.begin() + size, [](const RootReference& a, const RootReference& b) {
        return std::pair(a.area, a.address) < std::pair(b.area, b.address);
    });
}

} // namespace

Result<ScannedMemory> scanMemory(const Memory& memory, std::span<PictureBlock> blocks, const RootAreas& found,
                                 const ObjectTypes& types, const std::stop_token& stop) {
    const auto& areas = found.areas;
    const BlockIndex index(blocks);
    Work work{memory, blocks, found, types, index};
    const UsedParts used(memory.mappings);
    PieceCutter rootCutter(used), blockCutter(used);
    const auto areaCount = static_cast<std::uint32_t>(areas.size()),
               blockCount = static_cast<std::uint32_t>(blocks.size());
    for (std::uint32_t i = 0; i < areaCount; ++i) {
        if (i > 0 && areas[i].kind != areas[i - 1].kind) rootCutter.finish(i); // registers are no memory
        rootCutter.add(i, work.areaRange(i));
    }
    auto unscanned = found.unscanned.begin();
    for (std::uint32_t i = 0; i < blockCount; ++i) {
        if (unscanned != found.unscanned.end() && *unscanned == i) {
            blockCutter.finish(i + 1);
            ++unscanned;
        } else {
            blockCutter.add(i, work.blockRange(i));
        }
    }
    work.rootPieces = rootCutter.finished(areaCount);
    work.blockPieces = blockCutter.finished(blockCount);
    work.found.resize(work.blockPieces.size());
    work.counts.reserve(blocks.size() + 1 + areas.size()); // with space for roots
    work.counts.resize(blocks.size() + 1);

    std::vector<std::unique_ptr<Scanner>> scanners(2);
    for (auto& scanner : scanners)
        scanner = std::make_unique<Scanner>(work);
    onThreads(scanners.size(), [&](std::size_t worker) { scanners[worker]->takePieces(stop); });
    if (stop.stop_requested()) return cancelled();

    ScannedMemory scanned;
    scanned.unreadBytes = rootCutter.leftOut() + blockCutter.leftOut();
    for (const auto& scanner : scanners) {
        addRoots(scanned.roots, scanner->roots);
        scanned.rootBytes += scanner->rootBytes;
        scanned.unreadBytes += scanner->unreadBytes;
    }
    if (auto error = join(work, scanned.graph, scanned.roots.size() + found.roots())) return std::move(*error);
    return scanned;
}

} // namespace highwater::references
