#pragma once

#include "app/tools/fleet/page/fleet_request.h"
#include "core/base/result.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace highwater::ui {

// Formats fleet data for display. Any thread.

/// "Grown stacks", "New stacks", ...; for a measure of processes "Grown processes".
[[nodiscard]] QString fleetKindText(FleetKind kind, fleet::Measure measure = fleet::Measure::InuseSpace);
inline constexpr std::array kFleetMeasures{
    fleet::Measure::InuseSpace, fleet::Measure::InuseObjects, fleet::Measure::AllocSpace, fleet::Measure::AllocObjects,
    fleet::Measure::Freed,      fleet::Measure::Peak,         fleet::Measure::Impacting,  fleet::Measure::Slope,
    fleet::Measure::RssPeak,    fleet::Measure::Held};
/// "Outstanding Size", "Outstanding Count", ...
[[nodiscard]] QString fleetMeasureText(fleet::Measure measure);
/// "12.5 MB", "1,204", "12.5 MB/h".
[[nodiscard]] QString fleetAmount(fleet::Measure measure, std::int64_t value);
/// The same with a plus sign for growth.
[[nodiscard]] QString fleetChange(fleet::Measure measure, std::int64_t value);
/// Without an unnecessary fraction: "1 KB", "1.5 KB", "1".
[[nodiscard]] QString fleetBound(fleet::Measure measure, std::int64_t value);
/// Parses such an amount: "64 KB", "0.5GB", "4096", or a number for counts. Error: Usage.
[[nodiscard]] Result<std::int64_t> parseFleetBound(fleet::Measure measure, const QString& typed);
/// Whether the values are objects instead of bytes.
[[nodiscard]] bool isOfObjects(fleet::Measure measure);
/// Time since 1970 as "2024-05-01 14:02:33 UTC"; empty if unknown.
[[nodiscard]] QString recordedText(std::optional<std::int64_t> ns);
/// The owner of a stack, or a placeholder.
[[nodiscard]] QString ownerText(const fleet::FleetStack& stack);
/// What a row is about: the owner of a stack, or the process for a measure of processes.
[[nodiscard]] QString subjectText(const fleet::FleetStack& stack, fleet::Measure measure);
/// " 3 runs are not shown because their value is unknown.", or nothing.
[[nodiscard]] QString unknownText(std::size_t runs);
/// A build, or a placeholder.
[[nodiscard]] QString buildText(const std::string& build);
/// "from build 8123 on lab-6", or only the build without a machine.
[[nodiscard]] QString runText(const summary::RunFacts& facts);
/// A one-line summary of an answer, such as "3 of 1,204 tested stacks grew from build 8120 to build 8123.", or the
/// meaning of an empty answer.
[[nodiscard]] QString summaryOf(const FleetAnswer& answer);

} // namespace highwater::ui
