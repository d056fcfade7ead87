#include "core/agent_linux/abandoned_frame.h"

#include "core/agent_linux/loaded_object.h"
#include "core/agent_linux/stack_walker.h"
#include "core/agent_linux/system_calls.h"
#include "core/agent_linux/thread_state.h"

#include <csignal>

/// Defined by the dynamic linker: the start of the first thread's stack.
extern "C" void* __libc_stack_end __attribute__((weak));

namespace highwater::agent {

namespace {

constexpr std::uint64_t kPage = 4096;

/// The code range of the agent itself.
class OwnCode {
  public:
    OwnCode() {
        dl_find_object found{};
        if (!findLoadedObject(reinterpret_cast<std::uint64_t>(&isFrameAbandoned), found)) return;
        begin_ = reinterpret_cast<std::uint64_t>(found.dlfo_map_start);
        end_ = reinterpret_cast<std::uint64_t>(found.dlfo_map_end);
    }
    [[nodiscard]] bool holds(std::uint64_t place) const { return place >= begin_ && place < end_; }

  private:
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
};

/// Walks outwards from this call to the frame that covers the address.
bool isCoveredByAnother(std::uint64_t marker, const Caller& caller) {
    const OwnCode own;
    FrameStepper stepper{};
    stepper.begin();
    StackFrame from{caller.stackPointer, caller.returnAddress, caller.framePointer, 0, 0};
    for (std::uint32_t frames = 0; frames < kMostFrames; ++frames) {
        StackFrame to{};
        if (stepper.stepOut(from, to) == FrameStepper::Step::Done) return false;
        if (from.stackPointer <= marker && marker < to.stackPointer) return !own.holds(from.returnAddress);
        from = to;
    }
    return false;
}

/// A handler on an alternate stack may be at any address.
bool isOnSignalStack() {
    stack_t stack{};
    return systemCall(SYS_sigaltstack, 0, reinterpret_cast<long>(&stack)) != 0 || (stack.ss_flags & SS_ONSTACK) != 0;
}

/// The outer end of the stack that the system gave this thread: the dynamic linker places the thread's variables there.
std::uint64_t outerEndOfStack() {
    const bool isFirst = systemCall(SYS_gettid) == systemCall(SYS_getpid);
    if (!isFirst) return reinterpret_cast<std::uint64_t>(&threadLocal);
    return &__libc_stack_end != nullptr ? reinterpret_cast<std::uint64_t>(__libc_stack_end) : 0;
}

/// Whether everything from there to the end of the stack is mapped contiguously: stacks are separated by a guard page.
bool isOnOwnStack(std::uint64_t marker) {
    constexpr std::uint64_t kMostBytes = 64u << 20;
    const std::uint64_t end = outerEndOfStack();
    if (marker >= end || end - marker > kMostBytes) return false;
    for (std::uint64_t page = marker & ~(kPage - 1); page < end; page += kPage)
        if (!isPageReadable(page)) return false;
    return true;
}

} // namespace

bool isFrameAbandoned(std::uint64_t marker, std::uint64_t hookEnd) {
    const Caller caller = HIGHWATER_CALLER();
    if (marker >= caller.stackPointer && marker < hookEnd) return true;
    if (caller.stackPointer > marker)
        return !isOnSignalStack() && caller.stackPointer < outerEndOfStack() && isOnOwnStack(marker);
    return isCoveredByAnother(marker, caller);
}

} // namespace highwater::agent
