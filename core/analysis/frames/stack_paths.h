#pragma once

#include "core/analysis/frames/frame_labels.h"

#include <cstdint>
#include <span>
#include <vector>

namespace highwater::analysis {

/// The stacks of a query as rows of labels, in the order of a stack column. Immutable after add().
class StackPaths {
  public:
    using Order = StackOrder;

    /// skipped: allocator frames to skip at the leaf end of LeafFirst (null: none). At least one frame remains.
    /// labelOfNode: FrameLabels::labelsOf(trace), the same for all stack columns of a query.
    StackPaths(const store::PublishedTrace& trace, FrameLabels& labels, std::shared_ptr<const NodeLabels> labelOfNode,
               Order order, const AllocatorFrames* skipped);

    /// Must be called before of().
    void add(StackId stack);
    /// One label per frame and function inlined there; "(no stack)" and "(stack not resolved)" are paths of length one.
    [[nodiscard]] std::span<const std::uint32_t> of(StackId stack) const {
        const auto place = places_[stack.value];
        return {labels_.data() + place.first + place.skipped, place.length - place.skipped};
    }
    /// Includes the frames that of() skips, and the number of frames that are skipped now or were skipped while
    /// unnamed.
    struct Whole {
        std::span<const std::uint32_t> frames;
        std::uint32_t skippable = 0;
    };
    [[nodiscard]] Whole wholeOf(StackId stack) const {
        const auto place = places_[stack.value];
        return {{labels_.data() + place.first, place.length}, place.skippable};
    }

    /// The frames at this row (from 0) of of() for these stacks, without duplicates; shorter stacks are ignored. For
    /// RootFirst, all stacks must share the labels before it.
    [[nodiscard]] std::vector<FrameRow> framesAt(std::span<const StackId> stacks, std::uint32_t row) const;
    [[nodiscard]] Order order() const { return order_; }
    [[nodiscard]] const AllocatorFrames* skipped() const { return skipped_; }

  private:
    struct Place {
        std::uint64_t first = 0;
        std::uint32_t length = 0; ///< 0: not added yet
        std::uint32_t skipped = 0;
        std::uint32_t skippable = 0;
    };
    enum Skip : std::uint8_t { kNotKnown, kNever, kFormerly, kNow };
    [[nodiscard]] Skip skipOf(LabelId label);
    /// From the leaf, innermost first.
    void addLabels(FrameNodeId leaf);

    const store::PublishedTrace& trace_;
    FrameLabels& frameLabels_;
    Order order_;
    const AllocatorFrames* skipped_;
    std::shared_ptr<const NodeLabels> labelOfNode_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> labels_;
    std::vector<Skip> skipOfLabel_;
};

} // namespace highwater::analysis
