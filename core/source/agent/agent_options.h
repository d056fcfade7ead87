#pragma once

#include <cstdint>

namespace highwater::source {

/// Recording options, fixed before the target starts.
struct AgentOptions {
    enum class Children : std::uint8_t { Ignored, Recorded };
    bool heap = true;
    bool virtualMemory = true;
    bool stacks = true;
    bool freeStacks = false;
    bool managedNames = true;              ///< names of functions that runtimes generate
    bool waitsAtExit = false;              ///< see AgentChannel::whenProcessWaits
    Children children = Children::Ignored; ///< forked processes, and the programs that they execute
    /// WhenIdle: events are not shown live, so a program that keeps all processors busy need not share them
    /// (AgentReadingPace).
    enum class Reading : std::uint8_t { AtOnce, WhenIdle };
    Reading reading = Reading::AtOnce;
    std::uint64_t mostBytes = 256u << 20; ///< memory for recorded but unread events; at least 1 MB is used
    std::int64_t staleNs =
        5'000'000'000; ///< after that much time without drain(), the target drops events instead of filling that memory
};

} // namespace highwater::source
