#include "core/analysis/timeline/timeline_groups.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/timeline/line_levels.h"
#include "core/analysis/timeline/site_lines.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace highwater::analysis {
namespace {

using NodeId = LineTree::NodeId;
using Values = std::vector<std::vector<SignedByteCount>>; ///< by line and slice

/// The line of a group, or of the rest of its parent.
struct Line {
    NodeId node = LineTree::kRoot;
    std::uint32_t more = 0; ///< groups of the node without their own line; 0: the line is the node's
    std::vector<SignedByteCount> values = {};
};

/// Adds lines level by level, because the rows of a line also count in the line of its group: one sweep for each level
/// with lines, plus one if the largest must be found first.
class SeriesOfGroups {
  public:
    SeriesOfGroups(LineSource& levels, const TimelineQuery& query, const std::vector<TraceTime>& edges)
        : query_(query), edges_(edges), reader_(levels.reader()), levels_(levels) {}

    Result<std::vector<TimelineSeries>> run(const std::stop_token& stop) {
        if (!levels_.find(stop)) return cancelled();
        if (!query_.by || query_.opening.withTotal) {
            auto total = levels_.measure(edges_, std::vector<std::uint32_t>(levels_.groupCount(), 0), 1, stop);
            if (!total) return cancelled();
            total_ = std::move(total->front());
        }
        linesIn_.resize(levels_.tree().size());
        std::vector<NodeId> open;
        if (query_.by) open.push_back(LineTree::kRoot);
        while (!open.empty()) {
            open = TRY(addLevel(open, stop));
        }
        return series();
    }

  private:
    [[nodiscard]] const LineTree::Node& node(NodeId id) const { return levels_.tree().node(id); }

    /// Adds lines for the contents of these nodes, which are all at one level. Returns those of them that are open.
    Result<std::vector<NodeId>> addLevel(const std::vector<NodeId>& open, const std::stop_token& stop) {
        const auto isLarge = [&](NodeId id) { return isCut(id); };
        const bool isRanked = std::any_of(open.begin(), open.end(), isLarge);
        std::vector<SignedByteCount> peaks(levels_.tree().size(), 0);
        if (isRanked && !rank(open, peaks, stop)) return cancelled();
        std::vector<Line> lines;
        for (const auto id : open)
            addLines(id, peaks, lines);
        lineCount_ += lines.size();
        if (lineCount_ * query_.points > kMaxTimelinePoints) return tooManyPoints(lineCount_, query_.points);
        if (!measure(edges_, lines, stop)) return cancelled();
        std::vector<NodeId> next;
        for (auto& line : lines) {
            const bool isRest = line.more > 0;
            if (!isRest && node(line.node).isOpen) next.push_back(line.node);
            if (!isRest) peaks[line.node] = *std::max_element(line.values.begin(), line.values.end());
            linesIn_[isRest ? line.node : node(line.node).parent].push_back(std::move(line));
        }
        sortLines(open, peaks);
        return next;
    }

    [[nodiscard]] bool isCut(NodeId parent) const {
        return query_.maxSeries > 0 && groupsIn(parent).size() > query_.maxSeries;
    }
    /// Without the rest.
    [[nodiscard]] std::vector<NodeId> groupsIn(NodeId parent) const {
        auto groups = node(parent).children;
        std::erase_if(groups, [&](auto id) { return node(id).isOwn; });
        return groups;
    }

    void addLines(NodeId parent, const std::vector<SignedByteCount>& peaks, std::vector<Line>& lines) const {
        auto groups = groupsIn(parent);
        const auto all = groups.size();
        if (isCut(parent)) {
            keepLargest(groups, peaks);
            sort(groups, peaks);
            groups.resize(query_.maxSeries);
        }
        for (const auto id : groups)
            lines.push_back({id});
        const auto& children = node(parent).children;
        const auto own = std::find_if(children.begin(), children.end(), [&](auto id) { return node(id).isOwn; });
        if (own != children.end()) lines.push_back({*own});
        if (groups.size() < all) lines.push_back({parent, static_cast<std::uint32_t>(all - groups.size())});
    }

