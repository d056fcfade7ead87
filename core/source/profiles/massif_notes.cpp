#include "core/source/profiles/massif_notes.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace highwater::source {
namespace {

std::string snapshotsNote(const MassifFacts& facts) {
    if (facts.trees > 0)
        return fmt::format("{} of {} snapshots of massif have stacks: memory is as it was at these.", facts.trees,
                           facts.snapshots);
    return fmt::format("None of {} snapshots of massif has stacks: memory is as it was at these, without them.",
                       facts.snapshots);
}

void addNotesOfSums(const MassifFacts& facts, Profile& profile) {
    if (facts.hasRest && facts.trees > 0)
        profile.notes.emplace_back("Snapshots behind the last one that has stacks have more bytes: these have no "
                                   "stack.");
    if (facts.trees > 0 && facts.lastBytes < facts.lastBytesWithStacks) {
        profile.notes.push_back(
            fmt::format("The last snapshot has {} bytes in blocks, but no stacks; the last one that has stacks, which "
                        "the tables end with, has {}.",
                        thousands(facts.lastBytes), thousands(facts.lastBytesWithStacks)));
    }
    if (facts.largestBytes > facts.largestShown) {
        profile.notes.push_back(fmt::format("The largest snapshot has {} bytes in blocks, but no stacks: Peak Size is "
                                            "of those that are shown, {}.",
                                            thousands(facts.largestBytes), thousands(facts.largestShown)));
    }
    if (facts.treesWithLess > 0) {
        profile.notes.push_back(
            fmt::format("In {} snapshots the stacks have fewer bytes than the snapshot: the rest has no stack.",
                        thousands(facts.treesWithLess)));
    }
    if (facts.treesWithMore > 0) {
        profile.notes.push_back(fmt::format(
            "In {} snapshots the stacks have more bytes than the snapshot: the tables show the bytes of the stacks.",
            thousands(facts.treesWithMore)));
    }
}

} // namespace

void addMassifNotes(const MassifFacts& facts, Profile& profile) {
    if (facts.isXtree) {
        profile.notes.emplace_back("The file has sums of valgrind's execution trees: what was in use (curB) when it "
                                   "was written is shown.");
        return;
    }
    profile.notes.push_back(snapshotsNote(facts));
    addNotesOfSums(facts, profile);
    if (facts.threadStackBytes > 0) {
        profile.notes.push_back(fmt::format("Stacks of threads, which had up to {} bytes, are no heap and are left "
                                            "out.",
                                            thousands(facts.threadStackBytes)));
    }
    if (!facts.unit.empty())
        profile.notes.push_back(fmt::format("Times are {}: 1 s stands for 1,000,000,000 of them.", facts.unit));
}

} // namespace highwater::source
