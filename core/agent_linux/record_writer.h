#pragma once

#include "core/agent_linux/thread_state.h"

#include <cstdint>
#include <initializer_list>

namespace highwater::agent {

/// Writes one event of the calling thread. The ring belongs to the thread, so that it never waits. Between construction
/// and destruction no other record of this thread can start: events of signal handlers in that time are counted as
/// lost. Can also be used in a signal handler.
class RecordWriter {
  public:
    /// Opens a record of the calling thread, with the current time.
    RecordWriter();
    /// The same inside a RealCall that has checked that the thread is not in a record.
    enum class Inside { RealCall };
    explicit RecordWriter(Inside);
    ~RecordWriter();
    RecordWriter(const RecordWriter&) = delete;
    RecordWriter& operator=(const RecordWriter&) = delete;

    [[nodiscard]] bool isOpen() const { return state_ != nullptr; }
    [[nodiscard]] std::uint64_t tick() const { return tick_; }
    /// Reads the time again, for a call that was running since the record was opened.
    void timeAgain();

    /// The key of the caller's stack, which is defined in the ring if it is new; 0 without stacks. Check `isLost()`
    /// afterwards: the definition may not fit.
    [[nodiscard]] std::uint64_t stack(const Caller& caller);
    /// Writes the record with the time tick(), or counts it as lost.
    void write(RecordOp op, std::initializer_list<std::uint64_t> words) { writeAt(tick_, op, words); }
    /// Writes the most frequent kind of record, in the shortest form that fits.
    void writeAllocation(std::uint64_t address, std::uint64_t bytes, std::uint64_t stack);
    void writeFree(std::uint64_t address);
    /// False: the record is lost.
    [[gnu::noinline]] bool writeAt(std::uint64_t tick, RecordOp op, std::initializer_list<std::uint64_t> words);
    /// Writes a module record; a path is cut to 4 KB. False: no room.
    bool writeModule(std::uint64_t base, std::uint64_t bytes, const char* path, const unsigned char* buildId,
                     std::uint32_t buildIdBytes, bool isProgram);

  private:
    /// Checked again after the record is announced, because the process may be restricting its own system calls, and
    /// then waits only for threads with an announced record.
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
    std::uint64_t openTick_ = 0; ///< the time of definitions: a record has this time or a later one
    std::uint64_t tick_ = 0;
    std::uint64_t before_ = 0; ///< ThreadLocal::work
    bool isLost_ = false;
};

// The fast path of each event.

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
    openTick_ = tick_ = tick > state.lastTick ? tick : state.lastTick; // loose times are not ordered
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
