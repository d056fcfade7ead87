#include "core/analysis/stack_paths.h"

#include <algorithm>

namespace highwater::analysis {

StackPaths::StackPaths(const store::PublishedTrace& trace, FrameLabels& labels, Order order,
                       const AllocatorFrames* skipped)
    : trace_(trace),
      frameLabels_(labels),
      order_(order),
      skipped_(skipped),
      labelOfNode_(labels.labelsOf(trace)),
      places_(trace.stackCount) {}

bool StackPaths::isSkipped(LabelId label) {
    if (skipped_ == nullptr) return false;
    if (label.value >= skipOfLabel_.size()) skipOfLabel_.resize(label.value + 1, 0);
    auto& known = skipOfLabel_[label.value];
    if (known == 0) known = frameLabels_.isAllocatorFrame(label, *skipped_) ? 2 : 1;
    return known == 2;
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
    } else {
        auto kept = std::find_if(first, labels_.end(), [&](auto label) { return !isSkipped(LabelId{label}); });
        if (kept == labels_.end()) --kept;
        labels_.erase(first, kept);
    }
    place.length = static_cast<std::uint32_t>(labels_.size() - place.first);
}

} // namespace highwater::analysis
