#pragma once

#include "core/agent_linux/call_frame_rules.h"
#include "core/agent_linux/channel_layout.h"

#include <cstdint>

namespace highwater::agent {

/// Where a walk begins: the function that called the hook, at the instruction behind its call.
struct Caller {
    std::uint64_t returnAddress = 0;
    std::uint64_t stackPointer = 0; ///< as it is behind the call
    std::uint64_t framePointer = 0;
};

/// The caller of the hook that this is expanded in. A macro, as the hook's own frame is meant; asking for its address
/// makes the compiler keep rbp there.
#define HIGHWATER_CALLER() ::highwater::agent::callerOf(static_cast<const std::uint64_t*>(__builtin_frame_address(0)))
[[nodiscard]] inline Caller callerOf(const std::uint64_t* frame) {
    return {frame[1], reinterpret_cast<std::uint64_t>(frame + 2), frame[0]};
}

/// One frame of a stack, of a function that has called another one or was interrupted.
struct StackFrame {
    std::uint64_t stackPointer; ///< behind the return; the return address lies 8 below
    std::uint64_t returnAddress;
    std::uint64_t framePointer;
    std::uint64_t framePointerAt; ///< where that was read; 0: it is that of the frame further in
    std::uint64_t key;            ///< of this frame and all further out
};

/// Finds the caller of a frame. Reads memory only where the kernel says that it can be read. One thread only; may lie
/// in memory that was zeroed.
class FrameStepper {
  public:
    enum class Step { Done, Found, Jumped };

    /// A walk begins.
    void begin() {
        wasCut_ = false;
        placeIsExact_ = false;
    }
    /// The caller of `from`. Jumped: it may lie on another stack. Done: there is none, or it cannot be found.
    [[nodiscard, gnu::noinline]] Step stepOut(const StackFrame& from, StackFrame& to);
    /// Whether the walk ended before the outermost frame, for another reason than its depth.
    [[nodiscard]] bool wasCut() const { return wasCut_; }
    [[nodiscard]] bool canRead(std::uint64_t address) {
        if (address >= readableFrom_ && address < readableTo_) [[likely]]
            return address % 8 == 0;
        return extendReadable(address);
    }

  private:
    friend class StackWalker; // its steps are part of its loop
    [[nodiscard, gnu::always_inline]] inline Step step(const StackFrame& from, StackFrame& to);
    [[nodiscard, gnu::noinline]] Step stepOutSlowly(const StackFrame& from, StackFrame& to);
    [[nodiscard]] Step fillFrame(const StackFrame& from, StackFrame& to, std::uint64_t frameAddress,
                                 std::uint64_t savedAt);
    [[nodiscard]] Step guess(const StackFrame& from, StackFrame& to);
    [[nodiscard]] Step leaveSignal(const StackFrame& from, StackFrame& to);
    [[nodiscard, gnu::noinline]] bool extendReadable(std::uint64_t address);

    bool wasCut_;
    bool placeIsExact_;          ///< the return address of the frame in hand is where it was interrupted
    std::uint64_t readableFrom_; ///< this part of the stack was found to be mapped
    std::uint64_t readableTo_;
};

/// Walks the stack of one thread and remembers it: the next walk goes only as far as the frames are others than the
/// last time; for the rest, one comparison a frame shows that they are still there. Owner and only user: that thread.
/// Lies in memory that was zeroed; no constructor.
class StackWalker {
  public:
    /// Walks from `caller`; false if no frame could be found. Then key() and frames are those of this stack.
    void walk(const Caller& caller, std::uint64_t seed);

    /// A number that stands for this stack: equal for equal stacks of one seed, never 0.
    [[nodiscard]] std::uint64_t key() const { return frames_[depth_ - 1].key; }
    /// The same of the stack without its innermost frame.
    [[nodiscard]] std::uint64_t callerKey() const { return depth_ < 2 ? seed_ : frames_[depth_ - 2].key; }
    [[nodiscard]] std::uint32_t depth() const { return depth_; }
    /// Innermost first.
    [[nodiscard]] std::uint64_t returnAddress(std::uint32_t index) const {
        return frames_[depth_ - 1 - index].returnAddress;
    }
    /// Whether the last walk ended before the outermost frame, for another reason than its depth.
    [[nodiscard]] bool wasCut() const { return stepper_.wasCut(); }

    /// What it was doing last was not done to its end: nothing that it remembers is relied on.
    void forget() {
        depth_ = 0;
        isComplete_ = false;
        stepper_ = {};
    }

  private:
    using Frame = StackFrame;
    using Step = FrameStepper::Step;

    [[nodiscard]] std::uint32_t sameOuterFrames(const Frame& frame, std::uint32_t& candidate) const;
    void keep(std::uint32_t outer, std::uint32_t found, std::uint64_t seed);

    Frame frames_[kMostFrames]; ///< outermost first
    Frame found_[kMostFrames];  ///< of this walk, innermost first
    std::uint32_t depth_;
    bool isComplete_; ///< frames_[0] is the outermost: a later walk may rely on it
    std::uint64_t seed_;
    FrameStepper stepper_;
};

} // namespace highwater::agent
