#pragma once

#include "ui/state/fleet/fleet_request.h"

#include <string>

namespace highwater::app {

// Files of the Fleet page: what highwater-cli fleet writes with --format, of the same answer and in its order. UTF-8;
// any thread.

[[nodiscard]] std::string exported(const ui::FleetAnswer& answer, ui::FleetFormat format);
[[nodiscard]] std::string exported(const ui::FleetWorst& worst, ui::FleetFormat format);

} // namespace highwater::app
