#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/tags/suppressions.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::analysis {

/// The stacks of a trace that suppressions match: those with a function, a module or a source file that matches. Each
/// function is compared once. One thread.
class SuppressedStacks {
  public:
    /// All arguments must outlive it. suppressions: may be null.
    SuppressedStacks(const store::PublishedTrace& trace, FrameLabels& labels, const Suppressions* suppressions);

    [[nodiscard]] bool contains(StackId stack);

  private:
    enum class Answer : std::uint8_t { NotAsked, No, Yes };
    [[nodiscard]] bool isSuppressed(FrameRow row, LabelId label);
    [[nodiscard]] bool matches(FrameRow row, LabelId label) const;

    const store::PublishedTrace& trace_;
    FrameLabels& frameLabels_;
    const Suppressions* suppressions_;
    std::shared_ptr<const NodeLabels> labelOfNode_; ///< null: nothing is suppressed
    std::vector<Answer> ofStack_;
    std::vector<Answer> ofLabel_;
};

} // namespace highwater::analysis
