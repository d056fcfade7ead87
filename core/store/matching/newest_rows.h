#pragma once

#include "core/base/ids.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/row_numbers.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <vector>

namespace highwater::store {

/// The row that each thread began by the last thing that it did with any heap: a block that is freed by the next one is
/// temporary (docs/numbers.md 5.1.2). Threads are known by their number; whoever asks makes sure that it is the same
/// thread, not the next one of that number. Pipeline thread only.
class NewestRows {
  public:
    static constexpr RowId kNone = RowNumbers::kLeftOut;

    /// The thread did something: it began this row, or (kNone) anything else.
    void set(ThreadId thread, RowId row) {
        if (thread.value < ofUsual_.size()) [[likely]] {
            ofUsual_[thread.value] = row;
        } else if (thread.isKnown()) {
            setSlow(thread.value, row);
        }
    }
    /// What was set last, and kNone from now on.
    [[nodiscard]] RowId take(ThreadId thread) {
        const auto row = of(thread);
        set(thread, kNone);
        return row;
    }
    /// Rows have other numbers now.
    void renumber(const RowNumbers& numbers);

  private:
    /// Linux gives out no larger ones, Windows hardly.
    static constexpr std::uint32_t kUsualNumbers = std::uint32_t{1} << 22;

    [[nodiscard]] RowId of(ThreadId thread) const;
    void setSlow(std::uint32_t number, RowId row);

    std::vector<RowId> ofUsual_; ///< [tid], as far as there were any
    tsl::robin_map<std::uint32_t, RowId, SeededHash> ofLarge_;
};

} // namespace highwater::store
