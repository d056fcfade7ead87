#include "core/analysis/frames/stack_paths.h"

#include "core/base/seeded_hash.h"

#include <tsl/robin_set.h>

#include <algorithm>

namespace highwater::analysis {

StackPaths::StackPaths(const store::PublishedTrace& trace, FrameLabels& labels,
                       std::shared_ptr<const NodeLabels> labelOfNode, Order order, const AllocatorFrames* skipped)
    : trace_(trace),
      frameLabels_(labels),
      order_(order),
      skipped_(skipped),
      labelOfNode_(std::move(labelOfNode)),
      places_(trace.stackCount) {}

StackPaths::Skip StackPaths::skipOf(LabelId label) {
    if (skipped_ == nullptr) return kNever;
    if (label.value >= skipOfLabel_.size()) skipOfLabel_.resize(label.value + 1, kNotKnown);
    auto& known = skipOfLabel_[label.value];
    if (known == kNotKnown) {
        known = frameLabels_.isAllocatorFrame(label, *skipped_)    ? kNow
                : frameLabels_.wasAllocatorFrame(label, *skipped_) ? kFormerly
                                                                   : kNever;
    }
    return known;
}

void StackPaths::addLabels(FrameNodeId leaf) {
    const auto& stacks = trace_.columns->stacks;
    const auto& labels = *labelOfNode_;
    const bool hasInlined = labels.hasInlined();
    for (auto node = leaf; node.value != 0 && stacks.node(node).depth > 0; node = stacks.node(node).parent) {
        if (!hasInlined) {
            labels_.push_back(labels[node.value].value);
            continue;
        }
        const auto rows = labels.rowsOf(node.value);
        std::for_each(rows.rbegin(), rows.rend(), [&](auto label) { labels_.push_back(label.value); });
    }
}

void StackPaths::add(StackId stack) {
    auto& place = places_[stack.value];
    if (place.length > 0) return;
    place.first = labels_.size();
    const auto leaf = trace_.leaf(stack);
    addLabels(leaf);
    if (labels_.size() == place.first) {
        const bool isDeferred = stack.value != 0 && leaf.value == 0;
        labels_.push_back((isDeferred ? FrameLabels::kNotResolved : FrameLabels::kNoStack).value);
    }
    const auto first = labels_.begin() + static_cast<std::ptrdiff_t>(place.first);
    if (order_ == Order::RootFirst) {
        std::reverse(first, labels_.end());
        place.length = static_cast<std::uint32_t>(labels_.end() - first);
        return;
    }
    place.length = static_cast<std::uint32_t>(labels_.end() - first);
    const auto skippedWhile = [&](auto holds) {
        const auto kept =
            std::find_if(first, labels_.end(), [&](auto label) { return !holds(skipOf(LabelId{label})); });
        return std::min(static_cast<std::uint32_t>(kept - first), place.length - 1);
    };
    place.skipped = skippedWhile([](Skip skip) { return skip == kNow; });
    place.skippable = skippedWhile([](Skip skip) { return skip != kNever; });
}

std::vector<FrameRow> StackPaths::framesAt(std::span<const StackId> stacks, std::uint32_t row) const {
    const auto& nodes = trace_.columns->stacks;
    std::vector<FrameRow> found;
    tsl::robin_set<std::uint32_t, SeededHash> seen;
    for (const auto stack : stacks) {
        const auto& place = places_[stack.value];
        if (row + place.skipped >= place.length) continue;
        const auto wanted = order_ == Order::RootFirst ? row : place.length - 1 - row - place.skipped;
        auto end = place.length; // end of the rows of a node, counted from the root
        for (auto node = trace_.leaf(stack); node.value != 0 && nodes.node(node).depth > 0;
             node = nodes.node(node).parent) {
            // From the root, all stacks through this node have the same row.
            if (order_ == Order::RootFirst && !seen.insert(node.value).second) break;
            const auto rows = static_cast<std::uint32_t>(labelOfNode_->rowsOf(node.value).size());
            end -= rows;
            if (wanted < end) continue;
            if (order_ == Order::RootFirst || seen.insert(node.value).second) found.push_back({node, wanted - end});
            break;
        }
    }
    return found;
}

} // namespace highwater::analysis
