#pragma once

#include "core/etl/raw_record.h"

#include <cstdint>
#include <string>

namespace highwater::pipeline {

/// A part of a recording that its file lacks because the disk stood still: takes events out of batches, keeps what
/// gives others their meaning (processes, images, stack keys, marks, samples), and leaves a record where it ended that
/// says how much is missing. One thread.
class FileGap {
  public:
    [[nodiscard]] bool isOpen() const { return isOpen_; }
    /// Events in all gaps until now.
    [[nodiscard]] std::uint64_t events() const { return allEvents_; }
    /// The same, without the gap that is open.
    [[nodiscard]] std::uint64_t eventsBefore() const { return allEvents_ - events_; }

    /// Takes the events out, with their stacks. What is left has memory of its own, of no more than its size.
    void take(etl::RecordBatch& batch);
    /// Puts the record before what is in the batch, as the end of the gap. `processor`: one of the recorder's own.
    void close(etl::RecordBatch& batch, std::uint16_t processor);

  private:
    bool isOpen_ = false;
    std::int64_t firstTicks_ = 0;
    std::int64_t lastTicks_ = 0;
    std::uint64_t events_ = 0;
    std::uint64_t allEvents_ = 0;
};

} // namespace highwater::pipeline
