#pragma once

#include "core/fleet/contract/fleet_store.h"

#include <functional>
#include <string>
#include <vector>

namespace highwater::tests {

/// Adds random runs, some of them twice, removes some, relabels others, and asks all kinds of random questions. Returns
/// the answer that differs from PlainAnswers; "" if none does.
[[nodiscard]] std::string askEverything(fleet::FleetStore& store, unsigned seed, unsigned runs, unsigned questions);

/// A fleet with differing machines and noisy runs, in which five stacks grow: the first of `grown` most.
struct PlantedFleet {
    unsigned machines = 100;
    unsigned runsOfMachine = 10; ///< half of them of each build
    unsigned stacks = 2000;
    std::vector<unsigned> grown{7, 500, 1001, 1502, 1999};
};
/// The error in the store's findings; "" when it finds exactly the five, in that order.
[[nodiscard]] std::string findPlanted(fleet::FleetStore& store, const PlantedFleet& fleet);

/// The error in the stacks that the store reports as new or gone, where one stack of each build has zero bytes in the
/// other build; "" when only stacks that the other build lacks entirely are reported.
[[nodiscard]] std::string findNewAndGone(fleet::FleetStore& store);

} // namespace highwater::tests
