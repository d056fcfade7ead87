#pragma once

#include "core/agent_linux/channel_layout.h"
#include "core/agent_linux/stack_walker.h"

#include <cstdint>
#include <initializer_list>

namespace highwater::agent {

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

} // namespace highwater::agent
