#include "core/analysis/columns/cell_text.h"

#include <fmt/format.h>

namespace highwater::analysis {
namespace {

/// All nanoseconds, without zeros at the end: "2", "15.25", "-0.000000001".
std::string seconds(TraceTime time) {
    constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
    const auto magnitude = time.ns < 0 ? ~static_cast<std::uint64_t>(time.ns) + 1 : static_cast<std::uint64_t>(time.ns);
    auto text = fmt::format("{}{}.{:09}", time.ns < 0 ? "-" : "", magnitude / kNsPerSecond, magnitude % kNsPerSecond);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

} // namespace

std::string plainText(ValueColumn column, const CellValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* time = std::get_if<TraceTime>(&value)) {
        return *time == kNever || *time == kBeforeTrace ? std::string() : seconds(*time);
    }
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr) return {};
    if (valueKind(column) == ValueKind::Hex) return fmt::format("0x{:x}", static_cast<std::uint64_t>(*number));
    return fmt::format("{}", *number);
}

} // namespace highwater::analysis
