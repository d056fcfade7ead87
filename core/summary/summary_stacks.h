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

/// The stacks of a trace by names alone, each once, and the functions that they consist of. What it costs goes with the
/// code that was asked for, not with rows. The trace and what it was made of must outlive it. One thread.
class SummaryStacks {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    /// allocators: what owners lie behind; null: runtimes and containers alone.
    SummaryStacks(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                  const analysis::AllocatorFrames* allocators);

    /// Which of stacks() it is.
    [[nodiscard]] std::uint32_t indexOf(StackId stack);

    [[nodiscard]] std::vector<Frame> takeFrames() { return std::move(frames_); }
    [[nodiscard]] std::vector<Stack> takeStacks();

  private:
    static constexpr std::uint32_t kNowhere = kNone - 1;
    [[nodiscard]] std::uint32_t find(StackId stack);
    /// Its functions into path_, innermost first.
    void readPath(FrameNodeId leaf);
    [[nodiscard]] std::uint32_t ownerOf(FrameNodeId leaf);
    [[nodiscard]] std::uint32_t frameOf(analysis::FrameRow row, analysis::LabelId label);
    [[nodiscard]] Frame describe(analysis::FrameRow row, analysis::LabelId label) const;
    [[nodiscard]] std::uint32_t withoutStack();

    const store::PublishedTrace& trace_;
    analysis::FrameLabels& labels_;
    std::shared_ptr<const analysis::NodeLabels> labelOfNode_;
    analysis::OwnerFrames owners_;
    std::vector<std::uint32_t> ofStack_; ///< by StackId; kNone: not asked for yet
    std::vector<std::uint32_t> ofLabel_; ///< which of frames_; kNowhere: it is nowhere_; kNone: not asked for yet
    std::vector<StackKey> ofFrame_;      ///< functionKey() of frames_
    std::vector<std::uint32_t> path_;    ///< functions of one stack
    std::vector<Frame> frames_;
    std::deque<Stack> stacks_; ///< never move: numbers_ points into their frames
    tsl::robin_map<std::string_view, std::uint32_t, SeededHash> numbers_; ///< of stacks_, by the bytes of their frames
    std::uint32_t withoutStack_ = kNone;                                  ///< which of stacks_
    std::uint32_t nowhere_ = kNone;                                       ///< which of frames_: code in no module
    tsl::robin_map<std::string, std::uint32_t, SeededHash> frameNumbers_; ///< by name
};

} // namespace highwater::summary
