#include "core/references/references.h"

#include "core/base/on_threads.h"
#include "core/base/within_memory.h"
#include "core/references/dominators.h"
#include "core/references/heap_chunks.h"
#include "core/references/marking.h"
#include "core/references/memory_scan.h"
#include "core/references/object_types.h"
#include "core/references/root_areas.h"
#include "core/references/root_nodes.h"
#include "core/references/stop_watch.h"
#include "core/references/variable_areas.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace highwater::references {
namespace {

constexpr std::size_t kMostBlocks = (std::size_t{1} << 31) - 1; // numbers of blocks have 31 bits in a Reference
constexpr std::uint32_t kMostRoots = 1 << 29;                   // numbers of roots have 30 bits in the scan

Error tooManyBlocks() {
    return {ErrorKind::Unsupported, "The process has more than 2 billion blocks, too many for Highwater."};
}

Error tooManyVariables() {
    return {ErrorKind::Unsupported, "The process has more than 500 million variables, too many for Highwater."};
}

/// Of the same address, the largest first.
bool isBefore(const Block& a, const Block& b) { return std::pair(a.address, b.bytes) < std::pair(b.address, a.bytes); }

void sortByAddress(std::vector<Block>& blocks) {
    if (std::ranges::is_sorted(blocks, isBefore)) return;
    const auto middle = blocks.begin() + static_cast<std::ptrdiff_t>(blocks.size() / 2);
    std::atomic<int> next = 0;
    onThreads(2, [&](std::size_t) {
        for (auto half = next++; half < 2; half = next++)
            half == 0 ? std::sort(blocks.begin(), middle, isBefore) : std::sort(middle, blocks.end(), isBefore);
    });
    std::inplace_merge(blocks.begin(), middle, blocks.end(), isBefore);
}

/// Adds those that do not overlap a block. Both are by address, and so is the result.
void addUnknown(std::vector<Block>& blocks, const std::vector<Block>& found) {
    const auto known = static_cast<std::ptrdiff_t>(blocks.size());
    std::ptrdiff_t next = 0;
    Address reached = 0; // the end of the known blocks that begin at or below the found one
    for (const auto& some : found) {
        for (; next < known && blocks[next].address <= some.address; ++next)
            reached = std::max(reached, blocks[next].address + std::max<ByteCount>(blocks[next].bytes, 1));
        const bool isFollowed = next < known && blocks[next].address - some.address < some.bytes;
        if (reached <= some.address && !isFollowed) blocks.push_back(some);
    }
    std::inplace_merge(blocks.begin(), blocks.begin() + known, blocks.end(), isBefore);
}

/// The blocks by address, without those that overlap a lower one. Blocks end with the address space.
std::vector<PictureBlock> pictureBlocks(std::vector<Block> blocks) {
    sortByAddress(blocks);
    std::vector<PictureBlock> ordered;
    ordered.reserve(blocks.size());
    for (const auto& [address, bytes] : blocks) {
        if (!ordered.empty() && address < ordered.back().address + std::max<ByteCount>(ordered.back().bytes, 1))
            continue;
        if (!ordered.empty() && address == ordered.back().address) continue; // at the very end, where the sum overflows
        ordered.push_back({.address = address, .bytes = std::min(bytes, ~Address{0} - address)});
    }
    return ordered;
}

/// Adds these roots, with those of the names that they have.
class RootNaming {
  public:
    RootNaming(MemoryPicture& picture, RootAreas found, std::span<const CopiedThread> threads)
        : picture_(picture), found_(std::move(found)), threads_(threads), numbers_(found_.names.size(), kNotNamed) {}

    /// `kept`: numbers of the nodes, ascending.
    void add(const std::vector<std::uint32_t>& kept, const std::vector<RootNode>& nodes) {
        picture_.roots.reserve(kept.size());
        for (const auto number : kept) {
            const auto& [area, parent] = nodes[number];
            if (parent == RootAreas::kNoParent) {
                picture_.roots.push_back(rootOf(found_.areas[area], false));
                continue;
            }
            auto& root = picture_.roots.emplace_back(rootOf(found_.areas[area], true));
            root.parent = static_cast<std::uint32_t>(std::ranges::lower_bound(kept, parent) - kept.begin());
        }
    }

  private:
    static constexpr auto kNotNamed = PictureBlock::kNone;

    [[nodiscard]] PictureRoot rootOf(const RootArea& area, bool isFrame) {
        PictureRoot root;
        root.address = area.begin;
        root.kind = area.kind;
        if (area.thread == RootArea::kNoThread) {
            root.name = root.threadName = numberOf(area.name);
            return root;
        }
        root.thread = threads_[area.thread].tid;
        root.threadName = numberOf(found_.threadNames + area.thread);
        const bool isStackOfFrame = area.code != 0 && !isFrame; // the area is that of its first frame
        root.name = isStackOfFrame ? root.threadName : numberOf(area.name);
        if (isFrame) root.code = area.code;
        return root;
    }
    [[nodiscard]] std::uint32_t numberOf(std::uint32_t name) {
        auto& number = numbers_[name];
        if (number == kNotNamed) {
            number = static_cast<std::uint32_t>(picture_.names.size());
            picture_.names.push_back(std::move(found_.names[name]));
        }
        return number;
    }

