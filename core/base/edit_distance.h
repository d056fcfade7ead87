#pragma once

#include <cstddef>
#include <string_view>

namespace highwater {

/// Insertions, removals, replacements and swaps of neighbours that make `b` of `a`: how far a word is from a name that
/// may have been meant. By bytes; takes a time of the product of their lengths.
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

} // namespace highwater
