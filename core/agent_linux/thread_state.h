#pragma once

#include "core/agent_linux/channel_layout.h"
#include "core/agent_linux/recording_state.h"
#include "core/agent_linux/stack_key_set.h"
#include "core/agent_linux/stack_walker.h"

namespace highwater::agent {

/// What one thread needs to write its ring; private memory of the process.
struct ThreadState {
    ThreadSlot* slot;
    ChunkHeader* chunk; ///< null: none yet
    std::uint32_t chunkNumber;
    std::uint32_t position;
    bool isStuck;            ///< there was no room for the last record
    std::uint64_t sequence;  ///< ThreadSlot::busy
    std::uint64_t lastTick;  ///< of the last record in the ring
    std::uint64_t lastStack; ///< of the last allocation there
    std::uint64_t lost;
    std::uint64_t cut;
    StackKeySet keys;
    StackWalker walker;
    char path[4096]; ///< of a module that is reported: stacks may be small
};

/// Bits of ThreadLocal::work.
enum Work : std::uint64_t {
    kInRecord = 1,   ///< a record is being written
    kInReal = 2,     ///< a function of the allocator runs
    kInOperator = 4, ///< an operator of C++ runs that is the allocator's own
    kWorkBits = 7
};

/// Plain data in the static TLS block: reached without a call, and never allocated by anybody. Each thread has so many
/// bytes more.
struct ThreadLocal {
    ThreadState* state;
    /// 0: the thread is outside the agent. Else the stack pointer of the hook that it is in, and bits of Work. A frame
    /// that was left by a jump, an exception or the end of the thread leaves it as it is: see abandoned_frame.h.
    std::uint64_t work;
    std::uint32_t generation; ///< of which `state` is, or for which no slot could be had
    bool isOpening;           ///< libc may allocate for us: no event
    std::uint8_t endRounds;
    std::uint8_t agentCalls; ///< see AgentCalls
    bool isFinding;          ///< see real_functions.h
};
static_assert(sizeof(ThreadLocal) == 24);
extern __attribute__((tls_model("initial-exec"), visibility("hidden"))) constinit thread_local ThreadLocal threadLocal;

/// The compiler may not move stores past this: a signal handler on this thread looks at them, and the reader on another
/// (stores of x86-64 become visible in order).
inline void fence() { std::atomic_signal_fence(std::memory_order_seq_cst); }

/// The stack pointer of the function that this is expanded in.
[[nodiscard, gnu::always_inline]] inline std::uint64_t stackPointerHere() {
    std::uint64_t pointer = 0;
    asm("movq %%rsp, %0" : "=r"(pointer));
    return pointer;
}

/// A hook was called inside the agent (a signal handler interrupted it): its event is lost, and counted.
void countNested();

/// The frame of the hook that this is expanded in.
#define HIGHWATER_HOOK_FRAME() reinterpret_cast<std::uint64_t>(__builtin_frame_address(0))

/// ThreadLocal::work is not 0. If the frame that set it is gone for certain, the thread is outside the agent again, and
/// its ring is fit for use. False: the frame is there, or nobody can tell. `hookFrame`: of the hook that asks.
[[nodiscard, gnu::noinline]] bool leaveAbandonedFrame(std::uint64_t hookFrame);

/// Goes on in a fresh chunk. False: there is none, or nobody reads.
[[nodiscard, gnu::noinline]] bool takeNextChunk(ThreadState& state, std::uint64_t tick);

/// Room for a record, or null. What is written there is seen by the reader from publish() on.
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
