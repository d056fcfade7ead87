#include "core/analysis/histogram/histogram_bar.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>

namespace highwater::analysis {
namespace {

struct Unit {
    std::uint64_t value;
    const char* name;         ///< in queries, as users can type it
    const char* shown = name; ///< to read
};
/// Largest first in each kind; the last is 1. The query language supports all of them except exabytes and petabytes.
constexpr std::array<Unit, 5> kSizeUnits{{{std::uint64_t{1} << 40, "TB"},
                                          {std::uint64_t{1} << 30, "GB"},
                                          {std::uint64_t{1} << 20, "MB"},
                                          {std::uint64_t{1} << 10, "KB"},
                                          {1, "B"}}};
constexpr std::array<Unit, 4> kTimeUnits{
    {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us", "\u00b5s"}, {1, "ns"}}};

enum class LiteralFor : std::uint8_t { Reader, Query };

/// In the largest unit that makes it a whole number.
std::string literal(HistogramOf of, std::uint64_t value, LiteralFor use) {
    const auto text = [&](const auto& units) {
        const auto unit = std::find_if(units.begin(), units.end() - 1,
                                       [&](const Unit& u) { return value != 0 && value % u.value == 0; });
        const auto number = value / unit->value;
        return use == LiteralFor::Query ? fmt::format("{}{}", number, unit->name)
                                        : fmt::format("{} {}", number, unit->shown);
    };
    return of == HistogramOf::Size ? text(kSizeUnits) : text(kTimeUnits);
}

/// 1, 3, 10, 30, ... up to the limit of nanoseconds in a trace.
std::vector<std::uint64_t> lifeTimeEdges() {
    constexpr std::uint64_t kLast = 1'000'000'000'000'000'000;
    std::vector<std::uint64_t> edges;
    for (std::uint64_t power = 1; power <= kLast; power *= 10) {
        edges.push_back(power);
        edges.push_back(power * 3);
        if (power == kLast) break;
    }
    return edges;
}

std::vector<std::uint64_t> edgesOf(HistogramOf of) {
    if (of == HistogramOf::LifeTime) return lifeTimeEdges();
    std::vector<std::uint64_t> edges;
    for (unsigned power = 0; power < 64; ++power)
        edges.push_back(std::uint64_t{1} << power);
    return edges;
}

} // namespace

std::string_view histogramWord(HistogramOf of) { return of == HistogramOf::Size ? "size" : "lifetime"; }

std::vector<HistogramBar> emptyBars(HistogramOf of) {
    std::vector<HistogramBar> bars(1);
    for (const auto edge : edgesOf(of)) {
        bars.back().to = edge;
        bars.push_back({.from = edge});
    }
    return bars;
}

std::size_t barOf(HistogramOf of, std::uint64_t value) {
    if (of == HistogramOf::Size) return static_cast<std::size_t>(std::bit_width(value));
    static const auto edges = lifeTimeEdges();
    return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin());
}

std::string barText(HistogramOf of, const HistogramBar& bar) {
    if (bar.kind == HistogramBar::Kind::Outstanding) return "still outstanding";
    if (bar.kind == HistogramBar::Kind::Unknown) return "not known";
    const auto from = literal(of, bar.from, LiteralFor::Reader);
    if (!bar.to) return from + " and more";
    return bar.isOneValue() ? from : from + " to <" + literal(of, *bar.to, LiteralFor::Reader);
}

std::string barQuery(Table table, HistogramOf of, const HistogramBar& bar) {
    const auto column = of == HistogramOf::Size ? Column::RowSize : Column::LifeTime;
    const auto name = columnName(table, column);
    const auto freed = columnName(table, Column::EndTime);
    if (bar.kind == HistogramBar::Kind::Outstanding) return fmt::format("[{}]:=[]", freed);
    if (bar.kind == HistogramBar::Kind::Unknown) return fmt::format("[{}]:=[] AND [{}]:<>[]", name, freed);
    const auto from = literal(of, bar.from, LiteralFor::Query);
    if (!bar.to) return fmt::format("[{}]:>={}", name, from);
    if (bar.isOneValue()) return fmt::format("[{}]:={}", name, from);
    return fmt::format("[{}]:>={} AND [{}]:<{}", name, from, name, literal(of, *bar.to, LiteralFor::Query));
}

} // namespace highwater::analysis
