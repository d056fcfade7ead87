#pragma once

#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/held/owner_path.h"
#include "core/analysis/rows/row_selection.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace highwater::analysis {

/// The owners of the stacks of a selection with the column StackBottomUp. Each stack is examined once. One thread; all
/// arguments must outlive it.
class StackOwners {
  public:
    StackOwners(const store::PublishedTrace& trace, const RowSelection& selection, OwnerFrames& owners)
        : selection_(selection), owners_(owners), known_(trace.stackCount) {}

    /// The steps of the stack column of the row, after `path`, which has one step, up to the owner.
    [[nodiscard]] KeyPath pathToOwner(KeyPath path, ProcessIndex process, const CellKey& key) const {
        for (const auto frame : selection_.reader().stack(Column::StackBottomUp, key))
            path.push_back({Column::StackBottomUp, frame});
        const auto whole = selection_.reader().wholeStack(Column::StackBottomUp, key).frames;
        return analysis::pathToOwner(std::move(path), whole.size(), owners_.ownerOf(process, whole));
    }

    /// A label.
    [[nodiscard]] std::uint32_t of(ProcessIndex process, const CellKey& key) {
        auto& known = known_[selection_.reader().stackId(Column::StackBottomUp, key).value];
        if (!known) {
            const auto frames = selection_.reader().wholeStack(Column::StackBottomUp, key).frames;
            known = frames[owners_.ownerOf(process, frames)];
        }
        return *known;
    }

  private:
    const RowSelection& selection_;
    OwnerFrames& owners_;
    std::vector<std::optional<std::uint32_t>> known_; ///< label, by StackId
};

} // namespace highwater::analysis
