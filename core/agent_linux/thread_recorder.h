#pragma once

#include "core/agent_linux/thread_state.h"

namespace highwater::agent {

/// Prepares what threads need to hand back their rings when they end. Before the first record.
void prepareThreads();

/// HIGHWATER_HOOK_FRAME() of the hook whose caller that is.
[[nodiscard]] inline std::uint64_t hookFrameOf(const Caller& caller) { return caller.stackPointer - 16; }

/// What a hook of an allocation function does around the real one: the pages that an allocator asks for while it is at
/// work are not the program's doing, and what it passes on to another allocation function is no second event.
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
    /// ThreadLocal::work before: what a hook further out on this thread is at. 0: there is none.
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
