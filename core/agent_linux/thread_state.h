#pragma once

#include "core/agent_linux/channel_layout.h"
#include "core/agent_linux/recording_state.h"
#include "core/agent_linux/stack_key_set.h"
#include "core/agent_linux/stack_walker.h"

namespace highwater::agent {

/// The data that a thread needs to write its ring; private memory of the process.
struct ThreadState {
    ThreadSlot* slot;
    std::uint32_t index; ///< of the slot
    ChunkHeader* chunk; ///< null: none yet
    std::uint32_t chunkNumber;
    std::uint32_t position;
    bool isStuck;            ///< the last record did not fit
    std::uint64_t sequence;  ///< ThreadSlot::busy
    std::uint64_t lastTick;  ///< tick of the last record in the ring
    std::uint64_t lastStack; ///< stack of the last allocation in the ring
    std::uint64_t lost;
    std::uint64_t cut;
    StackKeySet keys;
    StackWalker walker;
    char path[4096]; ///< path of a module that is being reported; here because stacks may be small
};

/// Bits of ThreadLocal::work.
enum Work : std::uint64_t {
    kInRecord = 1,   ///< a record is being written
    kInReal = 2,     ///< a function of the allocator is running
    kInOperator = 4, ///< a C++ operator of the allocator itself is running
    kWorkBits = 7
};

/// Plain data in the static TLS block: accessed without a call and never allocated. Increases the size of each thread's
/// block.
struct ThreadLocal {
    ThreadState* state;
    /// 0: the thread is outside the agent. Otherwise the stack pointer of the hook that it is in, combined with bits of
    /// Work. A frame that ended through a jump, an exception or the end of the thread leaves it set: see
    /// abandoned_frame.h.
    std::uint64_t work;
    std::uint32_t generation; ///< generation of `state`, or the generation in which no slot was available
    bool isOpening;           ///< libc may allocate for us, which is not an event
    std::uint8_t endRounds;
    std::uint8_t agentCalls; ///< see AgentCalls
    bool isFinding;          ///< see real_functions.h
};
static_assert(sizeof(ThreadLocal) == 24);
extern __attribute__((tls_model("initial-exec"), visibility("hidden"))) constinit thread_local ThreadLocal threadLocal;

/// The compiler must not move stores across this: a signal handler on this thread reads them, and the reader on another
/// thread (stores of x86-64 become visible in order).
inline void fence() { std::atomic_signal_fence(std::memory_order_seq_cst); }

/// The stack pointer of the function that contains this.
[[nodiscard, gnu::always_inline]] inline std::uint64_t stackPointerHere() {
    std::uint64_t pointer = 0;
    asm("movq %%rsp, %0" : "=r"(pointer));
    return pointer;
}

/// A hook was called inside the agent, by a signal handler that interrupted it: counts the lost event.
void countNested();

/// The frame of the hook that contains this macro.
#define HIGHWATER_HOOK_FRAME() reinterpret_cast<std::uint64_t>(__builtin_frame_address(0))

/// Called if ThreadLocal::work is not 0. If the frame that set it has certainly ended, the thread is outside the agent
/// again, and its ring is usable. False: the frame exists, or that is not certain. `hookFrame`: of the calling hook.
[[nodiscard, gnu::noinline]] bool leaveAbandonedFrame(std::uint64_t hookFrame);

/// Continues in a new chunk. False: none is free, or there is no reader.
[[nodiscard, gnu::noinline]] bool takeNextChunk(ThreadState& state, std::uint64_t tick);

/// Room for a record, or null. The reader sees its contents after publish().
[[nodiscard]] inline std::uint64_t* reserve(ThreadState& state, std::uint32_t bytes, std::uint64_t tick) {
    if (state.chunk == nullptr || state.position + bytes > kChunkBytes) [[unlikely]] {
        if (bytes > kChunkBytes - sizeof(ChunkHeader) || !takeNextChunk(state, tick)) return nullptr;
    }
    return reinterpret_cast<std::uint64_t*>(reinterpret_cast<char*>(state.chunk) + state.position);
}

inline void publish(ThreadState& state, std::uint32_t bytes, std::uint64_t tick) {
    state.position += bytes;
    state.lastTick = tick;
    state.chunk->published.store(state.position, std::memory_order_release);
}

} // namespace highwater::agent
