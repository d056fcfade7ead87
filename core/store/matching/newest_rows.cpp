#include "core/store/matching/newest_rows.h"

#include <algorithm>

namespace highwater::store {

RowId NewestRows::of(ThreadId thread) const {
    if (thread.value < ofUsual_.size()) return ofUsual_[thread.value];
    const auto found = ofLarge_.find(thread.value);
    return found == ofLarge_.end() ? kNone : found->second;
}

void NewestRows::setSlow(std::uint32_t number, RowId row) {
    if (number >= kUsualNumbers) {
        ofLarge_[number] = row;
        return;
    }
    // Thread numbers arrive one by one; avoids copying all rows for each.
    ofUsual_.resize(std::min<std::size_t>(kUsualNumbers, std::size_t{number} * 2 + 64), kNone);
    ofUsual_[number] = row;
}

void NewestRows::renumber(const RowNumbers& numbers) {
    for (auto& row : ofUsual_) {
        if (row != kNone) row = numbers.of(row);
    }
    for (auto entry = ofLarge_.begin(); entry != ofLarge_.end(); ++entry) {
        if (entry->second != kNone) entry.value() = numbers.of(entry->second);
    }
}

} // namespace highwater::store
