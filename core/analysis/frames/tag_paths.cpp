#include "core/analysis/frames/tag_paths.h"

#include <algorithm>

namespace highwater::analysis {

TagPaths::TagPaths(const store::PublishedTrace& trace, FrameLabels& labels,
                   std::shared_ptr<const NodeLabels> labelOfNode)
    : trace_(trace),
      frameLabels_(labels),
      labelOfNode_(std::move(labelOfNode)),
      definitions_(*labelOfNode_->tags()->definitions()) {}

void TagPaths::listFrames(StackId stack) {
    frames_.clear();
    const auto& stacks = trace_.columns->stacks;
    for (auto node = trace_.leaf(stack); node.value != 0 && stacks.node(node).depth > 0;
         node = stacks.node(node).parent) {
        const auto rows = labelOfNode_->rowsOf(node.value);
        frames_.insert(frames_.end(), rows.rbegin(), rows.rend());
    }
    std::ranges::reverse(frames_);
}

const FunctionTags& TagPaths::tagsOf(LabelId frame) {
    if (known_.size() <= frame.value) known_.resize(frame.value + std::size_t{1});
    auto& known = known_[frame.value];
    if (!known.isKnown)
        known = {labelOfNode_->tags()->of(frame, [&](LabelId label) { return frameLabels_.nameOf(label); }), true};
    return known.tags;
}

std::uint32_t TagPaths::textOf(StackTagIndex tag) {
    if (texts_.size() <= tag) texts_.resize(tag + std::size_t{1});
    if (texts_[tag] == 0) texts_[tag] = frameLabels_.textId(definitions_[tag].name).value;
    return texts_[tag];
}

std::uint32_t TagPaths::hintedText(StackTagIndex hint, LabelId frame) {
    const auto [entry, isNew] = hinted_.try_emplace((std::uint64_t{hint} << 32) | frame.value, 0);
    if (isNew) {
        const auto name = frameLabels_.nameOf(frame);
        if (!definitions_.isEntryOf(hint, name))
            entry.value() = frameLabels_.textId(definitions_.hintedName(hint, name)).value;
    }
    return entry->second;
}

TagPaths::Named TagPaths::tagOfFrame(std::size_t frame) {
    const auto label = frames_[frame];
    const auto own = tagsOf(label).own;
    Named best{own, own == kNoStackTag ? 0 : textOf(own)};
    const auto consider = [&](StackTagIndex hint) {
        if (hint == kNoStackTag || !(best.tag == kNoStackTag || definitions_.isBefore(hint, best.tag))) return;
        if (const auto text = hintedText(hint, label); text != 0) best = {hint, text};
    };
    if (frame > 0) consider(tagsOf(frames_[frame - 1]).ofCallee);
    if (frame + 1 < frames_.size()) consider(tagsOf(frames_[frame + 1]).ofCaller);
    return best;
}

void TagPaths::addTag(StackId stack) {
    constexpr std::uint32_t kNotAdded = 0xFFFFFFFFu;
    if (tags_.empty()) tags_.resize(trace_.stackCount, kNotAdded);
    auto& found = tags_[stack.value];
    if (found != kNotAdded) return;
    listFrames(stack);
    Named best;
    for (auto i = frames_.size(); i-- > 0;) {
        const auto named = tagOfFrame(i);
        if (named.tag == kNoStackTag) continue;
        const bool isFirst = best.tag == kNoStackTag;
        if (isFirst || definitions_[named.tag].priority > definitions_[best.tag].priority) best = named;
    }
    found = best.text;
}

void TagPaths::addPath(StackId stack) {
    if (places_.empty()) places_.resize(trace_.stackCount);
    auto& place = places_[stack.value];
    if (place.length > 0) return;
    place.first = labels_.size();
    listFrames(stack);
    if (frames_.empty()) {
        const bool isDeferred = stack.value != 0 && trace_.leaf(stack).value == 0;
        labels_.push_back((isDeferred ? FrameLabels::kNotResolved : FrameLabels::kNoStack).value);
    }
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < frames_.size(); ++i) {
        const auto tag = tagOfFrame(i).text;
        if (tag == 0 || tag != last) labels_.push_back(tag == 0 ? frames_[i].value : tag);
        last = tag;
    }
    place.length = static_cast<std::uint32_t>(labels_.size() - place.first);
}

} // namespace highwater::analysis
