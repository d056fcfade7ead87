#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <vector>

namespace highwater::store {

/// New numbers of rows after some of the oldest ones were left out. Rows come in order: first those that may be left
/// out, then (from the first call of followingStay) those that all stay. Pipeline thread only.
class RowNumbers {
  public:
    static constexpr RowId kLeftOut = 0xFFFFFFFFu;

    void add(RowId number) { numbers_.push_back(number); }
    /// All rows from this one on stay.
    void followingStay(RowId number) { firstAfter_ = number; }

    /// kLeftOut if it was left out.
    [[nodiscard]] RowId of(RowId row) const {
        const auto listed = static_cast<RowId>(numbers_.size());
        return row < listed ? numbers_[row] : firstAfter_ + (row - listed);
    }

  private:
    std::vector<RowId> numbers_;
    RowId firstAfter_ = 0;
};

} // namespace highwater::store
