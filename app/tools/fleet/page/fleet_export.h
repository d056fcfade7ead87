#pragma once

#include "app/tools/fleet/page/fleet_request.h"

#include <cstddef>
#include <span>
#include <string>

namespace highwater::app {

// Exports an answer of the Fleet page in a --format of highwater-cli fleet. `order`: the rows in their displayed order;
// empty: original order. UTF-8; any thread.

[[nodiscard]] std::string exported(const ui::FleetAnswer& answer, ui::FleetFormat format,
                                   std::span<const std::size_t> order = {});
[[nodiscard]] std::string exported(const ui::FleetWorst& worst, ui::FleetFormat format,
                                   std::span<const std::size_t> order = {});

} // namespace highwater::app
