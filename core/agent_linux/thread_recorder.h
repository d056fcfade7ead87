#pragma once

#include "core/agent_linux/thread_state.h"

namespace highwater::agent {

/// Prepares the return of rings by ending threads. Call it before the first record.
void prepareThreads();

/// Fills the memory of all threads' recorders with zeros, in a copy of the process that records nothing: their stacks
/// contain registers of the program, which would be references to its blocks.
void emptyThreadStates();

/// HIGHWATER_HOOK_FRAME() of the hook that `caller` called.
[[nodiscard]] inline std::uint64_t hookFrameOf(const Caller& caller) { return caller.stackPointer - 16; }

/// Marks the call of the real function in an allocation hook. Pages that an allocator requests meanwhile are not
/// requests of the program, and calls that it passes on to another allocation function are not separate events.
class RealCall {
  public:
    /// `hookFrame`: see HIGHWATER_HOOK_FRAME().
    explicit RealCall(std::uint64_t hookFrame, Work work = kInReal) {
        if (threadLocal.work != 0) [[unlikely]] {
            before_ = beginInside(hookFrame, work);
            return;
        }
        before_ = 0;
        threadLocal.work = stackPointerHere() | work;
    }
    ~RealCall() { threadLocal.work = before_; }
    RealCall(const RealCall&) = delete;
    RealCall& operator=(const RealCall&) = delete;
    /// The previous ThreadLocal::work, of an outer hook on this thread. 0: none.
    [[nodiscard]] std::uint64_t before() const { return before_; }
    /// Whether this thread is in the real function of any such hook.
    [[nodiscard]] static bool isUnderWay(std::uint64_t hookFrame) {
        return (threadLocal.work & (kInReal | kInOperator)) != 0 && !leaveAbandonedFrame(hookFrame);
    }

  private:
    [[nodiscard, gnu::noinline]] static std::uint64_t beginInside(std::uint64_t hookFrame, Work work);

    std::uint64_t before_;
};

} // namespace highwater::agent
