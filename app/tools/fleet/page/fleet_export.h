#pragma once

#include "app/tools/fleet/page/fleet_request.h"

#include <cstddef>
#include <span>
#include <string>

namespace highwater::app {

// Files of the Fleet page: what highwater-cli fleet writes with --format, of the same answer. `order`: rows of it as
// they are to stand; empty: as it was answered. UTF-8; any thread.

[[nodiscard]] std::string exported(const ui::FleetAnswer& answer, ui::FleetFormat format,
                                   std::span<const std::size_t> order = {});
[[nodiscard]] std::string exported(const ui::FleetWorst& worst, ui::FleetFormat format,
                                   std::span<const std::size_t> order = {});

} // namespace highwater::app
