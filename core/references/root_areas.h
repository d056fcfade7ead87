#pragma once

#include "core/base/units.h"
#include "core/event/copied_thread.h"
#include "core/event/memory_picture.h"
#include "core/event/resident_sample.h"
#include "core/references/process_memory.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace highwater::references {

inline constexpr Address kWord = 8; ///< references are at multiples of this

/// Memory outside of blocks whose words may refer to blocks: [begin, end), whole words.
struct RootArea {
    static constexpr std::uint32_t kNoThread = 0xFFFFFFFF;

    Address begin = 0; ///< of the registers of a thread: begin and end are 0
    Address end = 0;
    RootKind kind = RootKind::Mapping;
    bool isOfCLibrary = false;        ///< has the state of its malloc, which refers to free memory
    std::uint32_t name = 0;           ///< number in RootAreas::names
    std::uint32_t thread = kNoThread; ///< number of the thread
    std::uint32_t root = 0;           ///< number of the root to which it belongs, set by numberRoots()
    Address code = 0;                 ///< of a frame: an instruction of its function
    friend bool operator==(const RootArea&, const RootArea&) = default;
};

struct RootAreas {
    std::vector<std::string> names; ///< of files, mappings, threads and variables
    std::uint32_t threadNames = 0;  ///< number of the name of the first thread
    std::vector<RootArea> areas;    ///< by kind, then by address; they do not overlap
    ByteCount leftOut = 0;          ///< at most, of mappings that use too much memory to be searched
    bool searchesHeaps = false;     ///< because of RootLimits::hasUnknownBlocks
    /// Blocks whose contents are no references: thread-local data, which belongs to areas, or that of ended threads.
    std::vector<std::uint32_t> unscanned = {}; ///< ascending
    /// For each root, set by numberRoots(): of a frame, the root of its stack, which has a lower number and perhaps no
    /// area of its own; of others, kNoParent.
    std::vector<std::uint32_t> parents = {};

    static constexpr std::uint32_t kNoParent = PictureRoot::kNoParent;
    [[nodiscard]] std::uint32_t roots() const { return static_cast<std::uint32_t>(parents.size()); }
    /// The root itself, or the stack that it is a frame of.
    [[nodiscard]] std::uint32_t topOf(std::uint32_t root) const {
        return parents[root] == kNoParent ? root : parents[root];
    }
};

/// What is known about the process beside its memory.
struct RootLimits {
    /// Some blocks are not known, as in a process that ran before it was recorded: memory of allocators between known
    /// blocks is searched as well, because unknown blocks may be there.
    bool hasUnknownBlocks = false;
    std::span<const AddressRange> knownHeaps = {}; ///< all blocks are known there; by address, without overlaps
    ByteCount threadLocalBytes = 0; ///< of the program, below the control block of each thread; 0: not known
    /// Of a thread that has some, these are all, and none is guessed. In any order, without overlaps.
    std::span<const ThreadLocalBlock> threadLocals = {};
    std::span<const EndedStack> endedStacks = {}; ///< in any order, without overlaps
    /// By address. The data of a module that is not among them ends with the mapping behind its file.
    std::span<const ModuleData> modules = {};
};

/// Finds the memory of a process that its blocks can be reached from: writable mappings that are private, or shared
/// but without a file of their own, without
/// - memory of Highwater's agent, and data of libraries that replace malloc;
/// - `blocks`, which are by address and do not overlap;
/// - stacks of ended threads, except for the word that refers to their list of thread-local data;
/// - stack memory below the stack pointer. If several threads have their stacks in one mapping, each stack ends with
///   the control block of its thread, or at the next stack pointer if the control block is not there. A thread whose
///   control block is known to be elsewhere runs on a stack that the program made (coroutines, signals): memory below
///   its stack pointer may be other such stacks and is searched. If the stack pointer is in a block, the block from
///   there on is a stack, too;
/// - memory of allocators between blocks, whose pointers are stale: mappings that contain blocks other than those of
///   glibc with a mapping of their own, "[heap]" and arenas
/// of
///   glibc (from a multiple of 64 MB on, followed by the reserved rest of these 64 MB), and allocations of Windows
///   (kPrivateMemory) that contain a block;
/// - mappings of which more than 8 GB were touched, or, where that is not known, that are larger.
/// The control block of a thread and its thread-local data are searched in all mappings and blocks. If they are not
/// known, memory up to the surplus that glibc always reserves below the control block is ThreadLocal, memory below is
/// Stack.
/// There is no red zone: code that has no frame keeps pointers in registers, too, and the memory is usually stale.
/// Time: mappings, threads, and blocks outside of heaps. Any thread.
[[nodiscard]] RootAreas findRootAreas(const ResidentSample& mappings, std::span<const CopiedThread> threads,
                                      std::span<const PictureBlock> blocks, const RootLimits& limits = {});

} // namespace highwater::references
