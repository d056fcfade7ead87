#include "core/export/timeline_writer.h"

#include "core/export/csv_text.h"
#include "core/export/json_text.h"

namespace highwater::exports {

void writeTimelineCsv(const analysis::Timeline& timeline, std::ostream& out) {
    out << "start_s";
    for (const auto& series : timeline.series) {
        out << ',' << csvField(series.name);
    }
    out << '\n';
    for (std::size_t i = 0; i < timeline.starts.size(); ++i) {
        out << dumped(secondsJson(timeline.starts[i]));
        for (const auto& series : timeline.series) {
            out << ',' << series.peaks[i];
        }
        out << '\n';
    }
}

void writeTimelineJson(const analysis::Timeline& timeline, std::ostream& out) {
    out << "{\"interval\":" << dumped(intervalJson(timeline.interval)) << ",\"series\":[";
    const char* separator = "\n";
    for (const auto& series : timeline.series) {
        auto points = Json::array();
        for (std::size_t i = 0; i < timeline.starts.size(); ++i) {
            points.push_back({secondsJson(timeline.starts[i]), series.peaks[i]});
        }
        out << separator << "{\"name\":" << dumped(series.name) << ",\"points\":" << dumped(points) << '}';
        separator = ",\n";
    }
    out << "]}\n";
}

} // namespace highwater::exports
