#pragma once

#include "core/analysis/flames/flame_tree.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// Frames of which the text has some words in it.
struct FlameMatches {
    std::vector<std::uint8_t> ofNode; ///< by node: 1: it matches
    std::vector<std::uint32_t> nodes; ///< that match, in the order of the tree
    std::uint64_t width = 0;          ///< of all matches; one within another counts once
    double share = 0;                 ///< of the whole
};

/// Case does not count. Of no text: nothing matches. Any thread.
[[nodiscard]] FlameMatches findInFlames(const FlameTree& tree, std::string_view text);

} // namespace highwater::analysis
