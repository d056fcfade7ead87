#include "core/analysis/rows/interval_rows.h"

#include <algorithm>

namespace highwater::analysis {

IntervalRows::IntervalRows(const store::PublishedTrace& trace, store::TableKind kind, const Options& options)
    : trace_(trace), view_(trace.table(kind)), kind_(kind) {
    // Rows older than the trace start before any interval, including one that starts at the minimum time. Events at or
    // after the horizon have not happened yet, although their rows may be in the columns.
    const auto horizon = std::max(view_.horizon.ns, kBeforeTrace.ns + 2);
    bounds_.t0 = std::clamp(options.interval.start.ns, kBeforeTrace.ns + 2, horizon);
    bounds_.t1 = std::clamp(options.interval.end.ns, bounds_.t0, horizon);
    bounds_.end0 = std::min(options.membership == Membership::Table ? bounds_.t0 : bounds_.t0 - 1, horizon - 1);
    const auto& partials = view_.columns->rows.partials();
    for (std::uint64_t i = 0; i < view_.partials; ++i) {
        if (partials[i].time < view_.horizon) partials_.push_back(partials[i]);
    }
    std::stable_sort(partials_.begin(), partials_.end(), [](auto& a, auto& b) { return a.row < b.row; });
    if (options.processExitFreesHeap && kind == store::TableKind::Heap) findExits();
}

void IntervalRows::findExits() {
    const auto& processes = trace_.processes->processes();
    exits_.resize(view_.sites, kNever.ns);
    for (std::uint32_t site = 0; site < view_.sites; ++site) {
        const auto process = trace_.heapOf(view_.columns->sites[SiteId{site}]).process;
        if (process.value >= processes.size()) continue;
        const auto end = processes[process.value].end;
        if (end < view_.horizon) exits_[site] = end.ns;
    }
}

bool IntervalRows::spanIsOutside(std::uint64_t span) const {
    // Ends at or after the horizon do not count, so a span is old only if all its ends are also before the horizon.
    const TimeRange interval{TraceTime{bounds_.t0}, TraceTime{bounds_.t1}};
    return view_.columns->rows.spanIsOutside(span, interval);
}

TraceTime IntervalRows::exit(RowId row) const {
    // A row of a process that had already ended (its pid came too late) has a lifetime of zero, not a negative one.
    const auto& rows = view_.columns->rows;
    return std::max(TraceTime{exits_[rows.site(row).value]}, rows.beginTime(row));
}

TraceTime IntervalRows::end(RowId row) const {
    const auto stored = view_.end(row);
    return exits_.empty() ? stored : std::min(stored, exit(row));
}

bool IntervalRows::endedWithProcess(RowId row) const { return !exits_.empty() && exit(row) < view_.end(row); }

store::EndKind IntervalRows::endKind(RowId row) const {
    if (endedWithProcess(row)) return store::EndKind::ProcessExit;
    if (view_.end(row) == kNever) return store::EndKind::None;
    return static_cast<store::EndKind>(view_.endSite(row).kind);
}

bool IntervalRows::isTemporary(RowId row) const {
    return !endedWithProcess(row) && view_.end(row) != kNever && view_.endSite(row).isTemporary;
}

std::span<const store::PartialRelease> IntervalRows::partialsOf(RowId row) const {
    const auto first = std::lower_bound(partials_.begin(), partials_.end(), row,
                                        [](const auto& partial, RowId r) { return partial.row < r; });
    auto last = first;
    while (last != partials_.end() && last->row == row)
        ++last;
    return {first, last};
}

ByteCount IntervalRows::releasedBefore(RowId row, TraceTime t) const {
    const auto size = view_.size(row);
    if (end(row) < t) return size;
    ByteCount released = 0;
    for (const auto& partial : partialsOf(row)) {
        if (partial.time < t) released += partial.bytes;
    }
    return std::min(released, size);
}

Sums IntervalRows::sumsOf(RowId row) const {
    const auto size = view_.size(row);
    const bool beganInside = view_.begin(row).ns >= bounds_.t0;
    const auto before = beganInside ? 0 : releasedBefore(row, TraceTime{bounds_.t0});
    const auto after = releasedBefore(row, TraceTime{bounds_.t1});
    Sums sums{.count = view_.columns->rows.objects(row),
              .size = size,
              .allocated = beganInside ? size : 0,
              .freed = after - before,
              .rows = 1};
    sums.opening = beganInside ? 0 : size - before;
    sums.impacting = size - after - sums.opening;
    return sums;
}

} // namespace highwater::analysis
