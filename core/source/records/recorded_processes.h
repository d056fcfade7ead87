#pragma once

#include "core/base/units.h"
#include "core/etl/raw_record.h"
#include "core/source/records/system_records.h"

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace highwater::source {

/// Selects the records that belong to a recording from machine-wide records: those of its processes, and those that
/// locate kernel modules. Detects child processes from the records. One thread.
class RecordedProcesses {
  public:
    /// `withChildren`: also record child processes.
    explicit RecordedProcesses(bool withChildren) : withChildren_(withChildren) {}

    void add(std::uint32_t pid);
    /// Marks a module as reported, so that its rundown record is dropped.
    void addImage(std::uint32_t pid, Address base) { images_.insert({pid, base}); }

    [[nodiscard]] bool isImageReported(std::uint32_t pid, Address base) const { return images_.contains({pid, base}); }

    /// Whether the record belongs to the recording. Call it for all records in time order.
    [[nodiscard]] bool takes(const etl::RawRecord& record);
    /// Children found since the last call, which are recorded from now on.
    [[nodiscard]] std::vector<std::uint32_t> takeNewChildren() { return std::exchange(newChildren_, {}); }
    /// All recorded processes that have not ended.
    [[nodiscard]] const std::set<std::uint32_t>& running() const { return running_; }
    /// Marks a process as ended for which no end record exists.
    void noteEnd(std::uint32_t pid) { running_.erase(pid); }

  private:
    [[nodiscard]] bool isOurs(std::uint32_t pid) const { return pids_.contains(pid); }
    [[nodiscard]] bool takesProcess(const etl::RawRecord& record);
    [[nodiscard]] bool takesImage(const etl::RawRecord& record);

    bool withChildren_;
    std::set<std::uint32_t> pids_; ///< including ended ones, whose records may still arrive
    std::set<std::uint32_t> running_;
    std::vector<std::uint32_t> newChildren_;
    std::set<std::pair<std::uint32_t, Address>> images_;
};

/// The module in a load or rundown record; nothing: another kind of record, or a truncated one.
[[nodiscard]] std::optional<SystemImage> imageOfRecord(const etl::RawRecord& record);

} // namespace highwater::source
