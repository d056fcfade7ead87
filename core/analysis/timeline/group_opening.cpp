#include "core/analysis/timeline/group_opening.h"

#include <algorithm>

namespace highwater::analysis {

std::size_t GroupOpening::placeOf(Column column) const {
    return static_cast<std::size_t>(std::find(keys.begin(), keys.end(), column) - keys.begin());
}

std::size_t GroupOpening::maxLevels() const {
    const auto firstStack = static_cast<std::size_t>(std::find_if(keys.begin(), keys.end(), isStack) - keys.begin());
    return std::min(firstStack + 1, keys.size());
}

bool GroupOpening::isInitiallyOpen(const KeyPath& path) const {
    if (path.empty()) return true;
    return placeOf(path.back().column) + 1 < std::min<std::size_t>(levels, maxLevels());
}

bool GroupOpening::isOpen(const KeyPath& path) const {
    const bool isTurned = std::find(turned.begin(), turned.end(), path) != turned.end();
    return isInitiallyOpen(path) != isTurned;
}

std::size_t GroupOpening::keysRead() const {
    auto read = std::min<std::size_t>(std::max(levels, 1u), maxLevels());
    for (const auto& path : turned) {
        if (!path.empty()) read = std::max(read, placeOf(path.back().column) + 2);
    }
    return std::min(read, keys.size());
}

} // namespace highwater::analysis
