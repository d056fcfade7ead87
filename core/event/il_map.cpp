#include "core/event/il_map.h"

#include "core/base/varint.h"

#include <algorithm>
#include <limits>

namespace highwater {
namespace {

/// Nothing if the number has more than 32 bits.
std::optional<std::uint32_t> takeNumber(std::string_view& in) {
    const auto number = takeVarint(in);
    if (!number || *number > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return static_cast<std::uint32_t>(*number);
}

/// Maps small distances in either direction to small numbers.
std::uint32_t zigzag(std::uint32_t difference) { return (difference << 1) ^ (0u - (difference >> 31)); }
std::uint32_t unzigzag(std::uint32_t value) { return (value >> 1) ^ (0u - (value & 1u)); }

} // namespace

std::string packIlMap(std::vector<IlMapEntry>& entries) {
    std::erase_if(entries, [](const auto& entry) { return entry.ilOffset < 0; });
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.nativeOffset < b.nativeOffset; });
    std::string packed;
    IlMapEntry before;
    for (const auto& entry : entries) {
        putVarint(packed, entry.nativeOffset - before.nativeOffset);
        putVarint(packed,
                  zigzag(static_cast<std::uint32_t>(entry.ilOffset) - static_cast<std::uint32_t>(before.ilOffset)));
        before = entry;
    }
    return packed;
}

std::optional<std::uint32_t> ilOffsetAt(std::string_view packed, std::uint32_t nativeOffset) {
    std::optional<std::uint32_t> found;
    std::uint64_t native = 0;
    std::uint32_t il = 0;
    while (!packed.empty()) {
        const auto step = takeNumber(packed);
        const auto change = takeNumber(packed);
        if (!step || !change) return std::nullopt;
        native += *step;
        il += unzigzag(*change);
        if (native > nativeOffset) break;
        found = il;
    }
    return found;
}

} // namespace highwater
