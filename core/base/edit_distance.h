#pragma once

#include <cstddef>
#include <string_view>

namespace highwater {

/// Number of insertions, removals, replacements and swaps of adjacent bytes that turn `a` into `b`: the distance of a
/// word from a name that the user may have meant. Takes time proportional to the product of the lengths.
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

} // namespace highwater
