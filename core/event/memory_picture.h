#pragma once

#include "core/base/units.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace highwater {

/// How a block can be reached from the memory of the program that is not in blocks, through pointers.
enum class Reachability : std::uint8_t {
    Reachable,   ///< along a path of pointers to the start of each block
    Possible,    ///< only along paths with a pointer into the middle of a block, or with a word that may be no pointer
    Unreachable, ///< no block and no root refers to it, or only blocks do that it leads to (a cycle): a leak
    OnlyLeaked,  ///< only unreachable blocks refer to it
};
inline constexpr std::uint8_t kReachabilities = 4;

/// Memory that is not in a block.
enum class RootKind : std::uint8_t {
    Variable,    ///< writable data of a module
    ThreadLocal, ///< static thread-local data of a module
    Stack,       ///< of a thread, from its stack pointer on
    Register,    ///< of a thread
    Mapping,     ///< other writable memory of the program
};
inline constexpr std::uint8_t kRootKinds = 5;

/// Memory outside of all blocks that refers to blocks and has a name of its own: a variable, a stack, a mapping, or the
/// writable data of a module that belongs to no known variable. All words of a root are one holder. Frames of a stack
/// have its root as their parent, which has the rest of the stack.
struct PictureRoot {
    static constexpr std::uint32_t kNoParent = 0xFFFFFFFF;

    Address address = 0; ///< where it begins; of registers: 0
    Address code = 0;    ///< of a frame of a stack: an instruction of its function; 0: others
    std::uint32_t name = 0;   ///< number in MemoryPicture::names: "module!variable", "module!function" of a frame, file
                              ///< of the module, name of the thread or of the mapping
    std::uint32_t thread = 0; ///< of a stack, registers or thread-local data; 0: others
    std::uint32_t threadName = 0;     ///< likewise, number in MemoryPicture::names; others: `name`
    std::uint32_t parent = kNoParent; ///< of a frame: the root of its stack, before it
    RootKind kind = RootKind::Mapping;
    friend bool operator==(const PictureRoot&, const PictureRoot&) = default;
};

/// A block at the time of a picture.
struct PictureBlock {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    Address address = 0;
    ByteCount bytes = 0;
    /// What refers to it on a shortest path from a root: a block, or number of blocks + a root. For OnlyLeaked blocks,
    /// a path from an unreachable block. kNone: unreachable.
    std::uint32_t holder = kNone;
    /// The nearest block, or number of blocks + a root, through which all paths lead: without it, this block would be
    /// unreachable. kNone: none.
    std::uint32_t dominator = kNone;
    Reachability reachability = Reachability::Unreachable;
    /// Number in MemoryPicture::types + 1 of the C++ class of the object with virtual functions that begins with the
    /// block; 0: there is none, or its class is unknown.
    std::uint32_t type = 0;
    friend bool operator==(const PictureBlock&, const PictureBlock&) = default;
};

/// Which blocks of a process refer to which, at one instant, without their contents.
struct MemoryPicture {
    TraceTime time;
    std::uint32_t pid = 0;
    std::vector<std::string> names;   ///< UTF-8, may be ""
    std::vector<PictureRoot> roots;   ///< those that hold or dominate a block, and parents
    std::vector<PictureBlock> blocks; ///< by address; they do not overlap
    std::vector<std::string> types;   ///< UTF-8, of the blocks that have one
    ByteCount rootBytes = 0;          ///< memory that was searched for roots
    ByteCount unreadBytes = 0;        ///< memory that could not be read, of blocks and roots
    std::uint32_t threads = 0;        ///< threads whose registers and stacks were read
    std::uint32_t unreadThreads = 0;  ///< others: what only they hold appears unreachable
    /// Heaps were searched as roots because not all of their blocks are known: some leaks appear reachable.
    bool hasUnknownBlocks = false;

    /// Approximate size in memory.
    [[nodiscard]] std::size_t bytes() const;
    friend bool operator==(const MemoryPicture&, const MemoryPicture&) = default;
};

using SharedMemoryPicture = std::shared_ptr<const MemoryPicture>; ///< immutable, never null
/// In the order of time; null if there are none.
using SharedMemoryPictures = std::shared_ptr<const std::vector<SharedMemoryPicture>>;

/// Whether the picture is as described above: names, types, roots and blocks exist, blocks are in order and do not
/// overlap, each chain of holders and of dominators ends. Data of files must be checked before use. Time and memory:
/// linear.
[[nodiscard]] bool isValid(const MemoryPicture& picture);

} // namespace highwater
