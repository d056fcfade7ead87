#pragma once

#include "core/analysis/frames/frame_labels.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::analysis {

/// The source lines that requested the memory of stacks: the line of the first frame from the leaf that has a line and
/// is not an allocator frame. Immutable after add(); the trace and the labels must outlive it.
class SourceLines {
  public:
    /// skipped: the allocator frames; null: none.
    SourceLines(const store::PublishedTrace& trace, FrameLabels& labels, std::shared_ptr<const NodeLabels> labelOfNode,
                const AllocatorFrames* skipped);

    /// Must be called before of().
    void add(StackId stack);
    /// Its text is "file:line"; FrameLabels::kNoStack: unknown.
    [[nodiscard]] LabelId of(StackId stack) const { return LabelId{ofStack_[stack.value]}; }

  private:
    /// The line of the frame or, if it has none, of its callers.
    std::uint32_t from(FrameNodeId node);
    [[nodiscard]] std::uint32_t ofFrame(FrameNodeId node);
    [[nodiscard]] bool isSkipped(LabelId label);

    const store::PublishedTrace& trace_;
    FrameLabels& labels_;
    std::shared_ptr<const NodeLabels> labelOfNode_;
    const AllocatorFrames* skipped_;
    std::vector<std::uint32_t> ofStack_;
    std::vector<std::uint32_t> ofNode_;        ///< from() of the requested nodes, otherwise kNotAsked
    std::vector<std::uint8_t> isSkippedLabel_; ///< by label: 0 unknown, 1 no, 2 yes
};

} // namespace highwater::analysis
