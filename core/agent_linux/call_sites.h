#pragma once

namespace highwater::agent {

/// A function of the program's that is to be led to one of ours.
struct Hook {
    const char* name;
    void* ours;
    void* const* real; ///< among realFunctions; null: it stands before no function of its own
};
/// One of these, in the file that defines the hook: what others find under its name may be another one's.
#define HIGHWATER_OURS(name)                                                                                           \
    extern "C" __attribute__((alias(#name), copy(::name), visibility("hidden"))) decltype(::name) highwater_##name
/// The same of a function that no header declares.
#define HIGHWATER_OURS_UNDECLARED(result, name, arguments)                                                             \
    extern "C" __attribute__((alias(#name), copy(::name), visibility("hidden"))) result highwater_##name arguments
#define HIGHWATER_HOOK_ROW(name, real)                                                                                 \
    Hook { #name, reinterpret_cast < void*>(&highwater_##name), reinterpret_cast < void* const*>(real) }

/// Our hooks by name; each source file with hooks has its own. Ends with a null name.
extern const Hook heapHooks[];
extern const Hook libcHooks[];
extern const Hook operatorHooks[];
extern const Hook pageHooks[];
extern const Hook moduleHooks[];
extern const Hook programHooks[];
extern const Hook restrictionHooks[];

/// Whether calls come to us by themselves: the agent was loaded before the program (LD_PRELOAD), so that the dynamic
/// linker finds our functions first.
[[nodiscard]] bool isFirstInLine();

/// The function that the program calls under a name when our hooks do not stand before it; null: nobody has it. For an
/// agent that was loaded into a running process: it stands behind all others.
[[nodiscard]] void* findBehindProgram(const char* name);

/// Looks for an allocator that has operators of C++ of its own (jemalloc, tcmalloc, mimalloc): they call no function
/// that we stand before. Their calls are led here by takeOverCalls(). Those of libstdc++ call malloc and stay as they
/// are. False: there are none.
bool findOwnOperators();

/// Which functions' calls are led here.
enum class Taken { All, Operators };
/// Writes the addresses of our hooks over those of the real functions, wherever the dynamic linker has put them in the
/// modules that are loaded now. Pointers that the program has taken before stay what they are. All: for an agent that
/// was loaded into a running process. False: nothing could be led here.
bool takeOverCalls(Taken taken);
/// The same for modules that were loaded since. Cheap when there are none; without effect before takeOverCalls().
void takeOverNewModules();
/// Something was unloaded.
void recheckModules();

} // namespace highwater::agent
