#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/published_trace.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <optional>
#include <stop_token>

namespace highwater::analysis {

class OwnerFrames;
class RowSelection;

/// A function of the program that asks for memory for whoever calls it, as xmalloc does.
struct Wrapper {
    std::size_t callers = 0; ///< different functions that call it
    /// It allocates by another function that it has for that, such as an inlined one.
    bool isDeep = false;
};

/// The wrappers of a trace, found by how its functions allocate (docs/numbers.md 12.2). Immutable; any thread.
class Wrappers {
  public:
    /// selection: all rows of the table with the columns Process and StackBottomUp. owners: has no wrappers yet.
    /// Nothing when stopped.
    [[nodiscard]] static std::optional<Wrappers> find(const store::PublishedTrace& trace, const RowSelection& selection,
                                                      OwnerFrames& owners, const std::stop_token& stop);

    /// Null: it is none.
    [[nodiscard]] const Wrapper* of(LabelId function) const {
        const auto found = functions_.find(function.value);
        return found == functions_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] std::size_t count() const { return functions_.size(); }

  private:
    tsl::robin_map<std::uint32_t, Wrapper, SeededHash> functions_; ///< by label
};

/// Those of all rows of a table, whatever interval and filter are asked about: an owner is the same in each answer.
/// Nothing when stopped.
[[nodiscard]] std::optional<Wrappers> findWrappers(const store::PublishedTrace& trace, FrameLabels& labels, Table table,
                                                   const AllocatorFrames* allocators, OwnerFrames& owners,
                                                   const std::stop_token& stop);

} // namespace highwater::analysis
