#pragma once

#include "core/base/units.h"
#include "core/event/copied_thread.h"
#include "core/event/memory_picture.h"
#include "core/event/resident_sample.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace highwater::references {

/// A block of memory of the program that was outstanding at the time of the picture.
struct Block {
    Address address = 0;
    ByteCount bytes = 0;
};

/// [begin, end)
struct AddressRange {
    Address begin = 0;
    Address end = 0;
    friend bool operator==(const AddressRange&, const AddressRange&) = default;
};

/// A part of memory that has a name of its own, and so is a root of its own: a variable, or a frame of a stack.
struct Variable {
    Address begin = 0;
    Address end = 0;
    std::string name;                   ///< "libapp.so!g_sessions"
    RootKind kind = RootKind::Variable; ///< of the memory that it is part of: or ThreadLocal, Stack
    Address code = 0;                   ///< of a frame: an instruction of its function
};

/// The table of virtual functions of a class. The first word of each object of exactly this class is its address point.
struct VirtualTable {
    Address begin = 0;
    Address end = 0;
    Address point = 0;     ///< the address point, or where it is stored
    bool isStored = false; ///< the latter
    std::string type;      ///< the name of the class, not ""
};

inline constexpr Address kUnknownEnd = ~Address{0};

/// A program or library in memory.
struct ModuleData {
    Address begin = 0; ///< its lowest address
    Address end = 0; ///< of its writable data, a multiple of pages; or kUnknownEnd. Memory above it belongs to others,
                     ///< although the system may have merged both
};

/// Thread-local data of a thread: that of a module, or what the system has for the thread.
struct ThreadLocalBlock {
    static constexpr std::uint32_t kOfThread = 0xFFFFFFFF;

    Address begin = 0;
    Address end = 0;
    std::uint32_t thread = 0; ///< number in Memory::threads
    std::uint32_t name = 0;   ///< of the file of the module, number in the names of the mappings; or kOfThread
};

/// The stack of a thread that has ended, for the next thread that the program starts.
struct EndedStack {
    AddressRange memory; ///< with its control block
    Address vector = 0;  ///< of the word that refers to the list of its thread-local data, which the library still uses
    std::vector<Address> threadLocals; ///< where its thread-local data in memory from malloc begins
};

/// Copies memory from an address on. Returns the number of bytes until the first that is not readable. Called by
/// several threads at once.
using ReadMemory = std::function<std::size_t(Address from, std::span<std::byte> to)>;

/// The blocks that a program has from glibc's malloc, found in its memory (heap_chunks.h). For processes that allocated
/// blocks before they were recorded.
struct HeapChunks {
    std::vector<Block> blocks; ///< in use, with their usable bytes; by address
    /// Heaps whose blocks are all in `blocks`. Other memory is unused, or belongs to malloc itself. By address, without
    /// overlaps.
    std::vector<AddressRange> heaps;
};

/// The memory of a process in which references are searched for.
struct Memory {
    std::vector<Block> blocks;    ///< in any order; of blocks that overlap, the one with the lower address counts
    /// Only addresses, flags, names, and pages: those that were ever touched. All other pages of a mapping with kPages
    /// are zero, and are not read. Memory of a mapping that `read` does not return is counted as not read.
    ResidentSample mappings = {};
    std::vector<CopiedThread> threads = {};
    std::vector<Variable> variables = {}; ///< in any order; of those that overlap, any counts
    std::vector<ModuleData> modules = {}; ///< likewise; by address
    std::vector<VirtualTable> virtualTables = {}; ///< in any order
    /// Not all blocks of the process are in `blocks`, as in one that ran before it was recorded. Those of glibc are
    /// found in its heaps (heap_chunks.h); other allocators' heaps are searched as roots.
    bool hasUnknownBlocks = false;
    std::optional<HeapChunks> chunks = std::nullopt; ///< those of the process, if the caller has found them already
    ByteCount threadLocalBytes = 0;       ///< as in RootLimits
    std::vector<ThreadLocalBlock> threadLocals = {}; ///< likewise
    std::vector<EndedStack> endedStacks = {};        ///< likewise
    ReadMemory read;                      ///< not null if there are blocks or writable mappings
};

} // namespace highwater::references
