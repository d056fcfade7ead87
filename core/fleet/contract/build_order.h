#pragma once

#include "core/fleet/contract/fleet_question.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace highwater::fleet {

/// Collects the builds of runs, in any order of these. One thread.
class BuildOrder {
  public:
    void add(const summary::RunFacts& run);
    /// Builds in their order (BuildValue), what is not known last; of each its name and first recording.
    [[nodiscard]] std::vector<BuildValue> builds() const;

  private:
    std::map<std::string, std::optional<std::int64_t>> firstOf_;
};

} // namespace highwater::fleet
