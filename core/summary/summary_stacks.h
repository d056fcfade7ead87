#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/published_trace.h"
#include "core/summary/run_summary.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::summary {

/// The distinct stacks of a trace by names alone, and their functions. The cost depends on the code that was requested
/// and not on rows. The trace and its labels must outlive this object. One thread.
class SummaryStacks {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    /// allocators: frames that are skipped to find owners; null: only runtimes and containers.
    SummaryStacks(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                  const analysis::AllocatorFrames* allocators);

    /// Index into stacks().
    [[nodiscard]] std::uint32_t indexOf(StackId stack);

    [[nodiscard]] std::vector<Frame> takeFrames() { return std::move(frames_); }
    [[nodiscard]] std::vector<Stack> takeStacks();

  private:
    static constexpr std::uint32_t kNowhere = kNone - 1;
    [[nodiscard]] std::uint32_t find(StackId stack);
    /// Reads its functions into path_, innermost first.
    void readPath(FrameNodeId leaf);
    [[nodiscard]] std::uint32_t ownerOf(FrameNodeId leaf);
    [[nodiscard]] std::uint32_t frameOf(analysis::FrameRow row, analysis::LabelId label);
    [[nodiscard]] Frame describe(analysis::FrameRow row, analysis::LabelId label) const;
    [[nodiscard]] std::uint32_t withoutStack();

    const store::PublishedTrace& trace_;
    analysis::FrameLabels& labels_;
    std::shared_ptr<const analysis::NodeLabels> labelOfNode_;
    analysis::OwnerFrames owners_;
    std::vector<std::uint32_t> ofStack_; ///< by StackId; kNone if not determined yet
    std::vector<std::uint32_t> ofLabel_; ///< index into frames_; kNowhere: nowhere_; kNone if not determined yet
    std::vector<StackKey> ofFrame_;      ///< functionKey() for frames_
    std::vector<std::uint32_t> path_;    ///< functions of one stack
    std::vector<Frame> frames_;
    std::deque<Stack> stacks_; ///< never moved because numbers_ refers to their frames
    tsl::robin_map<std::string_view, std::uint32_t, SeededHash> numbers_; ///< numbers in stacks_, by the bytes of their
                                                                          ///< frames
    std::uint32_t withoutStack_ = kNone;                                  ///< index into stacks_
    std::uint32_t nowhere_ = kNone;                                       ///< index into frames_: code outside modules
    tsl::robin_map<std::string, std::uint32_t, SeededHash> frameNumbers_; ///< by name
};

} // namespace highwater::summary
