#include "core/export/questions/histogram_writer.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/export/csv_text.h"
#include "core/export/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace highwater::exports {
namespace {

using analysis::Histogram, analysis::HistogramBar, analysis::HistogramOf, analysis::HistogramQuery;

constexpr std::size_t kLongestBar = 30; ///< characters

std::string_view kindWord(HistogramBar::Kind kind) {
    constexpr std::array<std::string_view, 3> kWords{"range", "outstanding", "unknown"};
    return kWords.at(static_cast<std::size_t>(kind));
}

/// '#' for kept and '.' for freed memory; at least one character for each that is not 0.
std::string barLetters(const HistogramBar& bar, std::uint64_t most) {
    const auto letters = [&](std::uint64_t bytes) -> std::size_t {
        if (bytes == 0 || most == 0) return 0;
        const auto part = static_cast<double>(bytes) / static_cast<double>(most) * kLongestBar;
        return std::max<std::size_t>(1, static_cast<std::size_t>(part));
    };
    const auto kept = std::min(bar.keptBytes, bar.bytes);
    return std::string(letters(kept), '#') + std::string(letters(bar.bytes - kept), '.');
}

using Line = std::array<std::string, 5>;

void writeLines(const std::vector<Line>& lines, std::ostream& out) {
    std::array<std::size_t, 4> widths{};
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < widths.size(); ++i)
            widths[i] = std::max(widths[i], line[i].size());
    }
    for (const auto& [name, count, bytes, kept, bar] : lines) {
        auto text = fmt::format("{:<{}}  {:>{}}  {:>{}}  {:>{}}  {}", name, widths[0], count, widths[1], bytes,
                                widths[2], kept, widths[3], bar);
        text.erase(text.find_last_not_of(' ') + 1);
        out << text << '\n';
    }
}

void writeBars(const HistogramQuery& query, const std::vector<HistogramBar>& bars, std::ostream& out) {
    std::uint64_t most = 0;
    for (const auto& bar : bars)
        most = std::max(most, bar.bytes);
    const auto* name = query.of == HistogramOf::Size ? "Allocation Size" : "LifeTime";
    std::vector<Line> lines{{name, "Count", "Size", "Kept", ""}};
    for (const auto& bar : bars)
        lines.push_back({barText(query.of, bar), thousands(bar.count), thousands(bar.bytes), thousands(bar.keptBytes),
                         barLetters(bar, most)});
    writeLines(lines, out);
}

std::string exactTitle(const Histogram& histogram) {
    const auto shown = histogram.exact.size();
    if (shown == histogram.sizes) return "All sizes, most frequent first";
    return fmt::format("The {} of {}", shown == 1 ? "most frequent size" : thousands(shown) + " most frequent sizes",
                       thousands(histogram.sizes));
}

/// Bytes or seconds.
Json valueJson(HistogramOf of, std::optional<std::uint64_t> value) {
    if (!value) return {};
    if (of == HistogramOf::Size) return *value;
    return secondsJson(TraceTime{static_cast<std::int64_t>(*value)});
}

Json barJson(const HistogramQuery& query, const HistogramBar& bar) {
    const bool isRange = bar.kind == HistogramBar::Kind::Range;
    const bool isSize = query.of == HistogramOf::Size;
    return {{"kind", std::string(kindWord(bar.kind))},
            {isSize ? "from_bytes" : "from_s", isRange ? valueJson(query.of, bar.from) : Json()},
            {isSize ? "to_bytes" : "to_s", isRange ? valueJson(query.of, bar.to) : Json()},
            {"count", bar.count},
            {"bytes", bar.bytes},
            {"kept_count", bar.keptCount},
            {"kept_bytes", bar.keptBytes},
            {"filter", barQuery(query.table, query.of, bar)}};
}

Json barsJson(const HistogramQuery& query, const std::vector<HistogramBar>& bars) {
    auto json = Json::array();
    for (const auto& bar : bars)
        json.push_back(barJson(query, bar));
    return json;
}

} // namespace

void writeHistogramText(const HistogramQuery& query, const Histogram& histogram, std::ostream& out) {
    out << fmt::format("{}, {} s to {} s: {} by {}\n\n", analysis::tableTitle(query.table),
                       allDecimals(query.interval.start), allDecimals(query.interval.end),
                       counted(histogram.count, "row"), analysis::histogramWord(query.of));
    writeBars(query, histogram.bars, out);
    if (histogram.exact.empty()) return;
    out << '\n' << exactTitle(histogram) << "\n\n";
    writeBars(query, histogram.exact, out);
}

void writeHistogramCsv(const HistogramQuery& query, const Histogram& histogram, std::ostream& out) {
    const bool isSize = query.of == HistogramOf::Size;
    out << (isSize ? "kind,from_bytes,to_bytes" : "kind,from_s,to_s") << ",count,bytes,kept_count,kept_bytes,filter\n";
    const auto write = [&](const HistogramBar& bar, std::string_view kind) {
        const bool isRange = bar.kind == HistogramBar::Kind::Range;
        out << kind << ',' << (isRange ? dumped(valueJson(query.of, bar.from)) : "") << ','
            << (isRange && bar.to ? dumped(valueJson(query.of, bar.to)) : "") << ',' << bar.count << ',' << bar.bytes
            << ',' << bar.keptCount << ',' << bar.keptBytes << ',' << csvField(barQuery(query.table, query.of, bar))
            << '\n';
    };
    for (const auto& bar : histogram.bars)
        write(bar, kindWord(bar.kind));
    for (const auto& bar : histogram.exact)
        write(bar, "exact");
}

void writeHistogramJson(const HistogramQuery& query, const Histogram& histogram, const HealthReport& health,
                        std::ostream& out) {
    const Json json{{"schema_version", kSchemaVersion},
                    {"table", std::string(analysis::tableWord(query.table))},
                    {"of", std::string(analysis::histogramWord(query.of))},
                    {"interval", intervalJson(query.interval)},
                    {"count", histogram.count},
                    {"bytes", histogram.bytes},
                    {"bars", barsJson(query, histogram.bars)},
                    {"exact", barsJson(query, histogram.exact)},
                    {"health", healthJson(health)}};
    out << dumped(json) << '\n';
}

} // namespace highwater::exports
