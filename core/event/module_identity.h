#pragma once

#include "core/base/guid.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace highwater {

/// Identifies the debug file of a module: the RSDS record of its PDB, or else the time stamp and size of the image.
/// Linux images have a build-id instead; see buildIdAsPdb.
struct ModuleIdentity {
    Guid pdbGuid;
    std::uint32_t pdbAge = 0;
    std::string pdbName; ///< empty: no RSDS known
    std::uint32_t timeDateStamp = 0;
    std::uint32_t imageSize = 0;
    friend bool operator==(const ModuleIdentity&, const ModuleIdentity&) = default;
};

/// Encodes a build-id as an RSDS record: the name is the path of the debug file in a build-id folder,
/// ".build-id/0a/1b2c....debug", and the GUID is its first 16 bytes, which other programs display.
[[nodiscard]] std::string buildIdAsPdb(std::span<const std::uint8_t> buildId);
[[nodiscard]] Guid buildIdAsGuid(std::span<const std::uint8_t> buildId);
/// The hex digits of the build-id in such a name; empty if it is the name of a PDB.
[[nodiscard]] std::string buildIdOfPdb(std::string_view pdbName);

} // namespace highwater
