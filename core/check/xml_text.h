#pragma once

#include <string>
#include <string_view>

namespace highwater::check {

/// Escapes any text for XML 1.0, between tags and in attributes. Characters that XML does not allow become U+FFFD. Line
/// ends are kept.
[[nodiscard]] std::string xmlText(std::string_view text);

} // namespace highwater::check
