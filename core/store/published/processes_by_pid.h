#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published/process_table.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace highwater::store {

/// The instances of each pid. Immutable; any thread.
class ProcessesByPid {
  public:
    explicit ProcessesByPid(const ProcessTable& processes);
    /// The instance at that time: the last one in the table that had started, otherwise the first. Nothing: none. Takes
    /// logarithmic time, because a damaged file can have any number of instances of one pid.
    [[nodiscard]] std::optional<ProcessIndex> at(std::uint32_t pid, TraceTime time) const;

  private:
    struct Instance {
        ProcessIndex index;
        TraceTime earliest; ///< start of this instance or of a later one in the table, so that it ascends
    };
    std::unordered_map<std::uint32_t, std::vector<Instance>> ofPid_; ///< in the order of the table
};

} // namespace highwater::store
