#include "core/references/root_areas.h"

#include "core/base/text.h"
#include "core/event/allocator_libraries.h"
#include "core/event/mapping_names.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_set>

namespace highwater::references {
namespace {

using namespace mapping_flag;

constexpr Address kArenaBytes = Address{64} << 20;
constexpr Address kLargestArea = Address{8} << 30;
/// The control block of glibc (struct pthread) has 2304 bytes on x86-64, and ends the memory of a stack.
constexpr Address kControlBlockBytes = 4096;
/// glibc reserves this much below the control block in addition to the thread-local data of all modules.
constexpr Address kThreadLocalBytes = 1664;
constexpr Address kMostAgentData = 1 << 20;

constexpr std::array<std::string_view, 4> kCLibraries{"libc.so", "libc-2.", "ld-musl-", "libc.musl"};

bool beginsWithAny(std::string_view name, std::span<const std::string_view> starts) {
    return std::ranges::any_of(starts, [&](std::string_view start) { return name.starts_with(start); });
}

bool isWritable(const Mapping& mapping) { return (mapping.flags & (kRead | kWrite)) == (kRead | kWrite); }
bool isInaccessible(const Mapping& mapping) { return (mapping.flags & (kRead | kWrite | kExecute)) == 0; }
bool isPrivateFile(const Mapping& mapping) { return (mapping.flags & (kFile | kShared)) == kFile; }

/// Limits cannot overflow: mappings end at multiples of pages, far below the largest address or at 0.
Address above(Address address, Address bytes) {
    const auto sum = address + bytes;
    return sum < address ? ~Address{0} : sum;
}
Address below(Address address, Address bytes) { return address < bytes ? 0 : address - bytes; }
Address roundedUp(Address address, Address unit) {
    const auto rest = address % unit;
    return rest == 0 ? address : above(address, unit - rest);
}

/// A mapping, or the arena at its end, which the system has merged with the memory below.
struct Part {
    Address begin = 0;
    Address end = 0;
    const Mapping* mapping = nullptr;
    bool isArena = false;
    std::optional<std::uint32_t> module = std::nullopt; ///< whose data it is
};

/// Memory whose use is known, whatever mapping it is in.
struct KnownPart {
    Address anchor = 0; ///< it ends with the mapping that contains this address
    Address begin = 0;
    Address end = 0;
    std::uint32_t name = 0;
    std::uint32_t thread = RootArea::kNoThread; ///< kNoThread: not searched
};

class AreaFinder {
  public:
    AreaFinder(const ResidentSample& sample, std::span<const CopiedThread> threads,
               std::span<const PictureBlock> blocks, const RootLimits& limits)
        : sample_(sample),
          threads_(threads),
          blocks_(blocks),
          limits_(limits),
          threadLocalBytes_(std::max(kThreadLocalBytes, limits.threadLocalBytes)) {
        found_.names = sample.names;
        for (const auto& mapping : sample.mappings) {
            if ((mapping.flags & kExecute) != 0 && isPrivateFile(mapping)) withCode_.insert(mapping.name);
        }
        found_.threadNames = static_cast<std::uint32_t>(found_.names.size());
        for (const auto& thread : threads)
            found_.names.push_back(thread.name);
        byStackPointer_.resize(threads.size());
        std::iota(byStackPointer_.begin(), byStackPointer_.end(), 0U);
        std::ranges::stable_sort(byStackPointer_, {}, [&](std::uint32_t i) { return threads_[i].stackPointer; });
    }

    RootAreas find() {
        findKnownParts();
        for (std::size_t i = 0; i < sample_.mappings.size(); ++i) {
            noteModule(i);
            if (isSearched(sample_.mappings[i])) searchMapping(i);
        }
        addStacksInBlocks();
        for (std::uint32_t i = 0; i < threads_.size(); ++i)
            found_.areas.push_back({0, 0, RootKind::Register, false, threadName(i), i});
        std::ranges::sort(found_.areas, {},
                          [](const RootArea& area) { return std::tuple(area.kind, area.begin, area.thread); });
        return std::move(found_);
    }

