#pragma once

#include "core/analysis/columns/columns.h"
#include "core/base/units.h"
#include "core/event/trace_health.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace highwater::exports {

/// JSON that preserves the order of members.
using Json = nlohmann::ordered_json;

/// Version of all JSON output. Incremented when a member changes its meaning or is removed, but not for new members.
inline constexpr int kSchemaVersion = 1;

/// Seconds, which dumped() prints with up to nine decimals and without trailing zeros after the first decimal ("2.0",
/// "2.996138996"). null for kBeforeTrace and kNever. The value is not a number until it is printed: see timeFromJson().
[[nodiscard]] Json secondsJson(TraceTime time);
/// The inverse of secondsJson(); nullopt: null.
[[nodiscard]] std::optional<TraceTime> timeFromJson(const Json& seconds);
/// {"start":s,"end":s}
[[nodiscard]] Json intervalJson(TimeRange interval);
/// [{"what":"unmatched frees","count":2,"id":"unmatched_frees","severity":"note","sentence":"..."}, ...]: every loss,
/// and sentences with count 1.
[[nodiscard]] Json healthJson(const HealthReport& health);
/// Counts and bytes as integers, times and durations in seconds, addresses as "0x1d0000", missing values as null.
[[nodiscard]] Json cellJson(analysis::ValueColumn column, const analysis::CellValue& value);
/// Prints all JSON output: on one line, or indented by that many spaces per level. Output is ASCII, because names come
/// from traces and some other characters control terminals. Invalid UTF-8 is replaced.
[[nodiscard]] std::string dumped(const Json& json, int indent = -1);

} // namespace highwater::exports
