#include "core/analysis/columns/cell_text.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::analysis {

std::string plainText(ValueColumn column, const CellValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* time = std::get_if<TraceTime>(&value)) {
        return *time == kNever || *time == kBeforeTrace ? std::string() : secondsText(*time);
    }
    if (const auto* series = std::get_if<Series>(&value)) return fmt::format("{}", fmt::join(*series->amounts, " "));
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr) return {};
    if (valueKind(column) == ValueKind::Hex) return fmt::format("0x{:x}", static_cast<std::uint64_t>(*number));
    return fmt::format("{}", *number);
}

std::string blocksText(const Series& series) {
    constexpr std::array kBlocks{" ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};
    const auto& amounts = *series.amounts;
    const auto highest = amounts.empty() ? 0 : *std::max_element(amounts.begin(), amounts.end());
    std::string text;
    for (const auto amount : amounts) {
        // Rounded up, so that every amount is visible.
        const auto part = static_cast<double>(std::max<SignedByteCount>(0, amount)) / static_cast<double>(highest);
        text += highest <= 0 ? kBlocks[0] : kBlocks[static_cast<std::size_t>(std::ceil(part * (kBlocks.size() - 1)))];
    }
    return text;
}

} // namespace highwater::analysis