  private:
    /// Follows which module the memory belongs to: its file, and memory without a file behind it.
    void noteModule(std::size_t i) {
        const auto& mapping = sample_.mappings[i];
        const auto& name = sample_.nameOf(mapping);
        const auto* const before = i > 0 ? &sample_.mappings[i - 1] : nullptr;
        const bool mayBeRest = (mapping.flags & (kFile | kShared)) == 0 && (name.empty() || name.starts_with("[anon"));
        const bool follows = before != nullptr && before->end == mapping.begin;
        // Behind a file that is only read there may be any memory.
        const bool isBehindModule = module_ && follows && mapping.begin < dataEnd_ && isWritable(mapping) &&
                                    (isWritable(*before) || withCode_.contains(*module_));
        if (isPrivateFile(mapping)) {
            module_ = mapping.name;
            dataEnd_ = dataEndAt(mapping.begin);
        } else if (!mayBeRest || !isBehindModule || isMergedWithAgent(mapping)) {
            module_ = std::nullopt;
        }
    }
    /// Of the module at this address.
    [[nodiscard]] Address dataEndAt(Address address) const {
        const auto next = std::ranges::upper_bound(limits_.modules, address, {}, &ModuleData::begin);
        return next == limits_.modules.begin() ? kUnknownEnd : std::prev(next)->end;
    }
    /// Where memory begins that does not belong to the module.
    [[nodiscard]] Address dataEndIn(const Mapping& mapping) const {
        if (!module_) return mapping.begin;
        return isPrivateFile(mapping) ? mapping.end : std::clamp(dataEnd_, mapping.begin, mapping.end);
    }
    /// Whether memory behind the agent is so large that most of it belongs to the program.
    [[nodiscard]] bool isMergedWithAgent(const Mapping& mapping) const {
        return dataEnd_ == kUnknownEnd && isAgentMapping(sample_.names[*module_]) &&
               mapping.end - mapping.begin > kMostAgentData;
    }
    [[nodiscard]] bool isSearched(const Mapping& mapping) const {
        const auto& name = sample_.nameOf(mapping);
        if (!isWritable(mapping) || isAgentMapping(name)) return false;
        return (mapping.flags & (kShared | kFile)) != (kShared | kFile) || isSharedMemoryName(name);
    }
    [[nodiscard]] bool isDataSearched(std::uint32_t module) const {
        const auto& file = sample_.names[module];
        return !isAgentMapping(file) && !beginsWithAny(fileName(file), kAllocatorLibraries);
    }
    [[nodiscard]] bool isSearched(const ThreadLocalBlock& data) const {
        return data.name == ThreadLocalBlock::kOfThread || isDataSearched(data.name);
    }
    [[nodiscard]] std::uint32_t nameOf(const ThreadLocalBlock& data) const {
        return data.name == ThreadLocalBlock::kOfThread ? threadName(data.thread) : data.name;
    }
    /// An allocation of Windows, which the system does not join with others.
    [[nodiscard]] bool isAllocation(const Mapping& mapping) const { return sample_.nameOf(mapping) == kPrivateMemory; }
    /// Where the arena of glibc at the end of the mapping begins; the end of the mapping if it has none.
    [[nodiscard]] Address arenaIn(std::size_t i) const {
        const auto& mapping = sample_.mappings[i];
        if ((mapping.flags & (kFile | kShared)) != 0 || i + 1 == sample_.mappings.size() || isAllocation(mapping))
            return mapping.end;
        const auto start = (mapping.end - 1) / kArenaBytes * kArenaBytes;
        const auto& rest = sample_.mappings[i + 1];
        const bool isArena = start >= mapping.begin && rest.begin == mapping.end && isInaccessible(rest) &&
                             (rest.flags & kFile) == 0 && rest.end - start >= kArenaBytes;
        return isArena ? start : mapping.end;
    }

