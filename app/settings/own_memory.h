#pragma once

#include "core/base/units.h"

#include <optional>

namespace highwater::app {

/// Memory that this process occupies now (resident set, working set); nothing when the system does not say.
[[nodiscard]] std::optional<ByteCount> ownMemoryBytes();

} // namespace highwater::app
