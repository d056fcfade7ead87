#pragma once

#include "ui/state/fleet/fleet_table.h"

#include <cstdint>
#include <string>

namespace highwater::ui {

enum class FleetFormat : std::uint8_t { Csv, Json };

/// The table as a file: plain numbers, nothing rounded: bytes, and seconds. CSV has a line of titles and, of stacks, their frames as the
/// last field, joined by ';'; JSON is {"schema_version":1,"rows":[{"owner":...,"stack":[...],"from":{...}}]}, its stacks innermost first. UTF-8; any thread.
[[nodiscard]] std::string exported(const FleetTable& table, FleetFormat format);

} // namespace highwater::ui
