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
    std::uint32_t position;
    bool isStuck;            ///< there was no room for the last record
    std::uint64_t sequence;  ///< ThreadSlot::busy
    std::uint64_t lastTick;  ///< of the last record in the ring
    std::uint64_t lastStack; ///< of the last allocation there
    std::uint64_t lost;
    std::uint64_t cut;
    StackKeySet keys;
    StackWalker walker;
};

/// Plain data in the static TLS block: reached without a call, and never allocated by anybody.
struct ThreadLocal {
    ThreadState* state;
    std::uint32_t generation; ///< of which `state` is, or for which no slot could be had
    bool isInAgent;
    bool isOpening; ///< libc may allocate for us: no event
    std::uint8_t realDepth;
    std::uint8_t endRounds;
};
extern __attribute__((tls_model("initial-exec"), visibility("hidden"))) constinit thread_local ThreadLocal threadLocal;

/// The compiler may not move stores past this: a signal handler on this thread looks at them, and the reader on another
/// (stores of x86-64 become visible in order).
inline void fence() { std::atomic_signal_fence(std::memory_order_seq_cst); }

/// A hook was called inside the agent (a signal handler interrupted it): its event is lost, and counted.
void countNested();

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
