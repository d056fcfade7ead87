#include "core/analysis/stack_paths.h"

#include <algorithm>

namespace highwater::analysis {

StackPaths::StackPaths(const store::PublishedTrace& trace, FrameLabels& labels,
                       std::shared_ptr<const std::vector<LabelId>> labelOfNode, Order order,
                       const AllocatorFrames* skipped)
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

void StackPaths::add(StackId stack) {
    auto& place = places_[stack.value];
    if (place.length > 0) return;
    place.first = labels_.size();
    const auto& stacks = trace_.columns->stacks;
    const auto leaf = trace_.leaf(stack);
    for (auto node = leaf; node.value != 0 && stacks.node(node).depth > 0; node = stacks.node(node).parent) {
        labels_.push_back((*labelOfNode_)[node.value].value);
    }
    if (labels_.size() == place.first) {
        const bool isPromise = stack.value != 0 && leaf.value == 0;
        labels_.push_back((isPromise ? FrameLabels::kNotResolved : FrameLabels::kNoStack).value);
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

} // namespace highwater::analysis
