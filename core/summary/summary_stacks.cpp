#include "core/summary/summary_stacks.h"

#include "core/formats/calls/call_catalog.h"
#include "core/summary/normalised_name.h"
#include "core/summary/stack_key.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace highwater::summary {

using analysis::FrameRow, analysis::LabelId;

namespace {

std::string_view bytesOf(const std::vector<std::uint32_t>& frames) {
    return {reinterpret_cast<const char*>(frames.data()), frames.size() * sizeof(std::uint32_t)};
}

} // namespace

SummaryStacks::SummaryStacks(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                             const analysis::AllocatorFrames* allocators)
    : trace_(trace),
      labels_(labels),
      labelOfNode_(labels.labelsOf(trace)),
      owners_(*trace.processes, labels, allocators),
      ofStack_(trace.stackCount, kNone) {
    // Each address outside modules has its own label, and there may be millions.
    labels.visitTexts(
        [&](LabelId, std::string_view text) { ofLabel_.push_back(text.starts_with("0x") ? kNowhere : kNone); });
}

std::vector<Stack> SummaryStacks::takeStacks() {
    numbers_.clear();
    return {std::make_move_iterator(stacks_.begin()), std::make_move_iterator(stacks_.end())};
}

std::uint32_t SummaryStacks::indexOf(StackId stack) {
    auto& known = ofStack_[stack.value];
    if (known == kNone) known = find(stack);
    return known;
}

std::uint32_t SummaryStacks::find(StackId stack) {
    const auto leaf = trace_.leaf(stack);
    if (leaf.value == 0 || trace_.columns->stacks.node(leaf).depth == 0) return withoutStack();
    readPath(leaf);
    if (const auto known = numbers_.find(bytesOf(path_)); known != numbers_.end()) return known->second;
    std::vector<StackKey> functions;
    for (const auto frame : path_)
        functions.push_back(ofFrame_[frame]);
    const auto number = static_cast<std::uint32_t>(stacks_.size());
    stacks_.push_back({stackKey(functions), path_, ownerOf(leaf)});
    numbers_.emplace(bytesOf(stacks_.back().frames), number);
    return number;
}

/// Their owner is a frame that explains why there are none.
std::uint32_t SummaryStacks::withoutStack() {
    if (withoutStack_ != kNone) return withoutStack_;
    withoutStack_ = static_cast<std::uint32_t>(stacks_.size());
    stacks_.push_back({{}, {}, frameOf({}, analysis::FrameLabels::kNoStack)});
    return withoutStack_;
}

void SummaryStacks::readPath(FrameNodeId leaf) {
    const auto& nodes = trace_.columns->stacks;
    path_.clear();
    for (auto node = leaf; node.value != 0 && nodes.node(node).depth > 0; node = nodes.node(node).parent) {
        const auto rows = labelOfNode_->rowsOf(node.value);
        for (auto level = static_cast<std::uint32_t>(rows.size()); level-- > 0;)
            path_.push_back(frameOf({node, level}, rows[level]));
    }
}

/// By labels, once for all stacks of equal functions.
std::uint32_t SummaryStacks::ownerOf(FrameNodeId leaf) {
    const auto& nodes = trace_.columns->stacks;
    std::vector<std::uint32_t> labels;
    auto node = leaf;
    for (; node.value != 0 && nodes.node(node).depth > 0; node = nodes.node(node).parent) {
        const auto rows = labelOfNode_->rowsOf(node.value);
        std::for_each(rows.rbegin(), rows.rend(), [&](auto label) { labels.push_back(label.value); });
    }
    return path_[owners_.ownerOf(store::unpackRoot(nodes.node(node)).process, labels)];
}

std::uint32_t SummaryStacks::frameOf(FrameRow row, LabelId label) {
    if (label.value >= ofLabel_.size())
        ofLabel_.resize(std::max<std::size_t>(label.value + 1, 2 * ofLabel_.size()), kNone);
    auto& known = ofLabel_[label.value];
    if (known == kNowhere && nowhere_ != kNone) return nowhere_;
    if (known < kNowhere) return known;
    auto frame = describe(row, label);
    const bool isNowhere = !frame.isNamed && frame.module.empty() && frame.buildId.empty();
    auto name = frame.isNamed ? frame.name : frame.name + '\0' + frame.buildId;
    const auto [entry, isNew] = frameNumbers_.try_emplace(std::move(name), static_cast<std::uint32_t>(frames_.size()));
    known = entry->second;
    if (isNowhere) nowhere_ = known;
    if (!isNew) return known;
    ofFrame_.push_back(frame.isNamed ? functionKey(frame.name) : unnamedFunctionKey(frame.name, frame.buildId));
    frames_.push_back(std::move(frame));
    return known;
}

Frame SummaryStacks::describe(FrameRow row, LabelId label) const {
    auto name = normalised(labels_.nameOf(label)); // parameters of Rust have another syntax than those of C++
    const bool isInNoModule = !name.isNamed && name.text.find('!') == std::string::npos;
    Frame frame;
    frame.name = std::move(name.text);
    frame.module = std::move(name.module);
    frame.isNamed = name.isNamed;
    if (isInNoModule || label == analysis::FrameLabels::kNoStack) return frame;
    const auto code = labels_.code(*labelOfNode_, row);
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
