#pragma once

#include "core/base/guid.h"

#include <cstdint>
#include <string>

namespace highwater {

/// What names the debug file of a module: the RSDS record of its PDB, or failing that the time stamp and size of the image.
struct ModuleIdentity {
    Guid pdbGuid;
    std::uint32_t pdbAge = 0;
    std::string pdbName; ///< empty: no RSDS known
    std::uint32_t timeDateStamp = 0;
    std::uint32_t imageSize = 0;
    friend bool operator==(const ModuleIdentity&, const ModuleIdentity&) = default;
};

} // namespace highwater
