#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace highwater::source {

/// Allocation functions that a module defines and imports, from its symbol tables.
struct AllocatorSymbols {
    bool exportsMalloc = false; ///< also visible to other modules
    bool hidesMalloc = false;   ///< local: no other module can replace it
    /// Functions of allocators that are built into a program in addition to the C library's: je_malloc and similar.
    std::vector<std::string> own;
    std::vector<std::string> exported; ///< functions in `own` that other modules may call
    std::vector<std::string> imported; ///< functions in `own` that another module defines
};

/// Reads the symbol tables of a 64-bit ELF file. A file that cannot be read or is damaged defines nothing. Any thread.
[[nodiscard]] AllocatorSymbols allocatorSymbolsIn(const std::filesystem::path& file);

/// A module of a process.
struct AllocatorModule {
    std::string path;
    bool isProgram = false;
    AllocatorSymbols symbols;
};

/// The module of a process whose allocator the agent cannot intercept although it is called; empty: none. `isHeapSeen`:
/// blocks of this process were recorded. A program whose own malloc only forwards to the C library does not count.
[[nodiscard]] std::string moduleWithOwnAllocator(const std::vector<AllocatorModule>& modules, bool isHeapSeen);

} // namespace highwater::source