    void searchMapping(std::size_t i) {
        const auto& mapping = sample_.mappings[i];
        const auto data = dataEndIn(mapping), arena = std::max(arenaIn(i), data);
        if (module_ && isDataSearched(*module_)) searchPart({mapping.begin, data, &mapping, false, module_});
        searchPart({data, arena, &mapping, false});
        searchPart({arena, mapping.end, &mapping, true});
    }
    void searchPart(const Part& part) {
        if (part.begin >= part.end) return;
        const auto stacks = stacksIn(part);
        Address reached = part.begin;
        auto known = std::ranges::lower_bound(knownParts_, part.begin, {}, &KnownPart::anchor);
        for (; known != knownParts_.end() && known->anchor < part.end; ++known) { // what is not known is between
            const auto begin = std::max(known->begin, reached), end = std::min(known->end, part.end);
            if (begin >= end) continue;
            searchRest(part, reached, begin, stacks);
            if (known->thread != RootArea::kNoThread)
                add(begin, end, RootKind::ThreadLocal, known->name, known->thread);
            reached = end;
        }
        searchRest(part, reached, part.end, stacks);
    }
    void findKnownParts() {
        std::vector<bool> areListed(threads_.size());
        for (const auto& block : limits_.threadLocals) {
            areListed[block.thread] = true;
            if (const auto* const around = blockAt(block.begin))
                addBlockOfThread(*around, block);
            else
                knownParts_.push_back({block.begin, block.begin, block.end, nameOf(block),
                                       isSearched(block) ? block.thread : RootArea::kNoThread});
        }
        for (std::uint32_t i = 0; i < threads_.size(); ++i)
            if (threads_[i].threadPointer != 0) addControlBlock(i, areListed[i]);
        for (const auto& stack : limits_.endedStacks) {
            constexpr auto kUnsearched = RootArea::kNoThread;
            const auto behind = above(stack.vector, kWord);
            // It begins with inaccessible memory, which is a mapping of its own.
            knownParts_.push_back({stack.vector, stack.memory.begin, stack.vector, 0, kUnsearched});
            knownParts_.push_back({behind, behind, stack.memory.end, 0, kUnsearched});
            for (const auto data : stack.threadLocals)
                if (const auto* const block = blockAt(data)) addUnscanned(*block);
        }
        std::ranges::sort(knownParts_, {}, [](const KnownPart& part) { return std::tuple(part.anchor, part.thread); });
        std::ranges::sort(found_.unscanned);
        const auto same = std::ranges::unique(found_.unscanned);
        found_.unscanned.erase(same.begin(), same.end());
    }
    void addControlBlock(std::uint32_t thread, bool isDataKnown) {
        const auto pointer = threads_[thread].threadPointer, stack = threads_[thread].stackPointer;
        auto begin = isDataKnown ? pointer : below(pointer, threadLocalBytes_);
        // The stack pointer is below all thread-local data of its thread.
        if (stack <= pointer) begin = std::max(begin, stack);
        knownParts_.push_back({pointer, begin, above(pointer, kControlBlockBytes), threadName(thread), thread});
    }
    /// Of a library that was loaded later.
    void addBlockOfThread(const PictureBlock& block, const ThreadLocalBlock& data) {
        addUnscanned(block);
        if (!isSearched(data)) return;
        const auto end = std::min(data.end, block.address + block.bytes);
        addWords(data.begin, end, RootKind::ThreadLocal, nameOf(data), data.thread);
    }
    void addUnscanned(const PictureBlock& block) {
        found_.unscanned.push_back(static_cast<std::uint32_t>(&block - blocks_.data()));
    }
    /// Searches [begin, end) of a part, in which no control block is.
    void searchRest(const Part& part, Address begin, Address end, std::span<const std::uint32_t> stacks) {
        if (begin >= end) return;
        if (part.module) return add(begin, end, RootKind::Variable, *part.module, RootArea::kNoThread);
        if (!stacks.empty()) return searchStacks(part, begin, end, stacks);
        const bool isHeap = this->isHeap(part);
        if (isHeap && !limits_.hasUnknownBlocks) return;
        auto known = std::ranges::upper_bound(limits_.knownHeaps, begin, {}, &AddressRange::end);
        for (; known != limits_.knownHeaps.end() && known->begin < end; ++known) {
            searchMapping(part, begin, known->begin, isHeap);
            begin = known->end;
        }
        searchMapping(part, begin, end, isHeap);
    }
    void searchMapping(const Part& part, Address begin, Address end, bool isHeap) {
        if (begin >= end) return;
        if (const auto used = usedIn(part); used > kLargestArea) {
            found_.leftOut += std::min(used, end - begin);
            return;
        }
        add(begin, end, RootKind::Mapping, part.mapping->name, RootArea::kNoThread);
        found_.searchesHeaps |= isHeap;
    }
    /// Bytes of the part that were ever touched.
    [[nodiscard]] static ByteCount usedIn(const Part& part) {
        const auto& mapping = *part.mapping;
        if ((mapping.flags & kPages) == 0) return part.end - part.begin;
        ByteCount used = 0;
        mapping.pages.each([&](std::uint64_t page, std::uint64_t pages) {
            const auto begin = std::max(mapping.begin + page * kResidentPageBytes, part.begin),
                       end = std::min(mapping.begin + (page + pages) * kResidentPageBytes, part.end);
            if (begin < end) used += end - begin;
        });
        return used;
    }
    /// [begin, end) is above the control blocks of some threads, and below those of others.
    void searchStacks(const Part& part, Address begin, Address end, std::span<const std::uint32_t> stacks) {
        for (std::size_t i = 0; i < stacks.size() && begin < end; ++i) {
            const auto& thread = threads_[stacks[i]];
            const auto next = i + 1 < stacks.size() ? threads_[stacks[i + 1]].stackPointer : part.end;
            if (next <= begin) continue;
            const auto stack = std::clamp(thread.stackPointer, begin, end);
            if (stack > begin && !isOwnStack(part, thread, next))
                add(begin, stack, RootKind::Mapping, part.mapping->name, RootArea::kNoThread);
            // Memory behind the control block of this thread is below the stack pointer of the next one.
            const bool isBehind = thread.threadPointer >= thread.stackPointer && thread.threadPointer < stack;
            if (isBehind && i + 1 < stacks.size()) continue;
            const auto top = std::min(next, end);
            add(stack, top, isBehind ? RootKind::ThreadLocal : RootKind::Stack, threadName(stacks[i]), stacks[i]);
            begin = std::max(begin, top);
        }
    }
    /// Whether the thread was started on this stack, so that memory below its stack pointer is unused.
    [[nodiscard]] bool isOwnStack(const Part& part, const CopiedThread& thread, Address next) const {
        return thread.threadPointer == 0 ||
               (thread.threadPointer >= thread.stackPointer && thread.threadPointer < next) ||
               sample_.nameOf(*part.mapping).starts_with("[stack");
    }
    [[nodiscard]] bool isHeap(const Part& part) const {
        return part.isArena || sample_.nameOf(*part.mapping) == "[heap]" || hasHeapBlock(part);
    }
    /// A block that is not alone in a mapping of its own. The system merges such mappings with other memory of the
    /// program.
    [[nodiscard]] bool hasHeapBlock(const Part& part) const {
        if (isAllocation(*part.mapping)) return firstBlockIn(part.begin, part.end) != nullptr;
        const auto* const last = blocks_.data() + blocks_.size();
        for (const auto* block = firstBlockIn(part.begin, part.end);
             block != nullptr && block != last && block->address < part.end; ++block)
            if (!mayHaveOwnMapping(*block)) return true;
        return false;
    }
    /// glibc: the mapping begins 16 bytes before the block, or somewhere before a block with an alignment. Such a block
    /// is large; at the same size and address, glibc and other allocators can have it in a heap, but not it alone.
    [[nodiscard]] static bool mayHaveOwnMapping(const PictureBlock& block) {
        constexpr Address kBeforeBlock = 16, kSmallestAlignment = 32;
        constexpr ByteCount kSmallest = 128 << 10; // the least that gets a mapping by default
        return block.address % kResidentPageBytes == kBeforeBlock ||
               (block.bytes >= kSmallest && block.address % kSmallestAlignment == 0);
    }

