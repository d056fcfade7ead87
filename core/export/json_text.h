#pragma once

#include "core/analysis/columns/columns.h"
#include "core/base/units.h"
#include "core/event/trace_health.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace highwater::exports {

/// JSON that keeps the order in which members were written.
using Json = nlohmann::ordered_json;

/// Of every answer in JSON: another number, and what it had means something else or is gone. New members keep it.
inline constexpr int kSchemaVersion = 1;

/// Seconds, which dumped() prints to the nanosecond: at most nine decimals, without zeros behind the first ("2.0",
/// "2.996138996"). Null for kBeforeTrace and kNever. The value is no number before it is printed: see timeFromJson().
[[nodiscard]] Json secondsJson(TraceTime time);
/// What secondsJson() was made of; nothing: it is null.
[[nodiscard]] std::optional<TraceTime> timeFromJson(const Json& seconds);
/// {"start":s,"end":s}
[[nodiscard]] Json intervalJson(TimeRange interval);
/// [{"what":"unmatched frees","count":2,"id":"unmatched_frees","severity":"note","sentence":"..."}, ...]: every loss
/// that happened, and sentences with count 1.
[[nodiscard]] Json healthJson(const HealthReport& health);
/// Counts and bytes as integers, times and durations in seconds, addresses "0x1d0000", nothing as null.
[[nodiscard]] Json cellJson(analysis::ValueColumn column, const analysis::CellValue& value);
/// The one printer of JSON. On one line, or with so many spaces before what belongs to something. In ASCII: names come
/// from traces, and some of the other characters steer terminals. Text that is not UTF-8 is made so.
[[nodiscard]] std::string dumped(const Json& json, int indent = -1);

} // namespace highwater::exports
