#pragma once

#include "core/fleet/contract/fleet_store.h"

#include <functional>
#include <string>
#include <vector>

namespace highwater::tests {

/// Adds runs by chance, some twice, takes some out, gives others other labels, and asks all questions by chance. What
/// is answered otherwise than by PlainAnswers;
/// "" when nothing is.
[[nodiscard]] std::string askEverything(fleet::FleetStore& store, unsigned seed, unsigned runs, unsigned questions);

/// A fleet whose machines differ and whose runs are noisy, in which five stacks grow: the first of `grown` most.
struct PlantedFleet {
    unsigned machines = 100;
    unsigned runsOfMachine = 10; ///< half of them of each build
    unsigned stacks = 2000;
    std::vector<unsigned> grown{7, 500, 1001, 1502, 1999};
};
/// What is wrong with what the store finds in it; "" when it is just the five, in that order.
[[nodiscard]] std::string findPlanted(fleet::FleetStore& store, const PlantedFleet& fleet);

/// What is wrong with what the store calls new and gone, where a stack of each build keeps what it keeps in the other
/// one nothing of; "" when only those are told that the other build does not have at all.
[[nodiscard]] std::string findNewAndGone(fleet::FleetStore& store);

} // namespace highwater::tests
