#include "core/source/profiles/massif_notes.h"

#include "core/base/counted.h"
#include "core/base/text.h"

#include <fmt/format.h>

namespace highwater::source {
namespace {

std::string snapshotsNote(const MassifFacts& facts) {
    if (facts.trees > 0)
        return fmt::format("{} of {} {} stacks. Memory is shown at {}.", facts.trees,
                           counted(facts.snapshots, "massif snapshot"), byNumber(facts.trees, "has", "have"),
                           byNumber(facts.trees, "this snapshot", "these snapshots"));
    if (facts.snapshots == 1) return "The only massif snapshot has no stacks. Memory is shown at it, without stacks.";
    return fmt::format("None of {} massif snapshots has stacks. Memory is shown at these snapshots, without stacks.",
                       thousands(facts.snapshots));
}

void addNotesOfSums(const MassifFacts& facts, Profile& profile) {
    if (facts.hasRest && facts.trees > 0)
        profile.notes.emplace_back("Snapshots after the last one with stacks have more bytes, which have no stack.");
    if (facts.trees > 0 && facts.lastBytes < facts.lastBytesWithStacks) {
        profile.notes.push_back(
            fmt::format("The last snapshot has {} bytes in blocks but no stacks. The tables end with the last "
                        "snapshot that has stacks, with {} bytes.",
                        thousands(facts.lastBytes), thousands(facts.lastBytesWithStacks)));
    }
    if (facts.largestBytes > facts.largestShown) {
        profile.notes.push_back(fmt::format("The largest snapshot has {} bytes in blocks but no stacks. Peak Size is "
                                            "the largest shown snapshot, with {} bytes.",
                                            thousands(facts.largestBytes), thousands(facts.largestShown)));
    }
    if (facts.treesWithLess > 0) {
        profile.notes.push_back(
            fmt::format("In {}, the stacks have fewer bytes than the snapshot. The rest has no stack.",
                        counted(facts.treesWithLess, "snapshot")));
    }
    if (facts.treesWithMore > 0) {
        profile.notes.push_back(
            fmt::format("In {}, the stacks have more bytes than the snapshot. The tables show the bytes of the stacks.",
                        counted(facts.treesWithMore, "snapshot")));
    }
}

} // namespace

void addMassifNotes(const MassifFacts& facts, Profile& profile) {
    if (facts.isXtree) {
        profile.notes.emplace_back("The file contains sums of valgrind's execution trees. Memory in use (curB) when "
                                   "it was written is shown.");
        return;
    }
    profile.notes.push_back(snapshotsNote(facts));
    addNotesOfSums(facts, profile);
    if (facts.threadStackBytes > 0) {
        profile.notes.push_back(fmt::format("Thread stacks, which had up to {} bytes, are not heap memory and are "
                                            "left out.",
                                            thousands(facts.threadStackBytes)));
    }
    if (!facts.unit.empty())
        profile.notes.push_back(
            fmt::format("The file counts {0} instead of seconds. A time of 1 s means 1,000,000,000 {0}.", facts.unit));
}

} // namespace highwater::source