    /// Threads that run on memory of the part, and not in one of its blocks.
    [[nodiscard]] std::vector<std::uint32_t> stacksIn(const Part& part) const {
        const auto pointerOf = [&](std::uint32_t i) { return threads_[i].stackPointer; };
        const auto first = std::ranges::lower_bound(byStackPointer_, std::max<Address>(part.begin, 1), {}, pointerOf);
        const auto last = std::ranges::lower_bound(first, byStackPointer_.end(), part.end, {}, pointerOf);
        std::vector<std::uint32_t> stacks;
        std::copy_if(first, last, std::back_inserter(stacks),
                     [&](std::uint32_t i) { return blockAt(threads_[i].stackPointer) == nullptr; });
        return stacks;
    }
    void addStacksInBlocks() {
        for (std::size_t i = 0; i < byStackPointer_.size(); ++i) {
            const auto stack = threads_[byStackPointer_[i]].stackPointer;
            const auto* const block = blockAt(stack);
            if (block == nullptr) continue;
            auto end = block->address + block->bytes;
            if (i + 1 < byStackPointer_.size()) end = std::min(end, threads_[byStackPointer_[i + 1]].stackPointer);
            addWords(stack, end, RootKind::Stack, threadName(byStackPointer_[i]), byStackPointer_[i]);
        }
    }

