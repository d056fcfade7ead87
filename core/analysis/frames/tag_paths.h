#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/frames/label_tags.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace highwater::analysis {

/// The stacks of a query by their stack tags: the tag of each stack, and its frames as tags. Texts are labels.
/// Immutable after addTag() and addPath().
class TagPaths {
  public:
    TagPaths(const store::PublishedTrace& trace, FrameLabels& labels, std::shared_ptr<const NodeLabels> labelOfNode);

    /// Must be called before tagOf().
    void addTag(StackId stack);
    /// Must be called before pathOf().
    void addPath(StackId stack);

    /// The label of the stack's tag: the highest-priority tag of its frames; of equal ones, the innermost. 0: none.
    [[nodiscard]] std::uint32_t tagOf(StackId stack) const { return tags_[stack.value]; }
    /// Outermost first: the label of each frame's tag, or of the frame itself if it has none. Consecutive frames with
    /// the same tag are merged. Stacks without frames are paths of length one, with the label of the stack.
    [[nodiscard]] std::span<const std::uint32_t> pathOf(StackId stack) const {
        const auto place = places_[stack.value];
        return {labels_.data() + place.first, place.length};
    }

  private:
    struct Place {
        std::uint64_t first = 0;
        std::uint32_t length = 0; ///< 0: not added yet
    };
    /// The tag of a frame.
    struct Named {
        StackTagIndex tag = kNoStackTag;
        std::uint32_t text = 0; ///< label
    };

    /// Fills frames_, outermost first.
    void listFrames(StackId stack);
    [[nodiscard]] const FunctionTags& tagsOf(LabelId frame);
    [[nodiscard]] Named tagOfFrame(std::size_t frame);
    [[nodiscard]] std::uint32_t textOf(StackTagIndex tag);
    /// The text of a frame next to an entry point of the hint tag; 0: the frame is an entry point itself.
    [[nodiscard]] std::uint32_t hintedText(StackTagIndex hint, LabelId frame);

    const store::PublishedTrace& trace_;
    FrameLabels& frameLabels_;
    std::shared_ptr<const NodeLabels> labelOfNode_;
    const StackTags& definitions_;
    std::vector<std::uint32_t> tags_; ///< by stack
    std::vector<Place> places_;       ///< by stack
    std::vector<std::uint32_t> labels_;

    std::vector<LabelId> frames_;
    struct Known {
        FunctionTags tags;
        bool isKnown = false;
    };
    std::vector<Known> known_;                                        ///< by label
    std::vector<std::uint32_t> texts_;                                ///< by tag; 0: not computed yet
    tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> hinted_; ///< tag and label
};

} // namespace highwater::analysis
