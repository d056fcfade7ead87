#pragma once

#include "core/fleet/contract/fleet_question.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace highwater::fleet {

/// Collects the builds of runs, which may be added in any order. One thread.
class BuildOrder {
  public:
    void add(const summary::RunFacts& run);
    /// Sorted builds (BuildValue), unknown builds last, each with its name and first recording.
    [[nodiscard]] std::vector<BuildValue> builds() const;

  private:
    std::map<std::string, std::optional<std::int64_t>> firstOf_;
};

} // namespace highwater::fleet
