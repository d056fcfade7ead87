#pragma once

#include "core/agent_linux/recording.h"
#include "core/agent_linux/stack_walker.h"

#include <initializer_list>

namespace highwater::agent {

/// Prepares what threads need to hand back their rings when they end. Before the first record.
void prepareThreads();

/// What a hook of an allocation function does around the real one: the pages that an allocator asks for while it is at
/// work are not the program's doing, and what it passes on to another allocation function is no second event.
class RealCall {
  public:
    RealCall();
    ~RealCall();
    RealCall(const RealCall&) = delete;
    RealCall& operator=(const RealCall&) = delete;
    /// Whether a hook further out on this thread is in its real function already.
    [[nodiscard]] bool isNested() const { return isNested_; }
    /// Whether this thread is in the real function of any such hook.
    [[nodiscard]] static bool isUnderWay();

  private:
    bool isNested_;
};

struct ThreadState;

/// One event of the calling thread while it is being written; the ring is the thread's own, so that nobody waits.
/// Between construction and destruction no other record of this thread can begin: what a signal handler does meanwhile
/// is counted as lost. Also safe in a signal handler itself.
class RecordWriter {
  public:
    /// Opens a record of the calling thread, at this instant.
    RecordWriter();
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
    void writeAt(std::uint64_t tick, RecordOp op, std::initializer_list<std::uint64_t> words);
    /// A module; a path is cut to 4 KB. False: there was no room.
    bool writeModule(std::uint64_t base, std::uint64_t bytes, const char* path, const unsigned char* buildId,
                     std::uint32_t buildIdBytes, bool isProgram);

  private:
    bool define(std::uint64_t key);
    void dropIfStuck();
    void close();

    ThreadState* state_ = nullptr;
    std::uint64_t openTick_ = 0; ///< definitions have this time: a record may be written with it, or a later one
    std::uint64_t tick_ = 0;
    bool isLost_ = false;
};

/// A hook was called inside the agent (a signal handler interrupted it): its event is lost, and counted.
void countNested();

} // namespace highwater::agent
