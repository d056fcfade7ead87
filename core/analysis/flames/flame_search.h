#pragma once

#include "core/analysis/flames/flame_tree.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// Frames whose text contains the search text.
struct FlameMatches {
    std::vector<std::uint8_t> ofNode; ///< by node; 1: match
    std::vector<std::uint32_t> nodes; ///< matching nodes, in tree order
    std::uint64_t width = 0;          ///< sum of all matches; nested matches count once
    double share = 0;                 ///< share of the whole
};

/// Case-insensitive. An empty text matches nothing. Any thread.
[[nodiscard]] FlameMatches findInFlames(const FlameTree& tree, std::string_view text);

} // namespace highwater::analysis
