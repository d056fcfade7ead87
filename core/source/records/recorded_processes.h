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

/// Which of the records of a whole machine belong to a recording: those of its processes, and where modules of the
/// kernel lie. Learns from the records what its processes start. One thread.
class RecordedProcesses {
  public:
    /// `withChildren`: what they start is recorded, too.
    explicit RecordedProcesses(bool withChildren) : withChildren_(withChildren) {}

    void add(std::uint32_t pid);
    /// A module that has been told of: its rundown record is not wanted again.
    void addImage(std::uint32_t pid, Address base) { images_.insert({pid, base}); }

    [[nodiscard]] bool knowsImage(std::uint32_t pid, Address base) const { return images_.contains({pid, base}); }

    /// Whether the record belongs to it. Records in time order.
    [[nodiscard]] bool takes(const etl::RawRecord& record);
    /// Children that were found since the last call, and are recorded from now on.
    [[nodiscard]] std::vector<std::uint32_t> takeNewChildren() { return std::exchange(newChildren_, {}); }
    /// All that were recorded and have not ended.
    [[nodiscard]] const std::set<std::uint32_t>& running() const { return running_; }
    /// One of them has ended without a record that says so.
    void noteEnd(std::uint32_t pid) { running_.erase(pid); }

  private:
    [[nodiscard]] bool isOurs(std::uint32_t pid) const { return pids_.contains(pid); }
    [[nodiscard]] bool takesProcess(const etl::RawRecord& record);
    [[nodiscard]] bool takesImage(const etl::RawRecord& record);

    bool withChildren_;
    std::set<std::uint32_t> pids_; ///< ever: what ended may still have records on the way
    std::set<std::uint32_t> running_;
    std::vector<std::uint32_t> newChildren_;
    std::set<std::pair<std::uint32_t, Address>> images_;
};

/// The module that a load or rundown record tells of; nothing: it is another record, or cut off.
[[nodiscard]] std::optional<SystemImage> imageOfRecord(const etl::RawRecord& record);

} // namespace highwater::source
