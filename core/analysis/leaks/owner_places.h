#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/rows/key_reader.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::analysis {

/// The owners of stacks, and the places in them that requested the memory. Two allocations in one function are
/// distinguished by source line, otherwise by address. Each stack is examined once. One thread; all arguments must
/// outlive it.
class OwnerPlaces {
  public:
    OwnerPlaces(const store::PublishedTrace& trace, FrameLabels& labels, const KeyReader& reader, OwnerFrames& owners)
        : trace_(trace),
          labels_(labels),
          reader_(reader),
          owners_(owners),
          labelOfNode_(labels.labelsOf(trace)),
          known_(trace.stackCount) {}

    struct Place {
        std::uint32_t ownerFrame = 0;        ///< index in the whole stack, innermost first
        LabelId text{FrameLabels::kNoStack}; ///< "cart.cpp:12", "+0x1a2b"; kNoStack: unknown
        bool isSourceLine = false;           ///< whether the text is a source line
        bool isKnown = false;
    };
    [[nodiscard]] const Place& of(ProcessIndex process, const CellKey& cell);

  private:
    /// Fills in the text.
    void findPlace(StackId stack, Place& place);
    [[nodiscard]] FrameRow rowAt(StackId stack, std::size_t frame) const;

    const store::PublishedTrace& trace_;
    FrameLabels& labels_;
    const KeyReader& reader_;
    OwnerFrames& owners_;
    std::shared_ptr<const NodeLabels> labelOfNode_;
    std::vector<Place> known_; ///< by StackId
};

} // namespace highwater::analysis
