#pragma once

#include <cstdint>

namespace highwater::source {

/// What is recorded, decided before the target starts.
struct AgentOptions {
    enum class Children : std::uint8_t { Ignored, Recorded };
    bool heap = true;
    bool virtualMemory = true;
    bool stacks = true;
    bool freeStacks = false;
    bool managedNames = true;              ///< names of the functions that runtimes generate
    Children children = Children::Ignored; ///< forked processes, and the programs that they execute
    /// WhenIdle: nobody looks at what comes, so that a program that keeps all processors busy need not share them
    /// (AgentReadingPace).
    enum class Reading : std::uint8_t { AtOnce, WhenIdle };
    Reading reading = Reading::AtOnce;
    std::uint64_t mostBytes = 256u << 20; ///< of memory for what was recorded and not yet read; at least 1 MB is used
    std::int64_t staleNs =
        5'000'000'000; ///< so long without drain(), and the target drops instead of filling that memory
};

} // namespace highwater::source
