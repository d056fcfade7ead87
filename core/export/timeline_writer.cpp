#include "core/export/timeline_writer.h"

#include "core/export/csv_text.h"
#include "core/export/json_text.h"

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

} // namespace

void writeTimelineJson(const analysis::TimelineQuery& query, const analysis::Timeline& timeline,
                       const HealthReport& health, std::ostream& out) {
    out << "{\"schema_version\":" << kSchemaVersion << ",\"table\":" << dumped(analysis::tableWord(query.table))
        << ",\"metric\":" << dumped(metricOf(query))
        << ",\"unit\":" << dumped(query.measure == analysis::TimelineMeasure::Count ? "rows" : "bytes")
        << ",\"interval\":" << dumped(intervalJson(timeline.interval)) << ",\"series\":[";
    const char* separator = "\n";
    for (const auto& series : timeline.series) {
        auto points = Json::array();
        for (std::size_t i = 0; i < timeline.starts.size(); ++i) {
            points.push_back({secondsJson(timeline.starts[i]), series.peaks[i]});
        }
        out << separator << "{\"name\":" << dumped(series.name) << ",\"points\":" << dumped(points) << '}';
        separator = ",\n";
    }
    out << "],\"health\":" << dumped(healthJson(health)) << "}\n";
}

} // namespace highwater::exports
