#include "core/export/json_text.h"

#include "core/analysis/columns/cell_text.h"
#include "core/analysis/table/grouped_table.h"

namespace highwater::exports {
namespace {

Json numberJson(analysis::ValueColumn column, std::int64_t number) {
    switch (analysis::valueKind(column)) {
    case analysis::ValueKind::Duration:
        return static_cast<double>(number) / 1e9;
    case analysis::ValueKind::Time:
        return secondsJson(TraceTime{number});
    case analysis::ValueKind::Hex:
    case analysis::ValueKind::Text:
        return analysis::plainText(column, number);
    case analysis::ValueKind::Count:
    case analysis::ValueKind::Bytes:
    case analysis::ValueKind::SignedBytes:
    case analysis::ValueKind::BytesPerSecond:
    case analysis::ValueKind::Series:
        break;
    }
    return number;
}

} // namespace

Json secondsJson(TraceTime time) {
    if (time == kBeforeTrace || time == kNever) return nullptr;
    return time.seconds();
}

Json intervalJson(TimeRange interval) {
    return {{"start", secondsJson(interval.start)}, {"end", secondsJson(interval.end)}};
}

Json healthJson(const HealthReport& health) {
    auto list = Json::array();
    for (const auto& entry : health.entries()) {
        list.push_back({{"what", entry.name.empty() ? entry.sentence : entry.name},
                        {"count", entry.count},
                        {"id", entry.id},
                        {"severity", entry.severity == Severity::Bound ? "bound" : "note"},
                        {"sentence", entry.sentence}});
        if (entry.mostMissing) list.back()["most_missing"] = *entry.mostMissing;
        if (entry.mostBytes) list.back()["most_bytes"] = *entry.mostBytes;
    }
    return list;
}

Json cellJson(analysis::ValueColumn column, const analysis::CellValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return numberJson(column, *number);
    if (const auto* time = std::get_if<TraceTime>(&value)) return secondsJson(*time);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* series = std::get_if<analysis::Series>(&value)) return *series->amounts;
    return nullptr;
}

std::string dumped(const Json& json, int indent) {
    return json.dump(indent, ' ', true, Json::error_handler_t::replace);
}

} // namespace highwater::exports
