#pragma once

#include "core/source/profiles/profile.h"

#include <cstdint>
#include <string>

namespace highwater::source {

/// What a file of massif has, beside what its profile shows.
struct MassifFacts {
    std::uint64_t snapshots = 0, trees = 0, damaged = 0;
    std::uint64_t lastBytes = 0, lastBytesWithStacks = 0; ///< of heaps, in the last snapshot (of those with stacks)
    std::uint64_t largestBytes = 0, largestShown = 0;     ///< of heaps, in any snapshot
    std::uint64_t threadStackBytes = 0;                   ///< at most
    std::uint64_t treesWithLess = 0, treesWithMore = 0;   ///< whose stacks have another sum than their snapshot
    bool hasRest = false;                                 ///< behind the last tree there are more bytes
    bool isXtree = false;                                 ///< sums of valgrind's execution trees in this form
    bool isCut = false;                                   ///< the end is missing
    std::string unit;                                     ///< of times; empty: they are of a clock
};

/// Says in the notes of the profile what else there is to know of the file.
void addMassifNotes(const MassifFacts& facts, Profile& profile);

} // namespace highwater::source
