#pragma once

#include "core/agent_linux/thread_state.h"

namespace highwater::agent {

/// Prepares what threads need to hand back their rings when they end. Before the first record.
void prepareThreads();

/// What a hook of an allocation function does around the real one: the pages that an allocator asks for while it is at
/// work are not the program's doing, and what it passes on to another allocation function is no second event.
class RealCall {
  public:
    RealCall() : isNested_(threadLocal.realDepth != 0) { ++threadLocal.realDepth; }
    ~RealCall() { --threadLocal.realDepth; }
    RealCall(const RealCall&) = delete;
    RealCall& operator=(const RealCall&) = delete;
    /// Whether a hook further out on this thread is in its real function already.
    [[nodiscard]] bool isNested() const { return isNested_; }
    /// Whether this thread is in the real function of any such hook.
    [[nodiscard]] static bool isUnderWay() { return threadLocal.realDepth != 0; }

  private:
    bool isNested_;
};

} // namespace highwater::agent
