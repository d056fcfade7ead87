#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/difference/difference_impl.h"
#include "core/analysis/difference/difference_peaks.h"
#include "core/analysis/sweeps/slice_levels.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

std::int64_t lengthOf(const RowSelection& selection) {
    const auto interval = seenInterval(selection);
    return interval.end.ns - interval.start.ns;
}

/// The edges in the time of a trace, limited to its interval.
std::vector<TraceTime> edgesIn(const RowSelection& selection, const std::vector<std::int64_t>& edges) {
    const auto interval = seenInterval(selection);
    std::vector<TraceTime> own;
    for (const auto edge : edges) {
        if (edge >= interval.end.ns - interval.start.ns) break;
        own.push_back(TraceTime{interval.start.ns + edge});
    }
    if (!own.empty()) own.push_back(interval.end);
    return own;
}

/// By slice, up to the longest line.
std::vector<std::int64_t> mediansOf(const std::vector<std::vector<std::int64_t>>& lines) {
    std::vector<std::int64_t> medians;
    for (;;) {
        std::vector<std::int64_t> values;
        for (const auto& line : lines)
            if (line.size() > medians.size()) values.push_back(line[medians.size()]);
        if (values.empty()) return medians;
        medians.push_back(medianOf(std::move(values)));
    }
}

} // namespace

/// Ranges of nodes are nested or disjoint.
std::vector<EntryRange> Difference::Impl::joined(std::span<const NodeId> asked) const {
    std::vector<EntryRange> ranges;
    for (const auto node : asked)
        ranges.push_back(nodes[node].range);
    std::sort(ranges.begin(), ranges.end(), [](const EntryRange& a, const EntryRange& b) {
        return a.first != b.first ? a.first < b.first : a.last > b.last;
    });
    std::vector<EntryRange> outer;
    for (const auto& range : ranges)
        if (outer.empty() || range.first >= outer.back().last) outer.push_back(range);
    return outer;
}

Result<DifferenceTimeline> Difference::timeline(std::span<const NodeId> nodes, std::uint32_t slices,
                                                const std::stop_token& stop) const {
    if (impl_->query.table == Table::Snapshot)
        return Error{ErrorKind::Usage, "Heap snapshots have no timeline because each shows a single instant."};
    for (const auto* side : {&impl_->query.before, &impl_->query.after}) {
        for (const auto& compared : *side)
            if (auto refused = whyNoAnswer(AnswerKind::Timeline, compared.trace->lacks)) return *std::move(refused);
    }
    const auto groups = impl_->joined(nodes);
    DifferenceTimeline timeline;
    std::int64_t longest = 0;
    for (const auto& selection : impl_->selections)
        longest = std::max(longest, lengthOf(*selection));
    if (longest > 0) {
        const auto count = std::min<std::int64_t>(std::max(1u, slices), longest);
        for (const auto edge : sliceEdges({TraceTime{0}, TraceTime{longest}}, static_cast<std::uint32_t>(count)))
            timeline.edges.push_back(edge.ns);
    }
    std::vector<std::vector<std::int64_t>> lines[2];
    std::vector<std::int64_t> atEnd;
    for (std::uint32_t trace = 0; trace < impl_->traces; ++trace) {
        const auto& selection = *impl_->selections[trace];
        const auto edges = edgesIn(selection, timeline.edges);
        auto& side = lines[trace < impl_->query.before.size() ? 0 : 1];
        std::uint64_t outstanding = 0;
        for (const auto& group : groups) {
            const auto sums = impl_->tree.sums(group, trace);
            outstanding += sums.opening + sums.impacting;
        }
        atEnd.push_back(static_cast<std::int64_t>(outstanding));
        if (edges.empty()) continue;
        auto levels = levelsOf(impl_->tree, groups, trace, selection, edges, stop);
        if (!levels) return cancelled();
        side.push_back(std::move(*levels));
    }
    timeline.before = mediansOf(lines[0]);
    timeline.after = mediansOf(lines[1]);
    timeline.atEnd = impl_->changeOf(atEnd);
    return timeline;
}

} // namespace highwater::analysis
