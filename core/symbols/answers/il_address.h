#pragma once

#include "core/symbols/answers/resolved_addresses.h"

#include <cstdint>
#include <optional>

namespace highwater::symbols {

/// A place in the IL of a managed method, encoded as an address, so that it can be requested, answered and stored like
/// an address of native code. No image is large enough for one of its own addresses to look like this.
struct IlPlace {
    std::uint32_t token = 0;  ///< method token; 0x06000001 is the first method of its module
    std::uint32_t offset = 0; ///< in its IL, bytes
    friend bool operator==(const IlPlace&, const IlPlace&) = default;
};

inline constexpr Rva kIlAddress = Rva{1} << 63;

[[nodiscard]] constexpr Rva ilAddress(IlPlace place) {
    return kIlAddress | (Rva{place.token & 0x7FFFFFFFu} << 32) | place.offset;
}
/// nullopt: an address of native code.
[[nodiscard]] constexpr std::optional<IlPlace> ilPlaceOf(Rva address) {
    if ((address & kIlAddress) == 0) return std::nullopt;
    return IlPlace{static_cast<std::uint32_t>(address >> 32) & 0x7FFFFFFFu, static_cast<std::uint32_t>(address)};
}

/// The row of a token in the method table, from 1; 0: not a method token.
[[nodiscard]] constexpr std::uint32_t methodRow(std::uint32_t token) {
    return token >> 24 == 0x06 ? token & 0xFFFFFFu : 0;
}

} // namespace highwater::symbols
