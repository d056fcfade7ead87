#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/rows/row_pass.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace highwater::analysis {

/// Everything that the answer of a pass over the rows depends on. Filters are not included because they select from the
/// answer.
struct PassKey {
    std::weak_ptr<const store::TraceColumns> trace; ///< not an owner; its identity is never reused
    store::TableKind table = store::TableKind::VirtualAlloc;
    TraceTime horizon;
    std::uint64_t rows = 0;
    std::uint32_t sites = 0;
    std::uint32_t endSites = 0;
    IntervalRows::Bounds bounds;
    RowPassOptions options;
    bool byRealloc = false;         ///< rows counted individually are not in the answer
    std::vector<Column> rowColumns; ///< per-row columns

    /// Nothing: rows end with their processes, and the answer depends on these as well.
    static std::optional<PassKey> make(const IntervalRows& rows, RowPassOptions options);
    friend bool operator==(const PassKey& a, const PassKey& b);
};

/// The last few answers of one kind of pass. A key has the `trace` that it is about. Grouping, sorting or filtering the
/// same interval differently needs the same numbers again. Any thread.
template <typename Value, typename Key = PassKey>
class PassCache {
  public:
    /// Null: not cached.
    [[nodiscard]] std::shared_ptr<const Value> find(const Key& key) {
        const std::scoped_lock lock(mutex_);
        std::erase_if(entries_, [](const Entry& entry) { return entry.first.trace.expired(); });
        for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
            if (!(entry->first == key)) continue;
            std::rotate(entries_.begin(), entry, entry + 1);
            return entries_.front().second;
        }
        return nullptr;
    }
    void add(Key key, std::shared_ptr<const Value> value) {
        const std::scoped_lock lock(mutex_);
        if (entries_.size() == kMost) entries_.pop_back();
        entries_.emplace(entries_.begin(), std::move(key), std::move(value));
    }

  private:
    /// Tables and graphs request different rows of one interval; the previous interval is kept as well.
    static constexpr std::size_t kMost = 4;
    using Entry = std::pair<Key, std::shared_ptr<const Value>>;

    std::mutex mutex_;
    std::vector<Entry> entries_; ///< most recently used first
};

/// More cells than this are not cached because the memory is not worth the time.
inline constexpr std::uint64_t kMostCellsKept = std::uint64_t{1} << 22;

} // namespace highwater::analysis
