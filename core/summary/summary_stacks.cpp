#include "core/summary/summary_stacks.h"

#include "core/formats/calls/call_catalog.h"
#include "core/summary/normalised_name.h"
#include "core/summary/stack_key.h"

#include <algorithm>
#include <utility>

namespace highwater::summary {

using analysis::FrameRow, analysis::LabelId;

SummaryStacks::SummaryStacks(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                             const analysis::AllocatorFrames* allocators)
    : trace_(trace),
      labels_(labels),
      labelOfNode_(labels.labelsOf(trace)),
      owners_(*trace.processes, labels, allocators),
      ofStack_(trace.stackCount, kNone),
      ofNode_(labelOfNode_->size()),
      isNodeKnown_(labelOfNode_->size()) {}

std::uint32_t SummaryStacks::indexOf(StackId stack) {
    auto& known = ofStack_[stack.value];
    if (known == kNone) known = find(stack);
    return known;
}

std::uint32_t SummaryStacks::find(StackId stack) {
    const auto leaf = trace_.leaf(stack);
    if (leaf.value == 0 || trace_.columns->stacks.node(leaf).depth == 0) return withoutStack();
    const auto key = keyOf(leaf);
    const auto [entry, isNew] = numbers_.try_emplace(key, static_cast<std::uint32_t>(stacks_.size()));
    const auto number = entry->second;
    if (isNew) stacks_.push_back(make(leaf, key));
    return number;
}

/// Their owner is a frame that says why there are none.
std::uint32_t SummaryStacks::withoutStack() {
    if (withoutStack_ != kNone) return withoutStack_;
    withoutStack_ = static_cast<std::uint32_t>(stacks_.size());
    Stack stack;
    stack.owner = frameOf({}, analysis::FrameLabels::kNoStack);
    stacks_.push_back(std::move(stack));
    return withoutStack_;
}

/// Callers have keys of their own, which stacks share: from the first that has none the others are made.
StackKey SummaryStacks::keyOf(FrameNodeId leaf) {
    const auto& nodes = trace_.columns->stacks;
    path_.clear();
    auto node = leaf;
    for (; node.value != 0 && !isNodeKnown_[node.value] && nodes.node(node).depth > 0; node = nodes.node(node).parent)
        path_.push_back(node);
    auto key = node.value != 0 && isNodeKnown_[node.value] ? ofNode_[node.value] : StackKey();
    for (auto called = path_.rbegin(); called != path_.rend(); ++called) {
        const auto rows = labelOfNode_->rowsOf(called->value);
        for (std::uint32_t level = 0; level < rows.size(); ++level)
            key = calledFrom(key, ofFrame_[frameOf({*called, level}, rows[level])]);
        ofNode_[called->value] = key;
        isNodeKnown_[called->value] = true;
    }
    return key;
}

Stack SummaryStacks::make(FrameNodeId leaf, const StackKey& key) {
    const auto& nodes = trace_.columns->stacks;
    Stack stack;
    stack.key = key;
    std::vector<std::uint32_t> labels;
    auto node = leaf;
    for (; node.value != 0 && nodes.node(node).depth > 0; node = nodes.node(node).parent) {
        const auto rows = labelOfNode_->rowsOf(node.value);
        for (auto level = static_cast<std::uint32_t>(rows.size()); level-- > 0;) {
            labels.push_back(rows[level].value);
            stack.frames.push_back(frameOf({node, level}, rows[level]));
        }
    }
    const auto process = store::unpackRoot(nodes.node(node)).process;
    stack.owner = stack.frames[owners_.ownerOf(process, labels)];
    return stack;
}

std::uint32_t SummaryStacks::frameOf(FrameRow row, LabelId label) {
    if (label.value >= ofLabel_.size())
        ofLabel_.resize(std::max<std::size_t>(label.value + 1, 2 * ofLabel_.size()), kNone);
    auto& known = ofLabel_[label.value];
    if (known != kNone) return known;
    auto name = normalised(labels_.text(label)).text;
    const auto [entry, isNew] = frameNumbers_.try_emplace(std::move(name), static_cast<std::uint32_t>(frames_.size()));
    known = entry->second;
    if (!isNew) return known;
    frames_.push_back(describe(row, label));
    ofFrame_.push_back(functionKey(frames_.back().name));
    return known;
}

Frame SummaryStacks::describe(FrameRow row, LabelId label) const {
    auto name = normalised(labels_.text(label));
    Frame frame;
    frame.name = std::move(name.text);
    frame.module = std::move(name.module);
    frame.isNamed = name.isNamed;
    const auto code = label == analysis::FrameLabels::kNoStack ? std::nullopt : labels_.code(*labelOfNode_, row);
    if (!code) return frame;
    if (code->place.isInModule()) {
        frame.buildId = formats::buildIdText(trace_.processes->module(code->place.module).identity);
        frame.rva = code->place.codeOffset();
    }
    if (code->names == nullptr || code->chain.empty()) return frame;
    frame.file = code->names->file(code->chain[code->index]);
    frame.line = code->chain[code->index].line;
    return frame;
}

} // namespace highwater::summary