    MemoryPicture& picture_;
    RootAreas found_;
    std::span<const CopiedThread> threads_;
    std::vector<std::uint32_t> numbers_; ///< in the picture, by number in found_
};

/// Those that hold a block, and their parents. Roots that dominate one are among them, because each path to it leads
/// through them, also that of holders.
std::vector<std::uint32_t> keptRoots(std::vector<std::uint32_t> holding, const std::vector<RootNode>& nodes) {
    const auto count = holding.size();
    for (std::size_t i = 0; i < count; ++i)
        if (const auto parent = nodes[holding[i]].parent; parent != RootAreas::kNoParent) holding.push_back(parent);
    std::ranges::sort(holding);
    const auto same = std::ranges::unique(holding);
    holding.erase(same.begin(), same.end());
    return holding;
}

/// `kept`: the numbers of those that the picture contains, ascending.
void renumberRoots(std::vector<PictureBlock>& blocks, const std::vector<std::uint32_t>& kept, std::size_t roots) {
    if (kept.size() == roots) return;
    const auto count = static_cast<std::uint32_t>(blocks.size());
    std::vector<std::uint32_t> numbers(roots, PictureBlock::kNone);
    for (std::size_t i = 0; i < kept.size(); ++i)
        numbers[kept[i]] = count + static_cast<std::uint32_t>(i);
    for (auto& block : blocks) {
        for (auto* const link : {&block.holder, &block.dominator})
            if (*link >= count && *link != PictureBlock::kNone) *link = numbers[*link - count];
    }
}

/// Only names of types that a block has are kept, each once: several modules may have the table of a class.
void addTypes(MemoryPicture& picture, const ObjectTypes& types) {
    std::vector<std::uint32_t> numbers(types.size());
    std::map<std::string_view, std::uint32_t> known;
    for (auto& block : picture.blocks) {
        if (block.type == 0) continue;
        auto& number = numbers[block.type - 1];
        if (number == 0) {
            const auto& name = types.name(block.type - 1);
            const auto [same, isNew] = known.try_emplace(name, static_cast<std::uint32_t>(known.size()) + 1);
            if (isNew) picture.types.push_back(name);
            number = same->second;
        }
        block.type = number;
    }
}

/// Marks the blocks and finds the dominators of those that roots reach, at the same time: both wait for memory, and set
/// different fields. Dominators of leaked blocks follow.
Result<Marked> markAndDominate(std::span<PictureBlock> blocks, const ReferenceGraph& graph, const RootNodes& rootNodes,
                               const std::stop_token& stop) {
    DominatorSearch dominators(blocks, graph, stop);
    std::vector<std::uint32_t> roots;
    for (std::size_t i = 0; i < rootNodes.nodes.size(); ++i)
        if (rootNodes.nodes[i].parent == RootAreas::kNoParent)
            roots.push_back(static_cast<std::uint32_t>(blocks.size() + i));
    std::optional<Result<Marked>> marked;
    std::optional<Result<void>> dominated;
    std::atomic<int> next = 0;
    onThreads(2, [&](std::size_t) {
        for (auto part = next++; part < 2; part = next++) {
            if (part == 0)
                dominated.emplace(dominators.findFrom(roots));
            else
                marked.emplace(markBlocks(blocks, graph, rootNodes.links, stop));
        }
    });
    TRY(std::move(*dominated));
    auto found = TRY(std::move(*marked));
    TRY(dominators.findFrom(found.heads));
    return found;
}

Result<MemoryPicture> pictureOf(Memory memory, const std::stop_token& stop) {
    MemoryPicture picture;
    picture.threads = static_cast<std::uint32_t>(memory.threads.size());
    HeapChunks unknown;
    if (memory.hasUnknownBlocks) {
        unknown = memory.chunks ? *std::move(memory.chunks) : findHeapChunks(memory.mappings, memory.read, stop);
        sortByAddress(memory.blocks);
        addUnknown(memory.blocks, unknown.blocks);
        if (memory.blocks.size() > kMostBlocks) return tooManyBlocks();
    }
    picture.blocks = pictureBlocks(std::move(memory.blocks));
    if (stop.stop_requested()) return cancelled();
    auto areas = findRootAreas(memory.mappings, memory.threads, picture.blocks,
                               {.hasUnknownBlocks = memory.hasUnknownBlocks,
                                .knownHeaps = unknown.heaps,
                                .threadLocalBytes = memory.threadLocalBytes,
                                .threadLocals = memory.threadLocals,
                                .endedStacks = memory.endedStacks,
                                .modules = memory.modules});
    // Without a heap of glibc, the program has another allocator.
    picture.hasUnknownBlocks = areas.searchesHeaps || (memory.hasUnknownBlocks && unknown.heaps.empty());
    splitByVariables(areas, std::move(memory.variables));
    numberRoots(areas);
    if (areas.roots() > kMostRoots) return tooManyVariables();
    const ObjectTypes types(std::move(memory.virtualTables), memory.read);
    auto scanned = TRY(scanMemory(memory, picture.blocks, areas, types, stop));
    addTypes(picture, types);
    picture.rootBytes = scanned.rootBytes;
    picture.unreadBytes = scanned.unreadBytes + areas.leftOut;
    const auto roots = addRootNodes(scanned.graph, scanned.roots, areas);
    const auto marked = TRY(markAndDominate(picture.blocks, scanned.graph, roots, stop));
    const auto kept = keptRoots(marked.holdingRoots, roots.nodes);
    renumberRoots(picture.blocks, kept, roots.nodes.size());
    RootNaming(picture, std::move(areas), memory.threads).add(kept, roots.nodes);
    return picture;
}

} // namespace

Result<MemoryPicture> findReferences(Memory memory, const std::stop_token& stop) {
    if (memory.blocks.size() > kMostBlocks) return tooManyBlocks();
    if (memory.variables.size() > kMostRoots || memory.virtualTables.size() > kMostRoots) return tooManyVariables();
    if (!isValid(memory.mappings))
        return Error{ErrorKind::Unsupported, "The mappings of the process overlap or are not pages."};
    return withinMemory([&] { return pictureOf(std::move(memory), stop); });
}

} // namespace highwater::references
