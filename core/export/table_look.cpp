#include "core/export/table_look.h"

#include "core/analysis/columns/cell_text.h"
#include "core/base/text.h"

#include <algorithm>

namespace highwater::exports {
namespace {

using analysis::ValueKind;

bool exists(TraceTime time) { return time != kNever && time != kBeforeTrace; }

} // namespace

std::optional<Units> parseUnits(std::string_view word) {
    const auto* found = std::find(kUnitWords.begin(), kUnitWords.end(), word);
    return found == kUnitWords.end() ? std::nullopt : std::optional(static_cast<Units>(found - kUnitWords.begin()));
}

bool isOnClock(analysis::ValueColumn column, TraceTime time, const TableLook& look) {
    return look.clock && exists(time) && analysis::valueKind(column) == ValueKind::Time;
}

std::string readableText(analysis::ValueColumn column, const analysis::CellValue& value, const TableLook& look) {
    if (const auto* time = std::get_if<TraceTime>(&value)) {
        if (isOnClock(column, *time, look)) return look.clock->text(*time);
        return exists(*time) ? allDecimals(*time) : std::string();
    }
    if (const auto* series = std::get_if<analysis::Series>(&value)) return analysis::blocksText(*series);
    const auto* number = std::get_if<std::int64_t>(&value);
    const auto kind = analysis::valueKind(column);
    const bool isAsItIs = look.units == Units::Exact || kind == ValueKind::Hex || analysis::isId(column);
    if (number == nullptr || isAsItIs) return analysis::plainText(column, value);
    const bool isRate = kind == ValueKind::BytesPerSecond;
    const bool isBytes = kind == ValueKind::Bytes || kind == ValueKind::SignedBytes || isRate;
    const auto text = isBytes && look.units == Units::Auto ? bytesText(magnitude(*number)) + (isRate ? "/s" : "")
                                                           : thousands(magnitude(*number));
    return *number < 0 ? '-' + text : text;
}

} // namespace highwater::exports
