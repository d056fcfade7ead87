#include "core/event/il_map.h"

#include <algorithm>

namespace highwater {
namespace {

void putVarint(std::string& out, std::uint32_t value) {
    for (; value >= 0x80; value >>= 7)
        out += static_cast<char>(value | 0x80u);
    out += static_cast<char>(value);
}

std::optional<std::uint32_t> takeVarint(std::string_view& in) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        if (in.empty()) return std::nullopt;
        const auto byte = static_cast<unsigned char>(in.front());
        in.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7Fu} << shift;
        if (byte < 0x80) return static_cast<std::uint32_t>(value);
    }
    return std::nullopt;
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
        const auto step = takeVarint(packed);
        const auto change = takeVarint(packed);
        if (!step || !change) return std::nullopt;
        native += *step;
        il += unzigzag(*change);
        if (native > nativeOffset) break;
        found = il;
    }
    return found;
}

} // namespace highwater
