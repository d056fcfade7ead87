#pragma once

#include "core/base/units.h"
#include "core/etl/raw_record.h"
#include "core/pipeline/crop/crop_processes.h"
#include "core/pipeline/crop/crop_stack_keys.h"

#include <tsl/robin_set.h>

#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace highwater::pipeline {

/// An interval in record ticks, half-open.
struct TickRange {
    std::int64_t first = 0;
    std::int64_t end = 0;
};

/// Decides, record by record in time order, which records of a trace belong to a crop of it:
///
///     before the interval    records that define the meaning of others (processes, images, code names, heaps), and
///                            losses; outstanding allocations are written separately
///     in the interval        all records of the processes that are kept
///     after it               records about existing state: rundowns, definitions of stack keys, and
///                            stacks of records of the interval; with the last time of the interval
///
/// One thread.
class RecordCut {
  public:
    RecordCut(TickRange range, const CropProcesses& processes);

    /// The records to write to the crop: the record itself, with a definition that it needs before it, or nothing.
    /// Valid until the next call.
    [[nodiscard]] std::span<const etl::RawRecord> cut(const etl::RawRecord& record);
    /// Whether the allocations outstanding at the start of the interval depend on it.
    [[nodiscard]] bool affectsStartState(const etl::RawRecord& record) const;
    [[nodiscard]] const CropStackKeys& stackKeys() const { return keys_; }

  private:
    struct Thread {
        std::uint32_t pid = etl::kNoId;
        std::uint32_t tid = etl::kNoId;
    };

    [[nodiscard]] bool hasStart() const { return range_.first != std::numeric_limits<std::int64_t>::min(); }
    void noteSwitch(const etl::RawRecord& record);
    [[nodiscard]] etl::RawRecord withThread(const etl::RawRecord& record) const;
    [[nodiscard]] bool belongsToChosenProcess(const etl::RawRecord& record) const;
    [[nodiscard]] bool belongs(const etl::RawRecord& record);
    [[nodiscard]] bool stackBelongs(const etl::RawRecord& record);
    [[nodiscard]] bool definitionBelongs(const etl::RawRecord& record);
    [[nodiscard]] bool belongsBefore(const etl::RawRecord& record);
    [[nodiscard]] bool belongsAfter(const etl::RawRecord& record);
    void noteStartAfter(const etl::RawRecord& record);
    [[nodiscard]] bool hasBegunAfter(const etl::RawRecord& record) const;

    TickRange range_;
    const CropProcesses& processes_;
    CropStackKeys keys_;
    std::vector<etl::RawRecord> kept_;
    std::vector<Thread> running_;                             ///< by processor, as far as recorded
    tsl::robin_set<std::int64_t> keptBefore_;                 ///< ticks of kept records that may have stacks
    std::set<std::uint32_t> startedAfter_;                    ///< process ids
    std::set<std::pair<std::uint32_t, Address>> loadedAfter_; ///< images
};

} // namespace highwater::pipeline
