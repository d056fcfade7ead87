#pragma once

#include "core/source/profiles/profile.h"

#include <cstdint>
#include <string>

namespace highwater::source {

/// Facts about a massif file that its profile does not show.
struct MassifFacts {
    std::uint64_t snapshots = 0, trees = 0, damaged = 0;
    std::uint64_t lastBytes = 0, lastBytesWithStacks = 0; ///< heap bytes in the last snapshot
    std::uint64_t largestBytes = 0, largestShown = 0;     ///< heap bytes in any snapshot
    std::uint64_t threadStackBytes = 0;                   ///< at most
    std::uint64_t treesWithLess = 0, treesWithMore = 0;   ///< trees whose sum differs from their snapshot
    bool hasRest = false;                                 ///< snapshots after the last tree have more bytes
    bool isXtree = false;                                 ///< the file contains sums of valgrind's execution trees
    bool isCut = false;                                   ///< the end is missing
    std::string unit;                                     ///< unit of times; empty: times of a clock
};

/// Adds these facts to the notes of the profile.
void addMassifNotes(const MassifFacts& facts, Profile& profile);

} // namespace highwater::source
