#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace highwater {

/// Tables that are indexed by an enum, with a check for completeness. For enums that count from 0 without gaps.

/// Whether an enumerator has this value. GCC and Clang print the enumerator in the function signature, and print a
/// value without an enumerator as a cast: "value = (Column)28".
template <auto value>
[[nodiscard]] consteval bool isEnumerator() {
    return std::string_view(__PRETTY_FUNCTION__).find("value = (") == std::string_view::npos;
}

template <typename Enum, std::size_t known = 0>
[[nodiscard]] consteval std::size_t enumeratorCount() {
    if constexpr (isEnumerator<static_cast<Enum>(known)>()) {
        return enumeratorCount<Enum, known + 1>();
    } else {
        return known;
    }
}

/// Whether the table has one entry for each enumerator, at the place of its value. `member` is the entry's enumerator.
template <auto member, typename Entry, std::size_t count>
[[nodiscard]] consteval bool isEnumTable(const std::array<Entry, count>& table) {
    using Enum = std::remove_cvref_t<decltype(Entry{}.*member)>;
    for (std::size_t i = 0; i < count; ++i) {
        if (table[i].*member != static_cast<Enum>(i)) return false;
    }
    return count == enumeratorCount<Enum>();
}

} // namespace highwater
