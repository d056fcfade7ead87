#pragma once

#include <cstdint>
#include <vector>

namespace highwater::analysis {

/// Groups of the sites of a table, from 1; 0: none.
struct GroupsOfSites {
    std::uint32_t count = 0;           ///< without group 0
    std::vector<std::uint32_t> ofSite; ///< by SiteId, as many as the view has
    friend bool operator==(const GroupsOfSites&, const GroupsOfSites&) = default;
};

} // namespace highwater::analysis
