#pragma once

#include "core/base/units.h"

#include <optional>

namespace highwater::app {

/// Memory that this process occupies now (resident set, working set); nothing when the system does not say.
[[nodiscard]] std::optional<ByteCount> ownMemoryBytes();
/// Physical memory of the machine; nothing when the system does not say.
[[nodiscard]] std::optional<ByteCount> systemMemoryBytes();

} // namespace highwater::app