    /// Keeps the groups that may get a line, because naming all of possibly very many groups takes too long.
    void keepLargest(std::vector<NodeId>& groups, const std::vector<SignedByteCount>& peaks) const {
        const auto last = groups.begin() + static_cast<std::ptrdiff_t>(query_.maxSeries) - 1;
        std::ranges::nth_element(groups, last, std::ranges::greater(), [&](NodeId id) { return peaks[id]; });
        std::erase_if(groups, [&, least = peaks[*last]](NodeId id) { return peaks[id] < least; });
    }

    /// Measures the lines of nodes by their leaves; the remaining leaves form one more line.
    bool measure(const std::vector<TraceTime>& edges, std::vector<Line>& lines, const std::stop_token& stop) {
        const auto none = static_cast<std::uint32_t>(lines.size());
        std::vector<std::uint32_t> lineOfNode(levels_.tree().size(), none);
        std::vector<std::uint32_t> restOfNode(levels_.tree().size(), none);
        for (std::uint32_t line = 0; line < none; ++line)
            (lines[line].more > 0 ? restOfNode : lineOfNode)[lines[line].node] = line;
        std::vector<std::uint32_t> lineOfGroup(levels_.groupCount(), none);
        for (std::uint32_t group = 0; group < lineOfGroup.size(); ++group) {
            auto& line = lineOfGroup[group];
            for (auto id = levels_.leaf(group); line == none && id != LineTree::kRoot; id = node(id).parent)
                line = lineOfNode[id] != none ? lineOfNode[id] : restOfNode[node(id).parent];
        }
        const bool isRest = std::find(lineOfGroup.begin(), lineOfGroup.end(), none) != lineOfGroup.end();
        auto values = levels_.measure(edges, std::move(lineOfGroup), lines.size() + (isRest ? 1 : 0), stop);
        if (!values) return false;
        for (std::uint32_t line = 0; line < none; ++line)
            lines[line].values = std::move((*values)[line]);
        return true;
    }

    /// The peak of each group in these nodes, with few slices. The rest then needs its own sweep because peaks of
    /// single groups do not add up.
    bool rank(const std::vector<NodeId>& open, std::vector<SignedByteCount>& peaks, const std::stop_token& stop) {
        // Releases are ranked by their sum. One slice would be enough for peaks; several let RowSweep share the work.
        const bool isShared = query_.table == Table::Heap && query_.processExitFreesHeap;
        const auto coarse = sliceEdges({edges_.front(), edges_.back()}, isShared ? 32 : 1);
        std::vector<Line> groups;
        for (const auto parent : open) {
            for (const auto id : groupsIn(parent))
                groups.push_back({id});
        }
        if (!measure(coarse, groups, stop)) return false;
        for (const auto& group : groups)
            peaks[group.node] = *std::max_element(group.values.begin(), group.values.end());
        return true;
    }

    /// From the largest peak to the smallest; equal ones by key.
    void sort(std::vector<NodeId>& groups, const std::vector<SignedByteCount>& peaks) const {
        struct Ranked {
            NodeId id;
            std::string text;
            std::uint64_t number;
        };
        std::vector<Ranked> ranked;
        for (const auto id : groups) {
            const auto& step = node(id).step;
            const auto order = specOf(step.column).order;
            ranked.push_back({id, order == ValueOrder::Text ? reader_.text(step.column, step.key) : std::string(),
                              step.key ^ (order == ValueOrder::Signed ? std::uint64_t{1} << 63 : 0)});
        }
        std::sort(ranked.begin(), ranked.end(), [&](const Ranked& a, const Ranked& b) {
            if (peaks[a.id] != peaks[b.id]) return peaks[a.id] > peaks[b.id];
            if (node(a.id).keyIndex != node(b.id).keyIndex) return node(a.id).keyIndex < node(b.id).keyIndex;
            if (const auto text = a.text.compare(b.text); text != 0) return text < 0;
            return a.number < b.number;
        });
        std::transform(ranked.begin(), ranked.end(), groups.begin(), [](const Ranked& each) { return each.id; });
    }

