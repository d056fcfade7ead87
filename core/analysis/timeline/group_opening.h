#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/query/row_filter.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace highwater::analysis {

/// Which groups of a timeline are divided by the next key: a tree, like a table with the same keys. All groups are open
/// down to a level, except those that the user toggled. A plain value.
struct GroupOpening {
    std::vector<Column> keys; ///< keys of the table; the first is TimelineQuery::by. Empty: nothing can be opened
    /// Number of keys that divide groups. None after the first stack, whose frames are toggled.
    std::uint32_t levels = 1;
    std::vector<KeyPath> turned; ///< groups that are open although their level is not, or closed although it is
    bool withTotal = false;      ///< includes the total: an open group around all others

    /// Whether the group is open, provided that it can be divided. The whole is open.
    [[nodiscard]] bool isOpen(const KeyPath& path) const;
    /// The same before it was toggled.
    [[nodiscard]] bool isInitiallyOpen(const KeyPath& path) const;
    /// The maximum number of levels.
    [[nodiscard]] std::size_t maxLevels() const;
    /// The number of keys that must be read to find the groups.
    [[nodiscard]] std::size_t keysRead() const;

    friend bool operator==(const GroupOpening&, const GroupOpening&) = default;

  private:
    /// Its index among the keys; keys.size(): not a key.
    [[nodiscard]] std::size_t placeOf(Column column) const;
};

} // namespace highwater::analysis
