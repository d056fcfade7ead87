#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/query/row_filter.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace highwater::analysis {

/// Which groups of a timeline are told as what is in them, by the next key: a tree, as a table of the same keys is one.
/// All groups are open down to a level, but for those that someone has turned. A plain value.
struct GroupOpening {
    std::vector<Column> keys;    ///< of the table; the first is TimelineQuery::by. Empty: nothing can be opened
    std::uint32_t levels = 1;    ///< keys that groups are told by: none behind the first stack, whose frames are turned
    std::vector<KeyPath> turned; ///< groups that are open though their level is not, or closed though it is
    bool withTotal = false;      ///< the total, too: an open group around all others

    /// Whether the group would be open if it held anything to be told apart. The whole is.
    [[nodiscard]] bool isOpen(const KeyPath& path) const;
    /// The same before anyone turned it.
    [[nodiscard]] bool isOpenAtFirst(const KeyPath& path) const;
    /// The most levels that there are.
    [[nodiscard]] std::size_t reachedByLevels() const;
    /// How many of the keys have to be read to find the groups.
    [[nodiscard]] std::size_t keysRead() const;

    friend bool operator==(const GroupOpening&, const GroupOpening&) = default;

  private:
    /// Its place among the keys; none: they do not have it.
    [[nodiscard]] std::size_t placeOf(Column column) const;
};

} // namespace highwater::analysis
