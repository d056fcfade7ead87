#pragma once

#include "core/base/guid.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::symbols {

/// The identity that a debug file must have to belong to an image: GUID and age of the RSDS record (Windows; the age of
/// the DBI stream) or the GNU build-id (Linux). Neither: the image has no debug file.
struct SymbolIdentity {
    Guid pdbGuid;
    std::uint32_t pdbAge = 0;
    std::string buildId; ///< bytes, not hex

    [[nodiscard]] bool hasPdb() const { return pdbGuid != Guid{}; }
    [[nodiscard]] bool hasBuildId() const { return !buildId.empty(); }
    [[nodiscard]] bool isKnown() const { return hasPdb() || hasBuildId(); }
    friend bool operator==(const SymbolIdentity&, const SymbolIdentity&) = default;
};

/// The folder name on a symbol server: GUID as 32 upper-case hex digits, then the age in hex. "" without a GUID.
[[nodiscard]] std::string pdbKey(const SymbolIdentity& identity);
/// The same for a portable PDB, which has no age.
[[nodiscard]] std::string portablePdbKey(const SymbolIdentity& identity);
/// The build-id as lower-case hex.
[[nodiscard]] std::string buildIdHex(const SymbolIdentity& identity);
/// For messages: "GUID def2fe46-... age 1", "build-id 0a1b...", "no identity".
[[nodiscard]] std::string toString(const SymbolIdentity& identity);
/// Bytes of hex digits of either case; nullopt for anything else or an odd count.
[[nodiscard]] std::optional<std::string> bytesOfHex(std::string_view hex);

} // namespace highwater::symbols
