#include "core/export/timeline_writer.h"

#include "core/export/csv_text.h"
#include "core/export/json_text.h"

#include <string>
#include <string_view>
#include <vector>

namespace highwater::exports {
namespace {

/// `field(i, slice)`: the value of series i, as text. Slices ascend.
template <typename Series, typename Field>
void writeCsv(const std::vector<TraceTime>& starts, const std::vector<Series>& all, Field field, std::ostream& out,
              const std::optional<WallClock>& wall) {
    const auto clock = wall ? std::optional(wall->withZone()) : std::nullopt;
    out << (clock ? "start" : "start_s");
    for (const auto& series : all) {
        out << ',' << csvField(series.name);
    }
    out << '\n';
    for (std::size_t slice = 0; slice < starts.size(); ++slice) {
        out << (clock ? clock->text(starts[slice]) : dumped(secondsJson(starts[slice])));
        for (std::size_t i = 0; i < all.size(); ++i) {
            out << ',' << field(i, slice);
        }
        out << '\n';
    }
}

const char* metricOf(const analysis::TimelineQuery& query) {
    if (query.measure == analysis::TimelineMeasure::NewBytes) return "new";
    if (query.table == analysis::Table::Snapshot) return "largest snapshot";
    if (query.table == analysis::Table::Managed) return "allocated";
    if (query.table == analysis::Table::GcHeap) return "peak size";
    return query.table == analysis::Table::Frees ? "released" : "peak outstanding";
}

/// Describes the numbers of a timeline.
struct Numbers {
    std::string_view table;
    std::string_view metric;
    std::string_view unit;
    TimeRange interval;
};

/// Starts of slices as text. All series have the same, and a trace may have a series for each of 60,000 processes.
std::vector<std::string> textsOf(const std::vector<TraceTime>& starts) {
    std::vector<std::string> texts;
    for (const auto start : starts)
        texts.push_back(dumped(secondsJson(start)));
    return texts;
}

/// Appends "[0.5,4096]", after a comma if it is not the first point.
template <typename Amount>
void addPoint(std::string& points, const std::string& start, Amount amount) {
    points += points.empty() ? "[" : ",[";
    points += start;
    points += ',';
    points += std::to_string(amount);
    points += ']';
}

/// `points(series)`: "[0.0,4096],[0.5,0]".
template <typename Series, typename Points>
void writeJson(const Numbers& numbers, const std::vector<Series>& all, Points points, const HealthReport& health,
               std::ostream& out) {
    out << "{\"schema_version\":" << kSchemaVersion << ",\"table\":" << dumped(numbers.table)
        << ",\"metric\":" << dumped(numbers.metric) << ",\"unit\":" << dumped(numbers.unit)
        << ",\"interval\":" << dumped(intervalJson(numbers.interval)) << ",\"series\":[";
    const char* separator = "\n";
    for (const auto& series : all) {
        out << separator << "{\"name\":" << dumped(series.name) << ",\"points\":[" << points(series) << "]}";
        separator = ",\n";
    }
    out << "],\"health\":" << dumped(healthJson(health)) << "}\n";
}

} // namespace

void writeTimelineCsv(const analysis::Timeline& timeline, std::ostream& out, const std::optional<WallClock>& clock) {
    const auto field = [&](std::size_t i, std::size_t slice) { return timeline.series[i].peaks[slice]; };
    writeCsv(timeline.starts, timeline.series, field, out, clock);
}

void writeTimelineJson(const analysis::TimelineQuery& query, const analysis::Timeline& timeline,
                       const HealthReport& health, std::ostream& out) {
    const auto times = textsOf(timeline.starts);
    const auto pointsOf = [&](const analysis::TimelineSeries& series) {
        std::string points;
        for (std::size_t i = 0; i < series.peaks.size(); ++i)
            addPoint(points, times[i], series.peaks[i]);
        return points;
    };
    const bool areRows = query.measure == analysis::TimelineMeasure::Count;
    const Numbers numbers{analysis::tableWord(query.table), metricOf(query), areRows ? "rows" : "bytes",
                          timeline.interval};
    writeJson(numbers, timeline.series, pointsOf, health, out);
}

void writeResidentTimelineCsv(const analysis::ResidentTimeline& timeline, std::ostream& out,
                              const std::optional<WallClock>& clock) {
    std::vector<std::size_t> next(timeline.series.size(), 0); // value of each series
    const auto field = [&](std::size_t i, std::size_t slice) {
        const auto& values = timeline.series[i].values;
        const bool isGap = next[i] == values.size() || values[next[i]].slice != slice;
        return isGap ? std::string() : std::to_string(values[next[i]++].bytes);
    };
    writeCsv(timeline.starts, timeline.series, field, out, clock);
}

void writeResidentTimelineJson(const analysis::ResidentTimeline& timeline, const HealthReport& health,
                               std::ostream& out) {
    const auto times = textsOf(timeline.starts);
    const auto pointsOf = [&](const analysis::ResidentSeries& series) {
        std::string points;
        for (const auto& value : series.values)
            addPoint(points, times[value.slice], value.bytes);
        return points;
    };
    writeJson({"resident", "resident", "bytes", timeline.interval}, timeline.series, pointsOf, health, out);
}

} // namespace highwater::exports
