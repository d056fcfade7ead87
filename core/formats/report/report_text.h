#pragma once

#include <string>
#include <string_view>

namespace highwater::formats {

/// Any text as it stands between and in the tags of a page: nothing of it is taken for markup, lines stay one line, and
/// what a browser would not show is U+FFFD.
[[nodiscard]] std::string htmlText(std::string_view text);

} // namespace highwater::formats
