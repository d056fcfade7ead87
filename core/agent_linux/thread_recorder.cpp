#include "core/agent_linux/thread_recorder.h"

#include "core/agent_linux/abandoned_frame.h"
#include "core/agent_linux/call_sites.h"
#include "core/agent_linux/mapped_chunks.h"
#include "core/agent_linux/modules.h"
#include "core/agent_linux/record_writer.h"
#include "core/agent_linux/restriction.h"

#include <cstring>
#include <pthread.h>
#include <sys/prctl.h>
#include <utility>

namespace highwater::agent {

constinit thread_local ThreadLocal threadLocal{};

namespace {

pthread_key_t endKey;
bool hasEndKey;

void goOnIn(ThreadState& state, ChunkHeader& chunk, std::uint32_t number) {
    if (state.chunk != nullptr) mappedChunks.release(state.chunkNumber);
    state.chunkNumber = number;
    state.chunk = &chunk;
    state.position = sizeof(ChunkHeader);
}

ThreadSlot* claimSlot() {
    ChannelHeader& header = recording.channel.header();
    const std::uint32_t hint = header.threadHint.fetch_add(1, std::memory_order_relaxed);
    const std::uint32_t used = header.threadsUsed.load(std::memory_order_relaxed);
    // Prefers slots that were used before, so that the reader has few slots to check.
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
    slot.readerTid = threadNumberForReader(slot.tid);
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

/// Of this process, by ThreadState::index.
std::atomic<ThreadState*> openStates[kMostThreads];

void releaseState(ThreadState* state) {
    ThreadState* expected = state;
    openStates[state->index].compare_exchange_strong(expected, nullptr);
    state->keys.release();
    returnPages(state, sizeof *state);
}

/// Registers onThreadEnd() for this thread. libc may allocate for that.
void announceEnd(ThreadLocal& local) {
    local.isOpening = true;
    if (hasEndKey && local.endRounds < PTHREAD_DESTRUCTOR_ITERATIONS) pthread_setspecific(endKey, local.state);
    local.isOpening = false;
}

/// The ring of this thread in this process: a new one for a new thread, and for the surviving thread in a forked child.
/// From the moment the thread has the slot until the reader sees it, mend() can complete the work, so that a thread
/// that leaves this function with a jump still has only one ring.
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
    leaveOutOfCores(state, sizeof *state); // as emptyThreadStates() in copies
    recording.threadsOpened.fetch_add(1);
    state->slot = slot;
    state->index = static_cast<std::uint32_t>(slot - &recording.channel.thread(0));
    openStates[state->index].store(state);
    fence();
    local.state = state;
    fence();
    fillSlot(*slot);
    announceEnd(local);
    return state;
}

/// A thread may be named and end before the reader queries its name.
void noteName(ThreadSlot& slot) {
    std::uint64_t name[2] = {};
    static_assert(sizeof name == sizeof slot.name && sizeof name == 16); // the size in the system
    if (systemCall(SYS_prctl, PR_GET_NAME, reinterpret_cast<long>(name)) < 0) return;
    for (int i = 0; i < 2; ++i)
        slot.name[i].store(name[i], std::memory_order_relaxed);
}

/// Called when the thread ends. Its other destructors may still free memory, so this one asks to be called again until
/// it is the last.
void onThreadEnd(void* value) {
    ThreadLocal& local = threadLocal;
    if (local.state == nullptr || local.state != value) return;
    // In a forked child the ring may still belong to the parent's thread.
    if (recording.owner->load(std::memory_order_relaxed) != Recording::kThisProcess) return;
    if (local.generation != recording.generation.load(std::memory_order_relaxed)) return;
    if (++local.endRounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(endKey, value);
        return;
    }
    const AgentCalls calls;
    if (!calls.arePermitted()) return; // the system frees the pages, and the reader notices the end of the thread
    const std::uint64_t before = local.work;
    local.work = stackPointerHere() | kInRecord;
    fence();
    ThreadState* const state = local.state;
    local.state = nullptr;
    local.generation = 0;
    noteName(*state->slot);
    state->slot->endTick = recording.tick();
    state->slot->state.store(kSlotDone, std::memory_order_release);
    if (state->chunk != nullptr) mappedChunks.release(state->chunkNumber);
    releaseState(state);
    fence();
    local.work = before;
}

} // namespace

bool takeNextChunk(ThreadState& state, std::uint64_t tick) {
    const ChannelHeader& header = recording.channel.header();
    const std::uint64_t heartbeat = header.heartbeatTick.load(std::memory_order_relaxed);
    if (tick > heartbeat && tick - heartbeat > header.staleTicks) return false;
    std::uint32_t number = 0;
    ChunkHeader* const chunk = mappedChunks.take(number);
    if (chunk == nullptr) return false;
    (state.chunk != nullptr ? state.chunk->next : state.slot->firstChunk).store(number + 1, std::memory_order_release);
    goOnIn(state, *chunk, number);
    return true;
}

void prepareThreads() { hasEndKey = pthread_key_create(&endKey, onThreadEnd) == 0; }

void countNested() {
    const ThreadLocal& local = threadLocal;
    if (local.state == nullptr || local.isOpening) return;
    local.state->slot->lostNested.fetch_add(1, std::memory_order_relaxed);
}

namespace {

/// Repairs a ring after an operation on it was interrupted for good; published data is kept.
void mend(ThreadState& state) {
    if (state.slot->state.load(std::memory_order_relaxed) == kSlotClaimed) fillSlot(*state.slot);
    if (state.sequence % 2 != 0) ++state.sequence;
    const std::uint32_t link = (state.chunk != nullptr ? state.chunk->next : state.slot->firstChunk).load();
    const bool isLinked = link != 0 && link <= recording.channel.chunkCount();
    ChunkHeader* const linked = isLinked ? mappedChunks.find(link - 1) : nullptr; // it had just been taken
    if (linked != nullptr) goOnIn(state, *linked, link - 1);
    if (state.chunk != nullptr) state.position = state.chunk->published.load(std::memory_order_relaxed);
    // Makes the next record use full time and stack, because the last values are not certain.
    constexpr std::uint64_t kTooManyForShort = std::uint64_t{2} << kShortTickBits;
    const std::uint64_t tick = recording.tick();
    state.lastTick = tick - (tick < kTooManyForShort ? tick : kTooManyForShort);
    state.lastStack = 0;
    state.walker.forget();
    state.keys.release();
    fence();
    state.slot->busy.store(state.sequence, std::memory_order_release);
}

} // namespace

void emptyThreadStates() {
    for (const auto& open : openStates) {
        if (const ThreadState* const state = open.load())
            systemCall(SYS_madvise, asArgument(state), sizeof *state, MADV_DONTNEED);
    }
}

bool leaveAbandonedFrame(std::uint64_t hookFrame) {
    ThreadLocal& local = threadLocal;
    const std::uint64_t work = local.work;
    constexpr std::uint64_t kToEndOfFrame = 16; // the caller's frame pointer and the return address
    if (recording.owner == nullptr) return false;
    const AgentCalls calls; // the following code asks the kernel about readable memory
    if (!calls.arePermitted()) return false;
    if (!isFrameAbandoned(work & ~std::uint64_t{kWorkBits}, hookFrame + kToEndOfFrame)) return false;
    AgentCalls::forgetOthers();
    const bool wasOpening = std::exchange(local.isOpening, false);
    const bool isRingOurs = local.generation == recording.generation.load(std::memory_order_relaxed);
    if (isRingOurs && local.state == nullptr) local.generation = 0; // it was about to get a ring
    if (isRingOurs && local.state != nullptr && (work & kInRecord) != 0) {
        const bool isNew = wasOpening || local.state->slot->state.load(std::memory_order_relaxed) == kSlotClaimed;
        mend(*local.state);
        if (isNew) announceEnd(local);
    }
    fence();
    local.work = 0;
    return true;
}

std::uint64_t RealCall::beginInside(std::uint64_t hookFrame, Work work) {
    ThreadLocal& local = threadLocal;
    const bool isOutermost = leaveAbandonedFrame(hookFrame);
    const std::uint64_t before = isOutermost ? 0 : local.work;
    local.work = (isOutermost ? hookFrame : before) | work;
    return before;
}

/// The thread has no ring in this process. False: it cannot get one now, and has left the agent again.
bool RecordWriter::openRing(std::uint64_t before) {
    ThreadLocal& local = threadLocal;
    ThreadState* state = local.state;
    bool isPermitted = true;
    if (local.generation != recording.generation.load(std::memory_order_relaxed)) {
        const AgentCalls calls;
        isPermitted = calls.arePermitted();
        if (isPermitted) state = openThread(local);
    }
    if (isPermitted && state != nullptr) return true;
    if (isPermitted) recording.channel.header().lostWithoutSlot.fetch_add(1, std::memory_order_relaxed);
    local.work = before;
    return false;
}

void RecordWriter::countLost(std::uint64_t tick) {
    ThreadState& state = *state_;
    ThreadSlot& slot = *state.slot;
    if (state.lost == 0) slot.lostFirstTick.store(tick, std::memory_order_relaxed);
    slot.lostLastTick.store(tick, std::memory_order_relaxed);
    slot.lost.store(++state.lost, std::memory_order_release);
    state.isStuck = true;
}

/// While there is no room or no reader, an event is only counted, which costs little.
void RecordWriter::dropIfStuck() {
    state_->isStuck = !takeNextChunk(*state_, tick_);
    if (!state_->isStuck) return;
    countLost(tick_);
    close();
}

void RecordWriter::timeAgain() {
    const std::uint64_t tick = recording.eventTick();
    tick_ = tick > openTick_ ? tick : openTick_;
}

std::uint64_t RecordWriter::stack(const Caller& caller) {
    if ((recording.options & kStacks) == 0) return 0;
    ThreadState& state = *state_;
    const std::uint64_t seed = recording.seed.load(std::memory_order_relaxed);
    state.walker.walk(caller, seed);
    const std::uint64_t key = state.walker.key();
    if (key != state.lastStack && !state.keys.contains(key, state.walker.callerKey())) [[unlikely]]
        isLost_ = !define(key);
    return key;
}

bool RecordWriter::define(std::uint64_t key) {
    ThreadState& state = *state_;
    const std::uint32_t depth = state.walker.depth();
    takeOverNewModules();
    // Reports modules loaded since the last stack before the first stack through them.
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
    publish(state, bytes, openTick_);
    state.keys.insert(key, state.walker.callerKey());
    if (state.walker.wasCut()) state.slot->stacksCut.store(++state.cut, std::memory_order_relaxed);
    return true;
}

bool RecordWriter::writeAt(std::uint64_t tick, RecordOp op, std::initializer_list<std::uint64_t> words) {
    const auto bytes = static_cast<std::uint32_t>((words.size() + 1) * 8);
    std::uint64_t* at = isLost_ ? nullptr : reserve(*state_, bytes, tick);
    if (at == nullptr) [[unlikely]] {
        countLost(tick);
        return false;
    }
    *at++ = firstWord(op, tick);
    for (const std::uint64_t word : words)
        *at++ = word;
    publish(*state_, bytes, tick);
    return true;
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
    publish(*state_, recordBytes, openTick_);
    return true;
}

} // namespace highwater::agent
