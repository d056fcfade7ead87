#include "core/analysis/flames/flame_tree_builder.h"

#include "core/analysis/rows/stop_interval.h"

#include <algorithm>
#include <array>
#include <bit>

namespace highwater::analysis {
namespace {

/// A histogram of widths with sixteen bins per power of two, to find the least width for which all frames fit the
/// limit.
class WidthHistogram {
  public:
    void add(std::uint64_t width) { ++counts_[bucketOf(width)]; }
    /// At most `most` frames are that wide.
    [[nodiscard]] std::uint64_t narrowest(std::uint64_t most) const {
        std::uint64_t frames = 0;
        auto bucket = counts_.size();
        while (bucket > 0 && frames + counts_[bucket - 1] <= most)
            frames += counts_[--bucket];
        return bucket == counts_.size() ? ~std::uint64_t{0} : firstOf(bucket);
    }

  private:
    static constexpr unsigned kParts = 16;
    static std::size_t bucketOf(std::uint64_t width) {
        if (width < kParts) return static_cast<std::size_t>(width);
        const auto shift = static_cast<unsigned>(std::bit_width(width)) - 5;
        return (shift + 1) * kParts + static_cast<std::size_t>((width >> shift) - kParts);
    }
    static std::uint64_t firstOf(std::size_t bucket) {
        if (bucket < kParts) return bucket;
        const auto shift = bucket / kParts - 1;
        return (bucket % kParts + kParts) << shift;
    }
    std::array<std::uint64_t, std::size_t{61} * kParts> counts_{};
};

SignedByteCount wrappedSum(SignedByteCount a, SignedByteCount b) {
    return static_cast<SignedByteCount>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

void add(const FlameNode& node, FlameNode& sum) {
    sum.width += node.width;
    sum.count += node.count;
    sum.frames += node.frames;
    sum.now = wrappedSum(sum.now, node.now);
    sum.before = wrappedSum(sum.before, node.before);
}

} // namespace

bool FlameTreeBuilder::build(FlameTree& tree, const std::stop_token& stop) {
    tree.notDrawn = paths_.notDrawn();
    const auto all = paths_.all();
    const auto frames = paths_.valuesOf(all).frames;
    if (most_ > 0 && frames > most_ && !findNarrowest(all, stop)) return false;
    tree.nodes.front() = nodeOf(all);
    ranges_.push_back(all);
    for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
        if (node % kStopEvery == 0 && stop.stop_requested()) return false;
        if (!tree.nodes[node].isMore()) addChildren(tree, node);
    }
    return true;
}

bool FlameTreeBuilder::findNarrowest(const FlamePaths::Range& all, const std::stop_token& stop) {
    WidthHistogram widths;
    std::vector<FlamePaths::Range> waiting{all};
    for (std::uint32_t seen = 0; !waiting.empty(); ++seen) {
        if (seen % kStopEvery == 0 && stop.stop_requested()) return false;
        const auto range = waiting.back();
        waiting.pop_back();
        widths.add(paths_.widthOf(range));
        paths_.visitChildren(range, [&](const FlamePaths::Range& child) { waiting.push_back(child); });
    }
    narrowest_ = widths.narrowest(most_);
    return true;
}

FlameNode FlameTreeBuilder::nodeOf(const FlamePaths::Range& range) const {
    const auto values = paths_.valuesOf(range);
    FlameNode node;
    node.width = values.width;
    node.now = values.now;
    node.before = values.before;
    node.ownNow = values.ownNow;
    node.ownBefore = values.ownBefore;
    node.count = values.count;
    node.frames = values.frames;
    return node;
}

void FlameTreeBuilder::addChildren(FlameTree& tree, std::uint32_t parent) {
    std::vector<Child> children;
    FlameNode more;
    more.frames = 0;
    paths_.visitChildren(ranges_[parent], [&](const FlamePaths::Range& range) {
        if (paths_.widthOf(range) >= narrowest_)
            children.push_back({range, nodeOf(range)});
        else
            add(nodeOf(range), more);
    });
    for (auto& child : children)
        child.node.label = labelOf(tree, child.range);
    tree.cut += more.frames;
    more.label = FlameNode::kMore;
    more.ownNow = more.now;
    more.ownBefore = more.before;
    if (more.frames > 0) children.push_back({{}, more});
    std::stable_sort(children.begin(), children.end(), [&](const Child& a, const Child& b) {
        if (a.node.width != b.node.width) return a.node.width > b.node.width;
        // Label numbers depend on the order of first use, so compare texts.
        if (a.node.isMore() || b.node.isMore()) return b.node.isMore() && !a.node.isMore();
        return tree.labels[a.node.label].text < tree.labels[b.node.label].text;
    });
    place(tree, parent, children);
}

void FlameTreeBuilder::place(FlameTree& tree, std::uint32_t parent, const std::vector<Child>& children) {
    auto begin = tree.nodes[parent].begin;
    const auto depth = tree.nodes[parent].depth + 1;
    tree.nodes[parent].firstChild = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes[parent].childCount = static_cast<std::uint32_t>(children.size());
    for (const auto& [range, made] : children) {
        auto node = made;
        node.begin = begin;
        node.parent = parent;
        node.depth = depth;
        begin += node.width;
        tree.depth = std::max(tree.depth, depth);
        tree.nodes.push_back(node);
        ranges_.push_back(range);
    }
}

std::uint32_t FlameTreeBuilder::labelOf(FlameTree& tree, const FlamePaths::Range& range) {
    const auto step = paths_.lastStep(range);
    auto& known = labels_[step.column];
    const auto [entry, isNew] = known.try_emplace(step.key, static_cast<std::uint32_t>(tree.labels.size()));
    if (isNew) tree.labels.push_back({step.column, step.key, textOf_(step)});
    return entry->second;
}

} // namespace highwater::analysis
