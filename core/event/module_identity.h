#pragma once

#include "core/base/guid.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace highwater {

/// What names the debug file of a module: the RSDS record of its PDB, or failing that the time stamp and size of the
/// image. Images of Linux have a build-id instead: see buildIdAsPdb.
struct ModuleIdentity {
    Guid pdbGuid;
    std::uint32_t pdbAge = 0;
    std::string pdbName; ///< empty: no RSDS known
    std::uint32_t timeDateStamp = 0;
    std::uint32_t imageSize = 0;
    friend bool operator==(const ModuleIdentity&, const ModuleIdentity&) = default;
};

/// How a build-id travels in an RSDS record: as the name of the debug file that a build-id folder has for it,
/// ".build-id/0a/1b2c....debug", and its first 16 bytes as the GUID, which other programs show.
[[nodiscard]] std::string buildIdAsPdb(std::span<const std::uint8_t> buildId);
[[nodiscard]] Guid buildIdAsGuid(std::span<const std::uint8_t> buildId);
/// The hex digits of the build-id in such a name; empty: it is the name of a PDB.
[[nodiscard]] std::string buildIdOfPdb(std::string_view pdbName);

} // namespace highwater
