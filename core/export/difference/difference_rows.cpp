#include "core/export/difference/difference_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace highwater::exports {
namespace {

using analysis::Difference, analysis::kMeasures, analysis::Measure;

/// A row before its values are computed: one node, or the nodes omitted by --top.
struct OpenPlace {
    std::size_t level = 0;
    bool isRest = false;
    std::vector<Difference::NodeId> nodes;
};

/// Opens nodes in pre-order. Not recursive, because stacks may be thousands of frames deep.
std::vector<OpenPlace> openPlaces(Difference& difference, TreeLimits limits) {
    std::vector<OpenPlace> places;
    std::vector<OpenPlace> waiting{{0, false, {Difference::kRoot}}};
    while (!waiting.empty()) {
        const auto place = std::move(waiting.back());
        waiting.pop_back();
        if (place.level > 0) places.push_back(place);
        if (place.isRest || (limits.depth != 0 && place.level >= limits.depth)) continue;
        const auto& children = difference.children(place.nodes.front());
        const auto shown = limits.top != 0 ? std::min<std::size_t>(limits.top, children.size()) : children.size();
        const auto rest = children.begin() + static_cast<std::ptrdiff_t>(shown);
        if (rest != children.end()) waiting.push_back({place.level + 1, true, {rest, children.end()}});
        for (auto i = shown; i-- > 0;)
            waiting.push_back({place.level + 1, false, {children[i]}});
    }
    return places;
}

bool isSignificant(const Difference& difference, Measure measure) {
    return analysis::hasMeasure(difference.query().table, measure) &&
           analysis::whyNoMeasure(difference.query(), measure).empty();
}

void takeValues(const Difference& difference, Difference::NodeId node, DifferenceRow& row) {
    row.state = difference.state(node);
    for (const auto measure : kMeasures)
        if (isSignificant(difference, measure))
            row.changes[static_cast<std::size_t>(measure)] = difference.change(node, measure);
}

} // namespace

std::vector<DifferenceRow> rowsOf(Difference& difference, TreeLimits limits) {
    const auto places = openPlaces(difference, limits);
    std::vector<Difference::NodeId> nodes;
    for (const auto& place : places) {
        if (!place.isRest) nodes.push_back(place.nodes.front());
    }
    (void)difference.computePeaks(nodes); // cannot be cancelled
    std::vector<DifferenceRow> rows;
    std::vector<PathStep> path;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto& place = places[i];
        const auto node = place.nodes.front();
        DifferenceRow row;
        path.resize(place.level - 1);
        path.push_back({difference.column(node),
                        place.isRest ? fmt::format("({} more)", place.nodes.size()) : difference.text(node)});
        row.path = path;
        row.isLeaf = i + 1 == places.size() || places[i + 1].level <= place.level;
        if (place.isRest) {
            for (const auto measure : kMeasures)
                if (measure != Measure::PeakSize && isSignificant(difference, measure))
                    row.changes[static_cast<std::size_t>(measure)] = difference.changeOf(place.nodes, measure);
        } else {
            takeValues(difference, node, row);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::optional<TraceTime> snapshotTimeOf(const analysis::ComparedTrace& compared) {
    for (const auto& instance : analysis::instancesOf(*compared.trace, compared.instances)) {
        if (instance.number == compared.instances.only) return instance.time;
    }
    return std::nullopt;
}

DifferenceRow totalOf(Difference& difference) {
    DifferenceRow row;
    (void)difference.computePeaks(std::array{Difference::kRoot});
    takeValues(difference, Difference::kRoot, row);
    return row;
}

} // namespace highwater::exports
