#pragma once

#include <cstddef>
#include <cstdint>

// What allocators other than glibc's report about their own memory. The agent uses it as well, and therefore this
// header needs no library.

namespace highwater {

/// By the public function that gives its numbers. A process may have several.
enum class OtherAllocator : std::uint8_t {
    Jemalloc,     ///< mallctl
    JemallocJe,   ///< je_mallctl: jemalloc with the prefix "je_"
    JemallocRjem, ///< _rjem_mallctl: jemalloc in Rust programs
    Tcmalloc,     ///< MallocExtension_GetNumericProperty of gperftools
    Mimalloc,     ///< mi_process_info
};
inline constexpr std::size_t kOtherAllocators = 5;

/// Bytes, except the number of arenas. docs/command-line.md has the names that each allocator gives them.
enum class AllocatorNumber : std::uint8_t {
    Allocated, ///< blocks of the program
    Active,    ///< pages with such blocks
    Metadata,  ///< what it needs for itself
    Resident,  ///< at most so many may be in RAM
    Mapped,    ///< address space in use
    Retained,  ///< address space without memory, which it keeps for later
    FreePages, ///< pages in RAM without blocks
    Caches,    ///< freed blocks that it keeps for threads
    Committed, ///< requested from the system
    Arenas,    ///< how many parts with locks of their own
};
inline constexpr std::size_t kAllocatorNumbers = 10;

} // namespace highwater
