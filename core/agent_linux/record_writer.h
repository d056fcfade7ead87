#pragma once

#include "core/agent_linux/thread_state.h"

#include <cstdint>
#include <initializer_list>

namespace highwater::agent {

/// One event of the calling thread while it is being written; the ring is the thread's own, so that nobody waits.
/// Between construction and destruction no other record of this thread can begin: what a signal handler does meanwhile
/// is counted as lost. Also safe in a signal handler itself.
class RecordWriter {
  public:
    /// Opens a record of the calling thread, at this instant.
    RecordWriter();
    /// The same in a RealCall that has found the thread in no record.
    enum class Inside { RealCall };
    explicit RecordWriter(Inside);
    ~RecordWriter();
    RecordWriter(const RecordWriter&) = delete;
    RecordWriter& operator=(const RecordWriter&) = delete;

    [[nodiscard]] bool isOpen() const { return state_ != nullptr; }
    [[nodiscard]] std::uint64_t tick() const { return tick_; }
    /// Takes the time again: for a call that began when the record was opened and has ended now.
    void timeAgain();

    /// The key of the caller's stack, written to the ring if it is new there; 0 without stacks. `isLost()` afterwards
    /// if it could not be written.
    [[nodiscard]] std::uint64_t stack(const Caller& caller);
    /// Writes the record at tick(), or counts it as lost.
    void write(RecordOp op, std::initializer_list<std::uint64_t> words) { writeAt(tick_, op, words); }
    /// The same of what there are most of, in the shortest form that it fits in.
    void writeAllocation(std::uint64_t address, std::uint64_t bytes, std::uint64_t stack);
    void writeFree(std::uint64_t address);
    /// False: it is lost.
    [[gnu::noinline]] bool writeAt(std::uint64_t tick, RecordOp op, std::initializer_list<std::uint64_t> words);
    /// A module; a path is cut to 4 KB. False: there was no room.
    bool writeModule(std::uint64_t base, std::uint64_t bytes, const char* path, const unsigned char* buildId,
                     std::uint32_t buildIdBytes, bool isProgram);

  private:
    /// Asked again once the record is announced: the process may just be forbidding itself system calls, and wait for
    /// those only that are at it.
    [[nodiscard]] static bool isOurs() {
        return recording.owner->load(std::memory_order_relaxed) == Recording::kThisProcess;
    }
    void open(std::uint64_t work);
    [[nodiscard, gnu::noinline]] static bool openRing(std::uint64_t before);
    [[gnu::noinline]] bool define(std::uint64_t key);
    void countLost(std::uint64_t tick);
    [[gnu::noinline]] void dropIfStuck();
    void close();
    [[nodiscard]] bool isShort(std::uint64_t address) const {
        return !isLost_ && agent::isShort(tick_ - state_->lastTick, address);
    }

    ThreadState* state_ = nullptr;
    std::uint64_t openTick_ = 0; ///< definitions have this time: a record may be written with it, or a later one
    std::uint64_t tick_ = 0;
    std::uint64_t before_ = 0; ///< ThreadLocal::work
    bool isLost_ = false;
};

// What each event passes through.

[[gnu::always_inline]] inline RecordWriter::RecordWriter() {
    ThreadLocal& local = threadLocal;
    if ((local.work & kInRecord) != 0 && !leaveAbandonedFrame(HIGHWATER_HOOK_FRAME())) [[unlikely]] {
        countNested();
        return;
    }
    before_ = local.work;
    open(before_ != 0 ? before_ : stackPointerHere());
}

[[gnu::always_inline]] inline RecordWriter::RecordWriter(Inside) : before_(threadLocal.work) { open(before_); }

[[gnu::always_inline]] inline void RecordWriter::open(std::uint64_t work) {
    ThreadLocal& local = threadLocal;
    local.work = work | kInRecord;
    fence();
    if (local.generation != recording.generation.load(std::memory_order_relaxed) || local.state == nullptr)
        [[unlikely]] {
        if (!openRing(before_)) return;
    }
    ThreadState& state = *local.state;
    state_ = &state;
    state.slot->busy.store(++state.sequence, std::memory_order_relaxed);
    fence();
    if (!isOurs()) [[unlikely]] {
        close();
        return;
    }
    const std::uint64_t tick = recording.eventTick();
    openTick_ = tick_ = tick > state.lastTick ? tick : state.lastTick; // loose times are in no order
    if (state.isStuck) [[unlikely]]
        dropIfStuck();
}

inline RecordWriter::~RecordWriter() {
    if (state_ != nullptr) close();
}

inline void RecordWriter::close() {
    fence();
    state_->slot->busy.store(++state_->sequence, std::memory_order_release);
    state_ = nullptr;
    threadLocal.work = before_;
}

inline void RecordWriter::writeFree(std::uint64_t address) {
    ThreadState& state = *state_;
    constexpr std::uint32_t kBytes = 8;
    std::uint64_t* const words = isShort(address) ? reserve(state, kBytes, tick_) : nullptr;
    if (words == nullptr) [[unlikely]] {
        writeAt(tick_, RecordOp::Free, {address});
        return;
    }
    words[0] = shortWord(RecordOp::FreeShort, tick_ - state.lastTick, address);
    publish(state, kBytes, tick_);
}

inline void RecordWriter::writeAllocation(std::uint64_t address, std::uint64_t bytes, std::uint64_t stack) {
    ThreadState& state = *state_;
    const bool isAgain = stack == state.lastStack;
    const std::uint32_t recordBytes = isAgain ? 16 : 24;
    std::uint64_t* const words = isShort(address) ? reserve(state, recordBytes, tick_) : nullptr;
    if (words == nullptr) [[unlikely]] {
        if (writeAt(tick_, RecordOp::Allocate, {address, bytes, stack})) state.lastStack = stack;
        return;
    }
    const RecordOp op = isAgain ? RecordOp::AllocateAgain : RecordOp::AllocateShort;
    words[0] = shortWord(op, tick_ - state.lastTick, address);
    words[1] = bytes;
    if (!isAgain) words[2] = stack;
    state.lastStack = stack;
    publish(state, recordBytes, tick_);
}

} // namespace highwater::agent
