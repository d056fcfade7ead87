#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace highwater::source {

/// The allocation functions that a module of Linux defines and asks for, by its symbol tables.
struct AllocatorSymbols {
    bool exportsMalloc = false; ///< for other modules, too
    bool hidesMalloc = false;   ///< for itself only: no other module can stand before it
    /// Functions by which allocators go that are built into a program beside the C library's: je_malloc and the like.
    std::vector<std::string> own;
    std::vector<std::string> exported; ///< those of `own` that other modules may call
    std::vector<std::string> imported; ///< the same, defined by another module
};

/// Reads the symbol tables of an ELF file of 64 bits. A file that cannot be read, or is damaged, defines nothing. Any
/// thread.
[[nodiscard]] AllocatorSymbols allocatorSymbolsIn(const std::filesystem::path& file);

/// A module as a process has it.
struct AllocatorModule {
    std::string path;
    bool isProgram = false;
    AllocatorSymbols symbols;
};

/// The module of one process whose allocator the agent cannot stand before, though code calls it; empty: there is none.
/// `isHeapSeen`: blocks of this process were recorded. A program with a malloc of its own that passes all on to the C
/// library has none in this sense.
[[nodiscard]] std::string moduleWithOwnAllocator(const std::vector<AllocatorModule>& modules, bool isHeapSeen);

} // namespace highwater::source
