#pragma once

#include "core/base/units.h"

#include <optional>

namespace highwater::app {

/// The memory of this process (resident set, working set); empty if unavailable.
[[nodiscard]] std::optional<ByteCount> ownMemoryBytes();

} // namespace highwater::app
