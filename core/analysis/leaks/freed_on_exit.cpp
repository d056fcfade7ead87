#include "core/analysis/leaks/freed_on_exit.h"

#include "core/analysis/rows/row_selection.h"
#include "core/analysis/table/grouped_table.h"

#include <algorithm>
#include <array>

namespace highwater::analysis {
namespace {

constexpr SignedByteCount kLeast = 64 << 10;
constexpr SignedByteCount kTimesKept = 4;
/// The parts of its time in the interval before which the process may begin to free its memory, the latest first.
constexpr std::array<std::int64_t, 4> kPartsOfTime{50, 20, 10, 5};

/// The Impacting Size of the process; 0 if there is none.
SignedByteCount impactingSizeOf(ProcessIndex process, TimeRange interval, const LeakQuery& leaks, Table of,
                                const std::shared_ptr<const store::PublishedTrace>& trace,
                                const std::shared_ptr<FrameLabels>& labels, const std::stop_token& stop) {
    Query query;
    query.table = of;
    query.interval = interval;
    query.keys = {Column::Process};
    query.columns = {Column::ImpactingSize};
    query.filter = *filterIn(leaks, of);
    query.allocatorFrames = leaks.allocatorFrames;
    query.marks = leaks.marks;
    const auto table = GroupedTable::compute(trace, labels, query, stop);
    if (!table.hasValue()) return 0;
    for (const auto node : table.value()->children(GroupedTable::kRoot, stop)) {
        if (table.value()->key(node) != process.value) continue;
        const auto value = table.value()->value(node, Column::ImpactingSize);
        const auto* bytes = std::get_if<std::int64_t>(&value);
        return bytes == nullptr ? 0 : *bytes;
    }
    return 0;
}

} // namespace

std::optional<FreedOnExit> freedOnExit(const std::shared_ptr<const store::PublishedTrace>& trace,
                                       const std::shared_ptr<FrameLabels>& labels, const LeakQuery& query,
                                       const std::stop_token& stop) {
    const auto& processes = trace->processes->processes();
    const auto end = std::min(query.interval.end, trace->horizon);
    const store::ProcessInstance* last = nullptr;
    for (const auto& process : processes) {
        const bool isInside = process.end > query.interval.start && process.end <= end;
        if (isInside && (last == nullptr || process.end > last->end)) last = &process;
    }
    if (last == nullptr) return std::nullopt;
    const ProcessIndex process{static_cast<std::uint32_t>(last - processes.data())};
    const auto start = std::max(query.interval.start, last->start);
    for (const auto table : {Table::Heap, Table::VirtualAlloc}) {
        if (filterIn(query, table) == nullptr) continue;
        std::array<FreedOnExit, kPartsOfTime.size()> choices;
        SignedByteCount largest = 0;
        for (std::size_t i = 0; i < choices.size(); ++i) {
            const TraceTime before{last->end.ns - (last->end.ns - start.ns) / kPartsOfTime[i]};
            const TimeRange range{query.interval.start, std::max(before, query.interval.start)};
            const auto bytes = impactingSizeOf(process, range, query, table, trace, labels, stop);
            choices[i] = {table, last->name, static_cast<ByteCount>(std::max<SignedByteCount>(bytes, 0)), range,
                          process};
            largest = std::max(largest, bytes);
        }
        if (largest < kLeast) continue;
        // Rows that the exit itself ends are still outstanding before it.
        const auto kept =
            impactingSizeOf(process, {query.interval.start, last->end}, query, table, trace, labels, stop);
        if (stop.stop_requested()) return std::nullopt;
        const auto found = std::ranges::find_if(choices, [&](const FreedOnExit& choice) {
            const auto bytes = static_cast<SignedByteCount>(choice.bytes);
            return bytes >= largest / 10 * 9 && kept <= bytes / kTimesKept;
        });
        if (found != choices.end()) return *found;
    }
    return std::nullopt;
}

Result<LeakReport> findLeaksAndExit(const std::shared_ptr<const store::PublishedTrace>& trace,
                                    const std::shared_ptr<FrameLabels>& labels, const LeakQuery& query,
                                    const std::stop_token& stop) {
    auto report = TRY(findLeaks(*trace, *labels, query, stop));
    report.freedOnExit = freedOnExit(trace, labels, query, stop);
    if (stop.stop_requested()) return cancelled();
    return report;
}

} // namespace highwater::analysis
