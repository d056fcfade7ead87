#include "core/export/timeline_writer.h"

#include "core/export/csv_text.h"
#include "core/export/json_text.h"

#include <string>
#include <vector>

namespace highwater::exports {

void writeTimelineCsv(const analysis::Timeline& timeline, std::ostream& out, const std::optional<WallClock>& wall) {
    const auto clock = wall ? std::optional(wall->withZone()) : std::nullopt;
    out << (clock ? "start" : "start_s");
    for (const auto& series : timeline.series) {
        out << ',' << csvField(series.name);
    }
    out << '\n';
    for (std::size_t i = 0; i < timeline.starts.size(); ++i) {
        out << (clock ? clock->text(timeline.starts[i]) : dumped(secondsJson(timeline.starts[i])));
        for (const auto& series : timeline.series) {
            out << ',' << series.peaks[i];
        }
        out << '\n';
    }
}

namespace {

const char* metricOf(const analysis::TimelineQuery& query) {
    if (query.measure == analysis::TimelineMeasure::NewBytes) return "new";
    if (query.table == analysis::Table::Snapshot) return "largest snapshot";
    if (query.table == analysis::Table::Managed) return "allocated";
    if (query.table == analysis::Table::GcHeap) return "peak size";
    return query.table == analysis::Table::Frees ? "released" : "peak outstanding";
}

/// "[0.0,4096],[0.5,0]"
std::string pointsText(const std::vector<std::string>& times, const std::vector<SignedByteCount>& peaks) {
    std::string text;
    for (std::size_t i = 0; i < times.size(); ++i) {
        text += i == 0 ? "[" : ",[";
        text += times[i];
        text += ',';
        text += std::to_string(peaks[i]);
        text += ']';
    }
    return text;
}

} // namespace

void writeTimelineJson(const analysis::TimelineQuery& query, const analysis::Timeline& timeline,
                       const HealthReport& health, std::ostream& out) {
    out << "{\"schema_version\":" << kSchemaVersion << ",\"table\":" << dumped(analysis::tableWord(query.table))
        << ",\"metric\":" << dumped(metricOf(query))
        << ",\"unit\":" << dumped(query.measure == analysis::TimelineMeasure::Count ? "rows" : "bytes")
        << ",\"interval\":" << dumped(intervalJson(timeline.interval)) << ",\"series\":[";
    // All series have the same times, and a trace may have a series for each of 60,000 processes.
    std::vector<std::string> times;
    for (const auto start : timeline.starts)
        times.push_back(dumped(secondsJson(start)));
    const char* separator = "\n";
    for (const auto& series : timeline.series) {
        out << separator << "{\"name\":" << dumped(series.name) << ",\"points\":[" << pointsText(times, series.peaks)
            << "]}";
        separator = ",\n";
    }
    out << "],\"health\":" << dumped(healthJson(health)) << "}\n";
}

} // namespace highwater::exports
