#include "core/agent_linux/thread_recorder.h"

#include "core/agent_linux/call_sites.h"
#include "core/agent_linux/modules.h"
#include "core/agent_linux/recording_state.h"
#include "core/agent_linux/restriction.h"
#include "core/agent_linux/stack_key_set.h"

#include <cstring>
#include <pthread.h>
#include <sys/prctl.h>

namespace highwater::agent {

/// What one thread needs to write its ring; private memory of the process.
struct ThreadState {
    ThreadSlot* slot;
    ChunkHeader* chunk; ///< null: none yet
    std::uint32_t position;
    bool isStuck;           ///< there was no room for the last record
    std::uint64_t sequence; ///< ThreadSlot::busy
    std::uint64_t lost;
    std::uint64_t cut;
    std::uint64_t keysSeed;
    StackKeySet keys;
    StackWalker walker;
};

namespace {

// Plain data in the static TLS block: reached without a call, and never allocated by anybody.
struct ThreadLocal {
    ThreadState* state;
    std::uint32_t generation; ///< of which `state` is, or for which no slot could be had
    bool isInAgent;
    bool isOpening; ///< libc may allocate for us: no event
    std::uint8_t realDepth;
    std::uint8_t endRounds;
};
__attribute__((tls_model("initial-exec"))) thread_local ThreadLocal threadLocal;

pthread_key_t endKey;
bool hasEndKey;

// The compiler may not move these stores past each other: a signal handler on this thread looks at them, and the reader
// on another (stores of x86-64 become visible in order).
void fence() { std::atomic_signal_fence(std::memory_order_seq_cst); }

ThreadSlot* claimSlot() {
    ChannelHeader& header = recording.channel.header();
    const std::uint32_t hint = header.threadHint.fetch_add(1, std::memory_order_relaxed);
    const std::uint32_t used = header.threadsUsed.load(std::memory_order_relaxed);
    // First among the slots that were used before, so that the reader has few to look at.
    const std::uint32_t near = used + 1 < kMostThreads ? used + 1 : kMostThreads;
    for (std::uint32_t i = 0; i < near + kMostThreads; ++i) {
        const std::uint32_t index = i < near ? (hint + i) % near : (i - near + near) % kMostThreads;
        ThreadSlot& slot = recording.channel.thread(index);
        std::uint32_t expected = kSlotFree;
        if (slot.state.load(std::memory_order_relaxed) != kSlotFree ||
            !slot.state.compare_exchange_strong(expected, kSlotClaimed, std::memory_order_acquire))
            continue;
        std::uint32_t highest = header.threadsUsed.load(std::memory_order_relaxed);
        while (highest <= index &&
               !header.threadsUsed.compare_exchange_weak(highest, index + 1, std::memory_order_relaxed)) {
        }
        return &slot;
    }
    return nullptr;
}

void fillSlot(ThreadSlot& slot) {
    slot.pid = recording.pid.load(std::memory_order_relaxed);
    slot.tid = static_cast<std::uint32_t>(systemCall(SYS_gettid));
    slot.processSlot = recording.processSlot;
    slot.firstChunk.store(0, std::memory_order_relaxed);
    slot.endTick = 0;
    for (auto& part : slot.name)
        part.store(0, std::memory_order_relaxed);
    slot.busy.store(0, std::memory_order_relaxed);
    slot.lost.store(0, std::memory_order_relaxed);
    slot.lostNested.store(0, std::memory_order_relaxed);
    slot.lostFirstTick.store(0, std::memory_order_relaxed);
    slot.lostLastTick.store(0, std::memory_order_relaxed);
    slot.stacksCut.store(0, std::memory_order_relaxed);
    slot.startTick = recording.tick();
    slot.state.store(kSlotUsed, std::memory_order_release);
}

void releaseState(ThreadState* state) {
    state->keys.release();
    returnPages(state, sizeof *state);
}

/// The ring of this thread in this process: a new one for a new thread, and for the thread that lives on in a child.
ThreadState* openThread(ThreadLocal& local) {
    const std::uint32_t generation = recording.generation.load(std::memory_order_relaxed);
    if (local.state != nullptr) releaseState(local.state); // the copy of the parent's
    local.state = nullptr;
    local.generation = generation;
    auto* state = static_cast<ThreadState*>(takePages(sizeof(ThreadState)));
    ThreadSlot* slot = state != nullptr ? claimSlot() : nullptr;
    if (slot == nullptr) {
        if (state != nullptr) returnPages(state, sizeof *state);
        return nullptr;
    }
    fillSlot(*slot);
    state->slot = slot;
    local.state = state;
    local.isOpening = true;
    if (hasEndKey && local.endRounds < PTHREAD_DESTRUCTOR_ITERATIONS) pthread_setspecific(endKey, state);
    local.isOpening = false;
    return state;
}

/// A thread may be named, and end, before anybody looks.
void noteName(ThreadSlot& slot) {
    std::uint64_t name[2] = {};
    static_assert(sizeof name == sizeof slot.name && sizeof name == 16); // as the system has them
    if (systemCall(SYS_prctl, PR_GET_NAME, reinterpret_cast<long>(name)) < 0) return;
    for (int i = 0; i < 2; ++i)
        slot.name[i].store(name[i], std::memory_order_relaxed);
}

/// The thread ends. Other destructors of its may still free something: ours asks to be called again until it is the
/// last.
void onThreadEnd(void* value) {
    ThreadLocal& local = threadLocal;
    if (local.state == nullptr || local.state != value) return;
    // In a forked child the ring may still be that of its parent's thread.
    if (recording.owner->load(std::memory_order_relaxed) != Recording::kThisProcess) return;
    if (local.generation != recording.generation.load(std::memory_order_relaxed)) return;
    if (++local.endRounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(endKey, value);
        return;
    }
    const AgentCalls calls;
    if (!calls.arePermitted()) return; // the system takes the pages, and the reader sees that the thread is gone
    local.isInAgent = true;
    fence();
    ThreadState* const state = local.state;
    local.state = nullptr;
    local.generation = 0;
    noteName(*state->slot);
    state->slot->endTick = recording.tick();
    state->slot->state.store(kSlotDone, std::memory_order_release);
    releaseState(state);
    fence();
    local.isInAgent = false;
}

/// Goes on in a fresh chunk. False: there is none, or nobody reads.
bool takeNextChunk(ThreadState& state, std::uint64_t tick) {
    const ChannelHeader& header = recording.channel.header();
    const std::uint64_t heartbeat = header.heartbeatTick.load(std::memory_order_relaxed);
    if (tick > heartbeat && tick - heartbeat > header.staleTicks) return false;
    const std::uint32_t number = recording.channel.takeChunk();
    if (number == kNoChunk) return false;
    ChunkHeader& chunk = recording.channel.chunk(number);
    (state.chunk != nullptr ? state.chunk->next : state.slot->firstChunk).store(number + 1, std::memory_order_release);
    state.chunk = &chunk;
    state.position = sizeof(ChunkHeader);
    return true;
}

/// Room for a record, or null. What is written there is seen by the reader from publish() on.
std::uint64_t* reserve(ThreadState& state, std::uint32_t bytes, std::uint64_t tick) {
    if (state.chunk == nullptr || state.position + bytes > kChunkBytes) [[unlikely]] {
        if (bytes > kChunkBytes - sizeof(ChunkHeader) || !takeNextChunk(state, tick)) return nullptr;
    }
    return reinterpret_cast<std::uint64_t*>(reinterpret_cast<char*>(state.chunk) + state.position);
}

void publish(ThreadState& state, std::uint32_t bytes) {
    state.position += bytes;
    state.chunk->published.store(state.position, std::memory_order_release);
}

void countLost(ThreadState& state, std::uint64_t tick) {
    ThreadSlot& slot = *state.slot;
    if (state.lost == 0) slot.lostFirstTick.store(tick, std::memory_order_relaxed);
    slot.lostLastTick.store(tick, std::memory_order_relaxed);
    slot.lost.store(++state.lost, std::memory_order_release);
    state.isStuck = true;
}

/// Asked again once the record is announced: the process may just be forbidding itself system calls, and wait for those
/// only that are at it.
bool isOurs() { return recording.owner->load(std::memory_order_relaxed) == Recording::kThisProcess; }

} // namespace

void prepareThreads() { hasEndKey = pthread_key_create(&endKey, onThreadEnd) == 0; }

RealCall::RealCall() : isNested_(threadLocal.realDepth != 0) { ++threadLocal.realDepth; }
RealCall::~RealCall() { --threadLocal.realDepth; }
bool RealCall::isUnderWay() { return threadLocal.realDepth != 0; }

void countNested() {
    if (threadLocal.state != nullptr) threadLocal.state->slot->lostNested.fetch_add(1, std::memory_order_relaxed);
}

RecordWriter::RecordWriter() {
    ThreadLocal& local = threadLocal;
    if (local.isInAgent) [[unlikely]] {
        if (!local.isOpening) countNested();
        return;
    }
    local.isInAgent = true;
    fence();
    ThreadState* state = local.state;
    if (local.generation != recording.generation.load(std::memory_order_relaxed)) [[unlikely]] {
        const AgentCalls calls;
        if (!calls.arePermitted()) {
            local.isInAgent = false;
            return;
        }
        state = openThread(local);
    }
    if (state == nullptr) [[unlikely]] {
        recording.channel.header().lostWithoutSlot.fetch_add(1, std::memory_order_relaxed);
        local.isInAgent = false;
        return;
    }
    state_ = state;
    state->slot->busy.store(++state->sequence, std::memory_order_relaxed);
    fence();
    if (!isOurs()) [[unlikely]] {
        close();
        return;
    }
    openTick_ = tick_ = recording.tick();
    if (state->isStuck) [[unlikely]]
        dropIfStuck();
}

/// As long as there is no room, or nobody reads, an event costs the target little more than to be counted.
void RecordWriter::dropIfStuck() {
    state_->isStuck = !takeNextChunk(*state_, tick_);
    if (!state_->isStuck) return;
    countLost(*state_, tick_);
    close();
}

RecordWriter::~RecordWriter() {
    if (state_ != nullptr) close();
}

void RecordWriter::close() {
    fence();
    state_->slot->busy.store(++state_->sequence, std::memory_order_release);
    state_ = nullptr;
    threadLocal.isInAgent = false;
}

void RecordWriter::timeAgain() { tick_ = recording.tick(); }

std::uint64_t RecordWriter::stack(const Caller& caller) {
    if ((recording.options & kStacks) == 0) return 0;
    ThreadState& state = *state_;
    const std::uint64_t seed = recording.seed.load(std::memory_order_relaxed);
    state.walker.walk(caller, seed);
    const std::uint64_t key = state.walker.key();
    if (!state.keys.contains(key, state.walker.callerKey())) [[unlikely]]
        isLost_ = !define(key);
    return key;
}

bool RecordWriter::define(std::uint64_t key) {
    ThreadState& state = *state_;
    const std::uint32_t depth = state.walker.depth();
    takeOverNewModules();
    // A module that was loaded since is reported before the first stack through it.
    for (std::uint32_t i = 0; i < depth; ++i)
        reportModuleOf(*this, state.walker.returnAddress(i));
    const std::uint32_t bytes = (3 + depth) * 8;
    std::uint64_t* const words = reserve(state, bytes, openTick_);
    if (words == nullptr) return false;
    words[0] = firstWord(RecordOp::Stack, openTick_);
    words[1] = key;
    words[2] = depth;
    for (std::uint32_t i = 0; i < depth; ++i)
        words[3 + i] = state.walker.returnAddress(i);
    publish(state, bytes);
    state.keys.insert(key, state.walker.callerKey());
    if (state.walker.wasCut()) state.slot->stacksCut.store(++state.cut, std::memory_order_relaxed);
    return true;
}

void RecordWriter::writeAt(std::uint64_t tick, RecordOp op, std::initializer_list<std::uint64_t> words) {
    const auto bytes = static_cast<std::uint32_t>((words.size() + 1) * 8);
    std::uint64_t* at = isLost_ ? nullptr : reserve(*state_, bytes, tick);
    if (at == nullptr) [[unlikely]] {
        countLost(*state_, tick);
        return;
    }
    *at++ = firstWord(op, tick);
    for (const std::uint64_t word : words)
        *at++ = word;
    publish(*state_, bytes);
}

bool RecordWriter::writeModule(std::uint64_t base, std::uint64_t bytes, const char* path, const unsigned char* buildId,
                               std::uint32_t buildIdBytes, bool isProgram) {
    constexpr std::uint64_t kMostText = 4096;
    std::uint64_t pathBytes = std::strlen(path);
    if (pathBytes > kMostText) pathBytes = kMostText;
    if (buildIdBytes > 64) buildIdBytes = 64;
    const std::uint64_t textBytes = paddedBytes(pathBytes) + paddedBytes(buildIdBytes);
    const auto recordBytes = static_cast<std::uint32_t>(32 + textBytes);
    std::uint64_t* const words = reserve(*state_, recordBytes, openTick_);
    if (words == nullptr) return false;
    words[0] = firstWord(RecordOp::Module, openTick_);
    words[1] = base;
    words[2] = bytes;
    words[3] = pathBytes | std::uint64_t{buildIdBytes} << 32 | std::uint64_t{isProgram ? 1u : 0u} << 48;
    std::memset(words + 4, 0, textBytes);
    std::memcpy(words + 4, path, pathBytes);
    if (buildIdBytes != 0)
        std::memcpy(reinterpret_cast<char*>(words + 4) + paddedBytes(pathBytes), buildId, buildIdBytes);
    publish(*state_, recordBytes);
    return true;
}

} // namespace highwater::agent
