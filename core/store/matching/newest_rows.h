#pragma once

#include "core/base/ids.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/row_numbers.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <vector>

namespace highwater::store {

/// The row that each thread began with its last heap operation. A block that the next operation frees is temporary
/// (docs/numbers.md 5.1.2). Threads are identified by their number. The caller makes sure that the number still belongs
/// to the same thread. Pipeline thread only.
class NewestRows {
  public:
    static constexpr RowId kNone = RowNumbers::kLeftOut;

    /// Sets the thread's last operation: it began this row, or (kNone) did anything else.
    void set(ThreadId thread, RowId row) {
        if (thread.value < ofUsual_.size()) [[likely]] {
            ofUsual_[thread.value] = row;
        } else if (thread.isKnown()) {
            setSlow(thread.value, row);
        }
    }
    /// Returns the last value and resets it to kNone.
    [[nodiscard]] RowId take(ThreadId thread) {
        const auto row = of(thread);
        set(thread, kNone);
        return row;
    }
    /// Replaces row numbers.
    void renumber(const RowNumbers& numbers);

  private:
    /// Linux does not assign larger numbers, and Windows rarely does.
    static constexpr std::uint32_t kUsualNumbers = std::uint32_t{1} << 22;

    [[nodiscard]] RowId of(ThreadId thread) const;
    void setSlow(std::uint32_t number, RowId row);

    std::vector<RowId> ofUsual_; ///< [tid], up to the largest number so far
    tsl::robin_map<std::uint32_t, RowId, SeededHash> ofLarge_;
};

} // namespace highwater::store
