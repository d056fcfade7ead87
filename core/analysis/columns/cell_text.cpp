#include "core/analysis/columns/cell_text.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace highwater::analysis {

std::string plainText(ValueColumn column, const CellValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* time = std::get_if<TraceTime>(&value)) {
        return *time == kNever || *time == kBeforeTrace ? std::string() : secondsText(*time);
    }
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr) return {};
    if (valueKind(column) == ValueKind::Hex) return fmt::format("0x{:x}", static_cast<std::uint64_t>(*number));
    return fmt::format("{}", *number);
}

} // namespace highwater::analysis
