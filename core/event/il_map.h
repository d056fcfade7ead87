#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// Which place in the IL of a method a piece of its native code came from.
struct IlMapEntry {
    std::uint32_t nativeOffset = 0; ///< bytes from the begin of the code, where the piece begins
    std::int32_t ilOffset = 0;      ///< negative: from no IL (prolog, epilog)
};

/// The map of a method in two or three bytes an entry. Entries without IL are left out; the others are put in the order
/// of their code (stably: of several at one place the last one counts).
[[nodiscard]] std::string packIlMap(std::vector<IlMapEntry>& entries);

/// The place in the IL that the code at an offset came from: that of the last piece that begins at or before it.
/// Nothing: there is none, or the map is damaged.
[[nodiscard]] std::optional<std::uint32_t> ilOffsetAt(std::string_view packed, std::uint32_t nativeOffset);

} // namespace highwater
