#pragma once

#include "core/analysis/flames/flames.h"
#include "tests/core/analysis/blocks_trace.h"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace highwater::tests {

using analysis::Column;
using analysis::FlameQuery;
using analysis::FlameTree;

inline FlameQuery stacksOf(Column measure, TimeRange interval = {TraceTime{0}, TraceTime{1000}}) {
    FlameQuery query;
    query.interval = interval;
    query.keys = {Column::Process, Column::Stack};
    query.measure = measure;
    return query;
}

inline FlameTree flamesOf(const std::shared_ptr<const store::PublishedTrace>& trace, const FlameQuery& query) {
    analysis::FrameLabels labels;
    return computeFlames(*trace, labels, query).value();
}

/// "a.exe (7)", "A", ...: frames as they were given to the builder.
inline std::string shortText(const FlameTree& tree, std::uint32_t node) {
    auto text = tree.text(node);
    if (text.ends_with("!+0x1")) text.resize(text.size() - 5);
    return text;
}

/// A line for each frame, indented by its depth: "  A: 30/10".
inline std::string printed(const FlameTree& tree, std::uint32_t node = FlameTree::kRoot) {
    std::string text;
    const auto& of = tree.nodes[node];
    if (node != FlameTree::kRoot)
        text = fmt::format("{:{}}{}: {}/{}\n", "", 2 * (of.depth - 1), shortText(tree, node), of.width,
                           tree.selfWidth(node));
    for (std::uint32_t child = 0; child < of.childCount; ++child)
        text += printed(tree, of.firstChild + child);
    return text;
}

inline std::shared_ptr<const store::PublishedTrace> threeStacks() {
    return traceOfBlocks({{1, 0, 60, "A;B"}, {2, 0, 30, "A;C"}, {3, 0, 10, "A"}});
}

} // namespace highwater::tests
