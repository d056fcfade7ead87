#pragma once

#include "app/tools/fleet/page/fleet_request.h"
#include "core/base/result.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace highwater::ui {

// The words and numbers of fleets, as people read them. Any thread.

/// "What grew", "New stacks", ...
[[nodiscard]] QString fleetKindText(FleetKind kind);
inline constexpr std::array kFleetMeasures{
    fleet::Measure::InuseSpace, fleet::Measure::InuseObjects, fleet::Measure::AllocSpace, fleet::Measure::AllocObjects,
    fleet::Measure::Freed,      fleet::Measure::Peak,         fleet::Measure::Impacting,  fleet::Measure::Slope};
/// "Outstanding Size", "Outstanding Count", ...
[[nodiscard]] QString fleetMeasureText(fleet::Measure measure);
/// "12.5 MB", "1,204", "12.5 MB/h".
[[nodiscard]] QString fleetAmount(fleet::Measure measure, std::int64_t value);
/// The same with a plus in front of what grew.
[[nodiscard]] QString fleetChange(fleet::Measure measure, std::int64_t value);
/// Without a fraction where there is none: "1 KB", "1.5 KB", "1".
[[nodiscard]] QString fleetBound(fleet::Measure measure, std::int64_t value);
/// What somebody typed as such: "64 KB", "0.5GB", "4096"; of counts a number. Error: Usage.
[[nodiscard]] Result<std::int64_t> parseFleetBound(fleet::Measure measure, const QString& typed);
/// Of one "1 run", of several "1,204 runs": `several` has %1 where the number goes. Both are translated.
[[nodiscard]] QString countText(std::size_t number, const char* one, const char* several);
/// Whether its values are objects; else bytes.
[[nodiscard]] bool isOfObjects(fleet::Measure measure);
/// Since 1970: "2024-05-01 14:02:33 UTC"; empty: not known.
[[nodiscard]] QString recordedText(std::optional<std::int64_t> ns);
/// The owner of a stack, or that it has none.
[[nodiscard]] QString ownerText(const fleet::FleetStack& stack);
/// A build, or that the runs name none.
[[nodiscard]] QString buildText(const std::string& build);
/// "of build 8123 on lab-6"; without a machine the build alone.
[[nodiscard]] QString runText(const summary::RunFacts& facts);
/// "3 stacks grew from 8120 to 8123, of 1,204 that were tested: Outstanding Size": an answer in one line; of one
/// without rows what that means.
[[nodiscard]] QString summaryOf(const FleetAnswer& answer);

} // namespace highwater::ui
