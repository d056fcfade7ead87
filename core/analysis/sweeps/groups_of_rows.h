#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <vector>

namespace highwater::analysis {

/// Groups without common rows, from 1; 0: none.
struct GroupsOfRows {
    struct Single {
        RowId row = 0;
        std::uint32_t group = 0;
    };
    std::uint32_t count = 0;            ///< without group 0
    std::vector<std::uint32_t> ofCells; ///< by cell of the population
    std::vector<Single> ofRows;         ///< each row once, in a cell without a group
};

} // namespace highwater::analysis
