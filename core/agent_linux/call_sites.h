#pragma once

namespace highwater::agent {

/// A function of the program that is redirected to one of our hooks.
struct Hook {
    const char* name;
    void* ours;
    void* const* real; ///< entry in realFunctions; null: the hook does not wrap a function of its own
};
/// Our own definition of a function, in the file that defines the hook; a lookup by name could find another module's.
#define HIGHWATER_OURS(name)                                                                                           \
    extern "C" __attribute__((alias(#name), copy(::name), visibility("hidden"))) decltype(::name) highwater_##name
/// The same for a function that no header declares.
#define HIGHWATER_OURS_UNDECLARED(result, name, arguments)                                                             \
    extern "C" __attribute__((alias(#name), copy(::name), visibility("hidden"))) result highwater_##name arguments
#define HIGHWATER_HOOK_ROW(name, real)                                                                                 \
    Hook { #name, reinterpret_cast < void*>(&highwater_##name), reinterpret_cast < void* const*>(real) }

/// Our hooks by name; each source file with hooks has its own list. Ends with a null name.
extern const Hook heapHooks[];
extern const Hook libcHooks[];
extern const Hook operatorHooks[];
extern const Hook pageHooks[];
extern const Hook moduleHooks[];
extern const Hook programHooks[];
extern const Hook restrictionHooks[];

/// Whether calls reach our hooks without redirection: the agent was loaded before the program (LD_PRELOAD), so the
/// dynamic linker finds our functions first.
[[nodiscard]] bool isFirstInLine();

/// The function that the program calls by this name if our hooks do not precede it; null: not found. For an agent that
/// was loaded into a running process, where it comes after all other modules.
[[nodiscard]] void* findAfterProgram(const char* name);

/// Finds an allocator with its own C++ operators (jemalloc, tcmalloc, mimalloc), which do not call any function that we
/// hook. takeOverCalls() redirects calls to them. The operators of libstdc++ call malloc and are not redirected. False:
/// none.
bool findOwnOperators();

/// Selects the functions whose calls are redirected.
enum class Taken { All, Operators };
/// Replaces the addresses of real functions by those of our hooks wherever the dynamic linker stored them in the
/// modules that are loaded now. Pointers that the program has already taken do not change. All: for an agent that was
/// loaded into a running process. False: nothing was redirected.
bool takeOverCalls(Taken taken);
/// Redirects calls in modules loaded since then. Cheap if there are none; no effect before takeOverCalls().
void takeOverNewModules();
/// Call it after a module was unloaded.
void recheckModules();

} // namespace highwater::agent
