#pragma once

#include "core/agent_linux/call_frame_rules.h"
#include "core/agent_linux/channel_layout.h"

#include <cstdint>

namespace highwater::agent {

/// The start of a walk: the function that called the hook, at the instruction after the call.
struct Caller {
    std::uint64_t returnAddress = 0;
    std::uint64_t stackPointer = 0; ///< its value after the call
    std::uint64_t framePointer = 0;
};

/// The caller of the hook that contains this macro. A macro, because it refers to the hook's own frame; using its
/// address makes the compiler set up rbp there.
#define HIGHWATER_CALLER() ::highwater::agent::callerOf(static_cast<const std::uint64_t*>(__builtin_frame_address(0)))
[[nodiscard]] inline Caller callerOf(const std::uint64_t* frame) {
    return {frame[1], reinterpret_cast<std::uint64_t>(frame + 2), frame[0]};
}

/// A stack frame of a function that has called another one or was interrupted.
struct StackFrame {
    std::uint64_t stackPointer; ///< its value after the return; the return address is 8 below
    std::uint64_t returnAddress;
    std::uint64_t framePointer;
    std::uint64_t framePointerAt; ///< address that it was read from; 0: unchanged from the next inner frame
    std::uint64_t key;            ///< key of this frame and all outer ones
};

/// Finds the caller of a frame. Reads memory only after the kernel has confirmed that it is readable. One thread only;
/// may be in zeroed memory.
class FrameStepper {
  public:
    enum class Step { Done, Found, Jumped };

    /// Starts a walk.
    void begin() {
        wasCut_ = false;
        placeIsExact_ = false;
    }
    /// The caller of `from`. Jumped: it may be on another stack. Done: there is none, or it cannot be found.
    [[nodiscard, gnu::noinline]] Step stepOut(const StackFrame& from, StackFrame& to);
    /// Whether the walk ended before the outermost frame for a reason other than its depth.
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
    bool placeIsExact_;          ///< the return address of the current frame is the exact address of an interruption
    std::uint64_t readableFrom_; ///< start of the stack range that is known to be mapped
    std::uint64_t readableTo_;
};

/// Walks the stack of one thread and remembers it. The next walk only visits frames that have changed; for the others,
/// one comparison per frame confirms that they are still there. Used only by its own thread. Must be in zeroed memory;
/// no constructor.
class StackWalker {
  public:
    /// Walks from `caller`; false if no frame could be found. Afterwards key() and the frames describe this stack.
    void walk(const Caller& caller, std::uint64_t seed);

    /// Identifies the stack: equal for equal stacks with the same seed, never 0.
    [[nodiscard]] std::uint64_t key() const { return frames_[depth_ - 1].key; }
    /// The key of the stack without its innermost frame.
    [[nodiscard]] std::uint64_t callerKey() const { return depth_ < 2 ? seed_ : frames_[depth_ - 2].key; }
    [[nodiscard]] std::uint32_t depth() const { return depth_; }
    /// Innermost first.
    [[nodiscard]] std::uint64_t returnAddress(std::uint32_t index) const {
        return frames_[depth_ - 1 - index].returnAddress;
    }
    /// Whether the last walk ended before the outermost frame for a reason other than its depth.
    [[nodiscard]] bool wasCut() const { return stepper_.wasCut(); }

    /// Discards all remembered frames, after a walk was interrupted for good.
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
    Frame found_[kMostFrames];  ///< frames of this walk, innermost first
    std::uint32_t depth_;
    bool isComplete_; ///< frames_[0] is the outermost frame, so that a later walk may rely on it
    std::uint64_t seed_;
    FrameStepper stepper_;
};

} // namespace highwater::agent
