#pragma once

#include "core/etl/raw_record.h"

#include <cstdint>
#include <string>

namespace highwater::pipeline {

/// A part of a recording that is missing in its file because the disk stalled. Removes events from batches, keeps
/// records that define the meaning of others (processes, images, stack keys, marks, samples), and writes a record with
/// the number of missing events at its end. One thread.
class FileGap {
  public:
    [[nodiscard]] bool isOpen() const { return isOpen_; }
    /// Events in all gaps so far.
    [[nodiscard]] std::uint64_t events() const { return allEvents_; }
    /// The same without the open gap.
    [[nodiscard]] std::uint64_t eventsBefore() const { return allEvents_ - events_; }

    /// Removes the events and their stacks. The rest gets its own memory of the exact size.
    void take(etl::RecordBatch& batch);
    /// Inserts the record at the start of the batch, as the end of the gap. `processor`: one of the recorder's own.
    void close(etl::RecordBatch& batch, std::uint16_t processor);

  private:
    bool isOpen_ = false;
    std::int64_t firstTicks_ = 0;
    std::int64_t lastTicks_ = 0;
    std::uint64_t events_ = 0;
    std::uint64_t allEvents_ = 0;
};

} // namespace highwater::pipeline
