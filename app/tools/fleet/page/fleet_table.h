#pragma once

#include "app/tools/fleet/page/fleet_request.h"

#include <QString>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace highwater::ui {

// Answers as tables: titles, units and values.

enum class FleetUnit : std::uint8_t {
    Text,
    Frame, ///< a function; the frames of its stack are child rows
    Path,
    Recorded, ///< nanoseconds since 1970
    Amount,   ///< in the measure of the table
    Change,   ///< the same with a sign
    Bytes,
    Count,
    Share,       ///< machines
    Probability, ///< 0 to 1
    Time,        ///< nanoseconds since the start of the trace
    Duration,    ///< nanoseconds
    YesNo
};

struct FleetColumn {
    QString title;
    QString help;
    FleetUnit unit = FleetUnit::Text;
};

struct FleetShare {
    std::int64_t with = 0, of = 0;
    friend bool operator==(const FleetShare&, const FleetShare&) = default;
};
/// Empty: unknown.
using FleetCell = std::variant<std::monostate, std::string, std::int64_t, double, FleetShare>;

struct FleetRow {
    std::vector<FleetCell> cells;    ///< one per column
    std::vector<std::string> frames; ///< innermost first
};

/// Immutable.
struct FleetTable {
    fleet::Measure measure = fleet::Measure::InuseSpace;
    std::vector<FleetColumn> columns;
    std::vector<FleetRow> rows; ///< in the order of the answer
};
/// Whether the column is numeric and right-aligned.
[[nodiscard]] constexpr bool isRight(FleetUnit unit) {
    return unit >= FleetUnit::Amount && unit <= FleetUnit::Duration;
}

[[nodiscard]] FleetTable tableOf(const FleetAnswer& answer);
[[nodiscard]] FleetTable tableOf(const FleetWorst& worst);

/// The displayed text.
[[nodiscard]] QString cellText(const FleetTable& table, const FleetColumn& column, const FleetCell& cell);

/// The stack of a row; null if rows are not stacks.
[[nodiscard]] const fleet::FleetStack* stackOf(const FleetAnswer& answer, std::size_t row);

} // namespace highwater::ui
