#pragma once

#include "core/symbols/answers/resolved_addresses.h"

#include <cstdint>
#include <optional>

namespace highwater::symbols {

/// A place in the IL of a managed method, in the form of an address, so that it is asked for, answered and kept as
/// those of native code are. No image is so large that one of its own addresses looks like it.
struct IlPlace {
    std::uint32_t token = 0;  ///< of the method: 0x06000001 is the first one of its module
    std::uint32_t offset = 0; ///< in its IL, bytes
    friend bool operator==(const IlPlace&, const IlPlace&) = default;
};

inline constexpr Rva kIlAddress = Rva{1} << 63;

[[nodiscard]] constexpr Rva ilAddress(IlPlace place) {
    return kIlAddress | (Rva{place.token & 0x7FFFFFFFu} << 32) | place.offset;
}
/// Nothing: an address of native code.
[[nodiscard]] constexpr std::optional<IlPlace> ilPlaceOf(Rva address) {
    if ((address & kIlAddress) == 0) return std::nullopt;
    return IlPlace{static_cast<std::uint32_t>(address >> 32) & 0x7FFFFFFFu, static_cast<std::uint32_t>(address)};
}

/// The row of a token in the table of methods, from 1; 0: it is no method's.
[[nodiscard]] constexpr std::uint32_t methodRow(std::uint32_t token) {
    return token >> 24 == 0x06 ? token & 0xFFFFFFu : 0;
}

} // namespace highwater::symbols
