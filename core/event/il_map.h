#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// Maps native code to the IL of its method.
struct IlMapEntry {
    std::uint32_t nativeOffset = 0; ///< offset of the native code range, in bytes from the start of the code
    std::int32_t ilOffset = 0;      ///< negative: from no IL (prolog, epilog)
};

/// Packs the map of a method into two or three bytes per entry. Entries without IL are left out. The others are sorted
/// by native offset (stably; the last entry with an offset wins).
[[nodiscard]] std::string packIlMap(std::vector<IlMapEntry>& entries);

/// The IL offset of the code at a native offset, taken from the last entry at or before it. Nothing if there is none or
/// the map is damaged.
[[nodiscard]] std::optional<std::uint32_t> ilOffsetAt(std::string_view packed, std::uint32_t nativeOffset);

} // namespace highwater