    /// The block that contains the address.
    [[nodiscard]] const PictureBlock* blockAt(Address address) const {
        const auto next = std::ranges::upper_bound(blocks_, address, {}, &PictureBlock::address);
        if (next == blocks_.begin()) return nullptr;
        const auto& block = *std::prev(next);
        return address - block.address < block.bytes ? &block : nullptr;
    }
    /// The first block with bytes in [begin, end).
    [[nodiscard]] const PictureBlock* firstBlockIn(Address begin, Address end) const {
        if (const auto* const block = blockAt(begin)) return block;
        auto next = std::ranges::lower_bound(blocks_, begin, {}, &PictureBlock::address);
        return next != blocks_.end() && next->address < end ? &*next : nullptr;
    }

    /// Adds [begin, end) without blocks.
    void add(Address begin, Address end, RootKind kind, std::uint32_t name, std::uint32_t thread) {
        const auto* block = firstBlockIn(begin, end);
        const auto* const last = blocks_.data() + blocks_.size();
        for (; block != nullptr && block != last && block->address < end; ++block) {
            addWords(begin, block->address, kind, name, thread);
            begin = std::max(begin, block->address + block->bytes);
        }
        addWords(begin, end, kind, name, thread);
    }
    void addWords(Address begin, Address end, RootKind kind, std::uint32_t name, std::uint32_t thread) {
        begin = roundedUp(begin, kWord);
        end = end / kWord * kWord;
        if (begin >= end) return;
        const bool isOfCLibrary =
            kind == RootKind::Variable && beginsWithAny(fileName(found_.names[name]), kCLibraries);
        found_.areas.push_back({begin, end, kind, isOfCLibrary, name, thread});
    }
    [[nodiscard]] std::uint32_t threadName(std::uint32_t thread) const { return found_.threadNames + thread; }

    const ResidentSample& sample_;
    std::span<const CopiedThread> threads_;
    std::span<const PictureBlock> blocks_;
    RootLimits limits_;
    Address threadLocalBytes_;
    std::unordered_set<std::uint32_t> withCode_; ///< names of files with an executable mapping
    std::vector<std::uint32_t> byStackPointer_;
    std::vector<KnownPart> knownParts_;   ///< by anchor
    std::optional<std::uint32_t> module_; ///< of the current mapping
    Address dataEnd_ = kUnknownEnd;       ///< of that module
    RootAreas found_;
};

} // namespace

RootAreas findRootAreas(const ResidentSample& mappings, std::span<const CopiedThread> threads,
                        std::span<const PictureBlock> blocks, const RootLimits& limits) {
    return AreaFinder(mappings, threads, blocks, limits).find();
}

} // namespace highwater::references
