#include "core/export/table_look.h"

#include "core/analysis/columns/cell_text.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace highwater::exports {
namespace {

using analysis::ValueKind;

std::string withThousands(std::string digits) {
    const auto point = std::min(digits.find('.'), digits.size());
    for (auto at = static_cast<std::ptrdiff_t>(point) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    return digits;
}

/// "126.0 MB", of powers of 1024.
std::string inLargestUnit(std::uint64_t bytes) {
    constexpr std::array kNames{"B", "KB", "MB", "GB", "TB", "PB", "EB"};
    if (bytes < 1024) return withThousands(std::to_string(bytes)) + " B";
    auto amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    // 1,048,575 B would round to "1,024.0 KB".
    while (std::round(amount * 10) >= 10240 && unit + 1 < kNames.size()) {
        amount /= 1024;
        ++unit;
    }
    return fmt::format("{:.1f} {}", amount, kNames[unit]);
}

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
    const auto* number = std::get_if<std::int64_t>(&value);
    const auto kind = analysis::valueKind(column);
    const bool isAsItIs = look.units == Units::Exact || kind == ValueKind::Hex || analysis::isId(column);
    if (number == nullptr || isAsItIs) return analysis::plainText(column, value);
    const bool isBytes = kind == ValueKind::Bytes || kind == ValueKind::SignedBytes;
    const auto text = isBytes && look.units == Units::Auto ? inLargestUnit(magnitude(*number))
                                                           : withThousands(std::to_string(magnitude(*number)));
    return *number < 0 ? '-' + text : text;
}

} // namespace highwater::exports
