#pragma once

#include "core/base/units.h"
#include "core/event/copied_thread.h"
#include "core/references/process_memory.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::references {

/// Variables of the C library and its loader that readThreadLibrary() uses, with their addresses.
using LibrarySymbols = std::map<std::string, Address, std::less<>>;
[[nodiscard]] bool isLibrarySymbol(std::string_view name);

/// Where the threads of a process have the thread-local data of one of its modules.
struct ModuleThreadLocals {
    Address dynamicSection = 0;  ///< of the module, in whose memory it is
    std::vector<Address> blocks; ///< by thread: where the data begins; 0: the thread has none, or it is unknown
};

struct ThreadLibrary {
    std::vector<ModuleThreadLocals> modules;
    std::vector<EndedStack> ended;
};

/// Reads the lists of modules, of thread-local data and of unused stacks of glibc (2.34 or later, x86-64). glibc
/// describes their layout to debuggers by variables (libthread_db): without these, nothing is found. What contradicts
/// itself, such as a control block that does not refer to itself, is left out. Time: threads x modules. Any thread.
[[nodiscard]] ThreadLibrary readThreadLibrary(const LibrarySymbols& symbols, std::span<const CopiedThread> threads,
                                              const ReadMemory& read);

} // namespace highwater::references