    /// If all groups have lines, the lines determine the largest.
    void sortLines(const std::vector<NodeId>& open, const std::vector<SignedByteCount>& peaks) {
        std::vector<std::size_t> place(levels_.tree().size(), levels_.tree().size());
        for (const auto parent : open) {
            if (isCut(parent)) continue;
            auto order = groupsIn(parent);
            sort(order, peaks);
            for (std::size_t i = 0; i < order.size(); ++i)
                place[order[i]] = i;
            std::sort(linesIn_[parent].begin(), linesIn_[parent].end(),
                      [&](const Line& a, const Line& b) { return place[a.node] < place[b.node]; });
        }
    }

    std::vector<TimelineSeries> series() {
        std::vector<TimelineSeries> series;
        const bool hasTotal = !total_.empty();
        if (hasTotal) {
            series.push_back({"Total", 0, false, std::move(total_)});
            series.back().isOpen = query_.by && !linesIn_[LineTree::kRoot].empty();
        }
        addSeries(LineTree::kRoot, query_.by && hasTotal ? 1 : 0, series);
        return series;
    }

    /// A group whose only content is the rest of itself adds no information.
    [[nodiscard]] bool saysMore(NodeId id) const {
        const auto& lines = linesIn_[id];
        return std::any_of(lines.begin(), lines.end(), [&](const Line& line) { return !node(line.node).isOwn; });
    }

    void addSeries(NodeId parent, std::uint32_t depth, std::vector<TimelineSeries>& series) {
        for (auto& line : linesIn_[parent]) {
            const auto& of = node(line.node);
            const bool isGroup = line.more == 0 && !of.isOwn;
            const auto name = isGroup    ? reader_.text(of.step.column, of.step.key)
                              : of.isOwn ? std::string(kOwnSeries)
                                         : fmt::format("({} more)", line.more);
            series.push_back({name, isGroup ? of.step.key : 0, isGroup, std::move(line.values)});
            auto& added = series.back();
            added.path = levels_.tree().pathOf(line.node);
            added.depth = depth;
            added.canOpen = isGroup && of.canOpen;
            added.isOpen = isGroup && saysMore(line.node);
            if (added.isOpen) addSeries(line.node, depth + 1, series);
        }
    }

    const TimelineQuery& query_;
    const std::vector<TraceTime>& edges_;
    const KeyReader& reader_;
    LineSource& levels_;
    std::vector<SignedByteCount> total_;     ///< empty: not requested
    std::vector<std::vector<Line>> linesIn_; ///< by node
    std::uint64_t lineCount_ = 0;
};

} // namespace

Error tooManyPoints(std::uint64_t series, std::uint64_t points) {
    return Error{ErrorKind::Usage, fmt::format("{} series of {} points are too many for a timeline; the limit is {} "
                                               "points in total. Request fewer points or another column.",
                                               series, points, kMaxTimelinePoints)};
}

Result<std::vector<TimelineSeries>> coarseSeriesOfGroups(const store::PublishedTrace& trace, FrameLabels& labels,
                                                         const TimelineQuery& query,
                                                         const std::vector<TraceTime>& edges,
                                                         const std::stop_token& stop) {
    const auto ofSites = TRY(SiteLines::makeCoarse(trace, labels, query, stop));
    if (!ofSites) return std::vector<TimelineSeries>();
    return SeriesOfGroups(*ofSites, query, edges).run(stop);
}

Result<std::vector<TimelineSeries>> seriesOfGroups(const store::PublishedTrace& trace, FrameLabels& labels,
                                                   const TimelineQuery& query, const std::vector<TraceTime>& edges,
                                                   const std::stop_token& stop) {
    const auto ofSites = TRY(SiteLines::make(trace, labels, query, stop));
    if (ofSites) return SeriesOfGroups(*ofSites, query, edges).run(stop);
    const SelectionQuery selectionQuery{query.table,
                                        query.interval,
                                        Membership::Timeline,
                                        LineTree::columnsOf(query),
                                        &query.filter,
                                        query.processExitFreesHeap,
                                        query.allocatorFrames.get(),
                                        query.marks,
                                        query.annotations.get(),
                                        query.instances};
    const auto selection = TRY(RowSelection::make(trace, labels, selectionQuery, stop));
    LineLevels levels(*selection, query);
    return SeriesOfGroups(levels, query, edges).run(stop);
}

} // namespace highwater::analysis
