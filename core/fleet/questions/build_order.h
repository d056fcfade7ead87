#pragma once

#include "core/fleet/questions/fleet_reader.h"

#include <vector>

namespace highwater::fleet {

/// Builds in their order (BuildValue), what is not known last; of each its name and first recording.
[[nodiscard]] std::vector<BuildValue> buildsInOrder(const std::vector<StoredRun>& runs);

} // namespace highwater::fleet
