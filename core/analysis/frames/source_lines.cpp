#include "core/analysis/frames/source_lines.h"

#include "core/analysis/frames/frame_facts.h"

namespace highwater::analysis {
namespace {

constexpr std::uint32_t kNotLookedUp = 0xFFFFFFFFu;

} // namespace

SourceLines::SourceLines(const store::PublishedTrace& trace, FrameLabels& labels,
                         std::shared_ptr<const NodeLabels> labelOfNode, const AllocatorFrames* skipped)
    : trace_(trace),
      labels_(labels),
      labelOfNode_(std::move(labelOfNode)),
      skipped_(skipped),
      ofStack_(trace.stackCount) {
    if (labelOfNode_->view() != nullptr) ofNode_.resize(labelOfNode_->size(), kNotLookedUp);
}

bool SourceLines::isSkipped(LabelId label) {
    if (skipped_ == nullptr) return false;
    if (label.value >= isSkippedLabel_.size()) isSkippedLabel_.resize(label.value + std::size_t{1});
    auto& known = isSkippedLabel_[label.value];
    if (known == 0) known = labels_.isAllocatorFrame(label, *skipped_) ? 2 : 1;
    return known == 2;
}

std::uint32_t SourceLines::ofFrame(FrameNodeId node) {
    const auto rows = labelOfNode_->rowsOf(node.value);
    for (auto level = static_cast<std::uint32_t>(rows.size()); level-- > 0;) {
        if (isSkipped(rows[level])) continue;
        const auto code = labels_.code(*labelOfNode_, {node, level});
        if (!code) continue;
        const auto sources = sourcesOf(std::span(&*code, 1));
        if (!sources.empty()) return labels_.textId(sources.front().text()).value;
    }
    return FrameLabels::kNoStack.value;
}

std::uint32_t SourceLines::from(FrameNodeId node) {
    const auto& stacks = trace_.columns->stacks;
    auto found = FrameLabels::kNoStack.value;
    auto last = node; // the last visited node
    for (;; last = stacks.node(last).parent) {
        if (last.value == 0 || stacks.node(last).depth == 0) break;
        if (ofNode_[last.value] != kNotLookedUp) {
            found = ofNode_[last.value];
            break;
        }
        found = ofFrame(last);
        if (found == FrameLabels::kNoStack.value) continue;
        ofNode_[last.value] = found;
        break;
    }
    for (; node != last; node = stacks.node(node).parent)
        ofNode_[node.value] = found;
    return found;
}

void SourceLines::add(StackId stack) {
    const auto leaf = trace_.leaf(stack);
    if (!ofNode_.empty() && leaf.value != 0) ofStack_[stack.value] = from(leaf);
}

} // namespace highwater::analysis
