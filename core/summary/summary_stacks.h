#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/leaks/owner_frames.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/published_trace.h"
#include "core/summary/run_summary.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <memory>
#include <string>
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
    [[nodiscard]] std::vector<Stack> takeStacks() { return std::move(stacks_); }

  private:
    struct HashKey {
        std::size_t operator()(const StackKey& key) const noexcept { return key.low; }
    };
    [[nodiscard]] std::uint32_t find(StackId stack);
    [[nodiscard]] StackKey keyOf(FrameNodeId leaf);
    [[nodiscard]] Stack make(FrameNodeId leaf, const StackKey& key);
    [[nodiscard]] std::uint32_t frameOf(analysis::FrameRow row, analysis::LabelId label);
    [[nodiscard]] Frame describe(analysis::FrameRow row, analysis::LabelId label) const;
    [[nodiscard]] std::uint32_t withoutStack();

    const store::PublishedTrace& trace_;
    analysis::FrameLabels& labels_;
    std::shared_ptr<const analysis::NodeLabels> labelOfNode_;
    analysis::OwnerFrames owners_;
    std::vector<std::uint32_t> ofStack_; ///< by StackId; kNone: not asked for yet
    std::vector<StackKey> ofNode_;       ///< by node
    std::vector<bool> isNodeKnown_;
    std::vector<std::uint32_t> ofLabel_; ///< which of frames_; kNone: not asked for yet
    std::vector<StackKey> ofFrame_;      ///< functionKey() of frames_
    std::vector<FrameNodeId> path_;      ///< of one stack
    std::vector<Frame> frames_;
    std::vector<Stack> stacks_;
    std::uint32_t withoutStack_ = kNone; ///< which of stacks_
    tsl::robin_map<StackKey, std::uint32_t, HashKey> numbers_;
    tsl::robin_map<std::string, std::uint32_t, SeededHash> frameNumbers_; ///< by name
};

} // namespace highwater::summary
