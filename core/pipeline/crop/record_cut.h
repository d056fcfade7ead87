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

/// An interval in the ticks of records, half-open.
struct TickRange {
    std::int64_t first = 0;
    std::int64_t end = 0;
};

/// Decides, record by record in the order of time, what of a trace belongs into a crop of it:
///
///     before the interval    what gives others their meaning (processes, images, names of code, heaps), and losses:
///                            what is outstanding by then is written by other means
///     in the interval        all of the processes that are kept
///     after it               what tells of things that were there before: rundowns, definitions of stack keys, and
///                            stacks of records of the interval; with the last time of the interval
///
/// One thread.
class RecordCut {
  public:
    RecordCut(TickRange range, const CropProcesses& processes);

    /// What the crop is to have of the record: itself, with a definition that it needs before it, or nothing. Valid
    /// until the next call.
    [[nodiscard]] std::span<const etl::RawRecord> cut(const etl::RawRecord& record);
    /// Whether what is outstanding at the begin of the interval depends on it.
    [[nodiscard]] bool isOfTheStart(const etl::RawRecord& record) const;
    [[nodiscard]] const CropStackKeys& stackKeys() const { return keys_; }

  private:
    struct Thread {
        std::uint32_t pid = etl::kNoId;
        std::uint32_t tid = etl::kNoId;
    };

    [[nodiscard]] bool hasStart() const { return range_.first != std::numeric_limits<std::int64_t>::min(); }
    void noteSwitch(const etl::RawRecord& record);
    [[nodiscard]] etl::RawRecord withThread(const etl::RawRecord& record) const;
    [[nodiscard]] bool isOfChosen(const etl::RawRecord& record) const;
    [[nodiscard]] bool belongs(const etl::RawRecord& record);
    [[nodiscard]] bool stackBelongs(const etl::RawRecord& record);
    [[nodiscard]] bool definitionBelongs(const etl::RawRecord& record);
    [[nodiscard]] bool belongsBefore(const etl::RawRecord& record);
    [[nodiscard]] bool belongsAfter(const etl::RawRecord& record);
    void noteBegun(const etl::RawRecord& record);
    [[nodiscard]] bool hasBegunAfter(const etl::RawRecord& record) const;

    TickRange range_;
    const CropProcesses& processes_;
    CropStackKeys keys_;
    std::vector<etl::RawRecord> kept_;
    std::vector<Thread> running_;                             ///< by processor, as far as records told
    tsl::robin_set<std::int64_t> keptBefore_;                 ///< ticks of kept records that may have stacks
    std::set<std::uint32_t> startedAfter_;                    ///< processes
    std::set<std::pair<std::uint32_t, Address>> loadedAfter_; ///< images
};

} // namespace highwater::pipeline
