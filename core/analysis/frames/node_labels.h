#pragma once

#include "core/base/ids.h"
#include "core/store/published/published_trace.h"
#include "core/symbols/answers/name_source.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace highwater::analysis {

class LabelTags;

/// The interned name of a frame. Frames with the same label are the same function in every view.
using LabelId = Id<struct LabelTag>;

/// The order in which a stack column expands its frames.
enum class StackOrder : std::uint8_t { RootFirst, LeafFirst };

/// One row of a frame: the function that contains its code, or a function inlined there.
struct FrameRow {
    FrameNodeId node;
    std::uint32_t level = 0; ///< 0: the function; 1 and more: functions inlined into it, outermost first
    friend bool operator==(const FrameRow&, const FrameRow&) = default;
};

/// The labels of a trace's frames at one time. A frame whose code was inlined has several rows, every other frame one.
/// Immutable, any thread; the FrameLabels that created it must outlive it.
class NodeLabels {
  public:
    /// Nodes; index = FrameNodeId. Roots have the label "(no stack)".
    [[nodiscard]] std::size_t size() const { return functions_.size(); }
    /// The label of the function that contains the frame's code.
    [[nodiscard]] LabelId operator[](std::size_t node) const { return functions_[node]; }
    [[nodiscard]] auto begin() const { return functions_.begin(); }
    [[nodiscard]] auto end() const { return functions_.end(); }

    /// False: every frame has one row.
    [[nodiscard]] bool hasInlined() const { return !chainOfNode_.empty(); }
    /// The function first, then the functions inlined into it, outermost first.
    [[nodiscard]] std::span<const LabelId> rowsOf(std::size_t node) const {
        const auto chain = hasInlined() ? chainOfNode_[node] : 0;
        return chain == 0 ? std::span(&functions_[node], 1) : chains_[chain - 1];
    }
    /// The source of the names; null: none.
    [[nodiscard]] const symbols::NameView* view() const { return view_.get(); }
    /// The stack tags of their functions. Not null.
    [[nodiscard]] const std::shared_ptr<LabelTags>& tags() const { return tags_; }

  private:
    friend class FrameLabels;
    std::vector<LabelId> functions_;
    std::vector<std::uint32_t> chainOfNode_;       ///< 0: none; otherwise from 1. Empty: no frame has one
    std::vector<std::span<const LabelId>> chains_; ///< owned by FrameLabels
    std::shared_ptr<const symbols::NameView> view_;
    std::shared_ptr<LabelTags> tags_;
};

} // namespace highwater::analysis
