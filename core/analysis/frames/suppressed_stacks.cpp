#include "core/analysis/frames/suppressed_stacks.h"

#include "core/analysis/frames/frame_facts.h"

#include <algorithm>

namespace highwater::analysis {

SuppressedStacks::SuppressedStacks(const store::PublishedTrace& trace, FrameLabels& labels,
                                   const Suppressions* suppressions)
    : trace_(trace), frameLabels_(labels), suppressions_(suppressions) {
    if (suppressions_ == nullptr || suppressions_->isEmpty()) return;
    labelOfNode_ = labels.labelsOf(trace);
    ofStack_.resize(trace.stackCount);
}

bool SuppressedStacks::contains(StackId stack) {
    if (!labelOfNode_) return false;
    auto& known = ofStack_[stack.value];
    if (known != Answer::NotAsked) return known == Answer::Yes;
    known = Answer::No;
    const auto& stacks = trace_.columns->stacks;
    for (auto node = trace_.leaf(stack); node.value != 0 && stacks.node(node).depth > 0;
         node = stacks.node(node).parent) {
        const auto rows = labelOfNode_->rowsOf(node.value);
        for (std::uint32_t level = 0; level < rows.size(); ++level) {
            if (!isSuppressed({node, level}, rows[level])) continue;
            known = Answer::Yes;
            return true;
        }
    }
    return false;
}

bool SuppressedStacks::isSuppressed(FrameRow row, LabelId label) {
    if (ofLabel_.size() <= label.value) ofLabel_.resize(label.value + std::size_t{1});
    auto& known = ofLabel_[label.value];
    if (known == Answer::NotAsked) known = matches(row, label) ? Answer::Yes : Answer::No;
    return known == Answer::Yes;
}

/// The source file of one frame represents all frames of the function.
bool SuppressedStacks::matches(FrameRow row, LabelId label) const {
    const auto name = frameLabels_.nameOf(label);
    const auto mark = name.find('!');
    const auto function = mark == std::string::npos ? std::string_view(name) : std::string_view(name).substr(mark + 1);
    const auto module = std::string_view(name).substr(0, mark == std::string::npos ? 0 : mark);
    const bool isNamed = !isOffset(function) && mark != std::string::npos;
    if ((isNamed && suppressions_->matches(function)) || suppressions_->matches(module)) return true;
    const auto code = frameLabels_.code(*labelOfNode_, row);
    if (!code) return false;
    if (code->place.isInModule() && suppressions_->matches(trace_.processes->module(code->place.module).path))
        return true;
    const auto sources = sourcesOf(std::span(&*code, 1));
    return std::ranges::any_of(sources, [&](const auto& source) { return suppressions_->matches(source.file); });
}

} // namespace highwater::analysis
