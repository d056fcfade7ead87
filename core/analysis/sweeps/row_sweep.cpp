#include "core/analysis/sweeps/row_sweep.h"

#include "core/analysis/rows/parallel_spans.h"
#include "core/analysis/rows/stop_interval.h"

#include <algorithm>

namespace highwater::analysis {

bool RowSweep::collectExits(const std::stop_token& stop) {
    const auto& rows = population_.rows();
    exits_.clear();
    if (rows.exits().empty()) return true;
    const bool finished = population_.visitMembers(1, stop, [&](unsigned, std::span<const Member> members) {
        for (const auto& member : members) {
            const auto row = static_cast<RowId>(member.row);
            const auto end = rows.end(row);
            if (!rows.endedWithProcess(row) || end.ns < rows.bounds().t0 || end.ns >= rows.bounds().t1) continue;
            ByteCount released = 0;
            for (const auto& partial : rows.partialsOf(row)) {
                if (partial.time <= end) released += partial.bytes;
            }
            const auto size = rows.view().size(row);
            exits_.push_back(Exit{end, row, size - std::min(size, released)});
        }
    });
    std::stable_sort(exits_.begin(), exits_.end(), [](const Exit& a, const Exit& b) { return a.time < b.time; });
    return finished;
}

std::vector<std::size_t> RowSweep::divide(const std::vector<TraceTime>& edges) const {
    constexpr std::uint64_t kEventsPerPart = 1u << 16; // fewer are not worth a thread
    const auto& view = population_.rows().view();
    const auto slices = edges.size() - 1;
    const auto first = EventReader::firstFrom(view, edges.front());
    const auto events = EventReader::firstFrom(view, edges.back()) - first;
    const auto parts = workersFor(events / kEventsPerPart);
    std::vector<std::size_t> places{0};
    for (unsigned part = 1; part < parts; ++part) {
        const auto time = EventReader(view, first + events / parts * part).next().time;
        const auto edge = std::lower_bound(edges.begin(), edges.end() - 1, time) - edges.begin();
        if (static_cast<std::size_t>(edge) > places.back()) places.push_back(static_cast<std::size_t>(edge));
    }
    if (places.back() < slices) places.push_back(slices);
    return places;
}

bool RowSweep::run(const std::vector<TraceTime>& edges, std::size_t groups, SliceLevels& levels,
                   const std::stop_token& stop) {
    if (!collectExits(stop)) return false;
    const auto places = divide(edges);
    const auto parts = places.size() - 1;
    std::vector<SliceLevels> measured;
    for (std::size_t part = 0; part < parts; ++part) {
        measured.emplace_back(std::span(edges).subspan(places[part], places[part + 1] - places[part] + 1), groups,
                              levels.keptTimes());
    }
    const bool finished = forEachSpan(parts, static_cast<unsigned>(parts), stop, [&](unsigned, std::uint64_t part) {
        sweep({edges[places[part]], edges[places[part + 1]]}, measured[part], stop);
        measured[part].finish();
    });
    for (std::size_t part = 0; finished && part < parts; ++part) {
        levels.append(measured[part], places[part]);
    }
    return finished;
}

void RowSweep::sweep(TimeRange range, SliceLevels& levels, const std::stop_token& stop) const {
    const auto& view = population_.rows().view();
    const TraceTime end{std::min(range.end.ns, population_.rows().bounds().t1)};
    auto exit = std::lower_bound(exits_.begin(), exits_.end(), range.start,
                                 [](const Exit& e, TraceTime t) { return e.time < t; });
    const auto exitsBefore = [&](TraceTime time) {
        for (; exit != exits_.end() && exit->time < time; ++exit) {
            apply({exit->time, exit->row, RowEvent::Kind::End, std::uint64_t{0} - exit->bytes, -1}, levels);
        }
    };
    EventReader reader(view, EventReader::firstFrom(view, range.start), EventReader::Reach::Far);
    while (!reader.atEnd()) {
        if (reader.position() % kStopEvery == 0 && stop.stop_requested()) return;
        const auto event = reader.next();
        if (event.time >= end) break;
        exitsBefore(event.time);
        if (counts(event)) apply(event, levels);
    }
    exitsBefore(end);
}

void RowSweep::apply(const RowEvent& event, SliceLevels& levels) const {
    const auto delta = measure_ == Measure::Bytes ? event.delta : static_cast<std::uint64_t>(event.rows);
    groups_.visit(population_, event.row, [&](std::uint32_t group) { levels.change(event.time, group, delta); });
}

bool RowSweep::counts(const RowEvent& event) const {
    if (event.kind == RowEvent::Kind::Begin) return true;
    const auto& rows = population_.rows();
    return event.time < rows.view().horizon && event.time <= rows.end(event.row);
}

} // namespace highwater::analysis
