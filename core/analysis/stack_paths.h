#pragma once

#include "core/analysis/frame_labels.h"

#include <cstdint>
#include <span>
#include <vector>

namespace highwater::analysis {

/// The stacks of a query as rows of labels, in the order in which a stack column opens them. Immutable after add().
class StackPaths {
  public:
    enum class Order : std::uint8_t { RootFirst, LeafFirst };

    /// skipped: allocator frames to leave out at the leaf's end of LeafFirst (null: none). At least one frame is kept.
    StackPaths(const store::PublishedTrace& trace, FrameLabels& labels, Order order, const AllocatorFrames* skipped);

    /// Must be called before of().
    void add(StackId stack);
    /// One label per frame; "(no stack)" and "(stack not resolved)" are paths of one.
    [[nodiscard]] std::span<const std::uint32_t> of(StackId stack) const {
        const auto place = places_[stack.value];
        return {labels_.data() + place.first, place.length};
    }

  private:
    struct Place {
        std::uint64_t first = 0;
        std::uint32_t length = 0; ///< 0: not added yet
    };
    [[nodiscard]] bool isSkipped(LabelId label);

    const store::PublishedTrace& trace_;
    FrameLabels& frameLabels_;
    Order order_;
    const AllocatorFrames* skipped_;
    std::shared_ptr<const std::vector<LabelId>> labelOfNode_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> labels_;
    std::vector<std::uint8_t> skipOfLabel_; ///< 0 not known, 1 no, 2 yes
};

} // namespace highwater::analysis
