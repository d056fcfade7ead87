#pragma once

#include "core/decode/stacks/stack_key_table.h"
#include "core/event/memory_events.h"

#include <cstdint>

namespace highwater::decode {

/// Whether an event's class may have stacks (StackArming learns this), or never has (rundowns).
enum class StackExpectation : std::uint8_t { Learned, Never };

/// The part of a stack in a record. Whole: it starts in the kernel and ends in user mode.
enum class StackHalf : std::uint8_t { Kernel, User, Whole };

/// An event in the joiner's queue. The set of halves that it is open for only shrinks.
struct WaitingEvent {
    enum class Open : std::uint8_t { ForBothHalves, ForUserHalf, ForNone };

    MemoryEvent event;
    std::int64_t ticks = 0;
    std::uint64_t matchId = 0;
    StackPart kernel;
    StackPart user;
    std::uint16_t processor = 0;
    StackExpectation expectation = StackExpectation::Learned;
    bool isStackless = false; ///< represents an event that cannot have a stack
    bool isComplete = false;
    bool cameWithoutThread = false; ///< event.tid was, or is, unknown

    [[nodiscard]] Open open() const {
        if (isComplete) return Open::ForNone;
        return kernel.kind == StackPart::Kind::None ? Open::ForBothHalves : Open::ForUserHalf;
    }
    [[nodiscard]] bool isOpenFor(StackHalf half) const {
        return open() == Open::ForBothHalves || (open() == Open::ForUserHalf && half != StackHalf::Kernel);
    }
};

/// Quality of the match of an event and a reference; None: no match. UserModeThread: the right thread, but a kernel
/// half for an event that is logged in user mode, which normally has none, so a kernel event of the same processor and
/// tick is a better match. Process, Processor: guesses.
enum class Fit : std::uint8_t { None, Processor, Process, UserModeThread, ProcessAndProcessor, Thread };

[[nodiscard]] constexpr bool isLoggedInUserMode(MemoryOperation operation) {
    return memoryKind(operation) == MemoryKind::Heap || memoryKind(operation) == MemoryKind::Managed;
}

[[nodiscard]] constexpr bool isGuess(Fit fit) { return fit == Fit::Process || fit == Fit::Processor; }

/// Does not check whether it is open for that half.
[[nodiscard]] inline Fit fitOf(const WaitingEvent& waiting, const StackReference& reference, StackHalf half) {
    const MemoryEvent& event = waiting.event;
    if (event.tid.isKnown()) {
        if (event.tid != reference.tid) return Fit::None;
        return half == StackHalf::Kernel && isLoggedInUserMode(event.operation) ? Fit::UserModeThread : Fit::Thread;
    }
    const bool isSameProcessor = waiting.processor == reference.processor;
    if (event.pid == reference.pid) return isSameProcessor ? Fit::ProcessAndProcessor : Fit::Process;
    return isSameProcessor ? Fit::Processor : Fit::None;
}

} // namespace highwater::decode
