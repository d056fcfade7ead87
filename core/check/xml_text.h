#pragma once

#include <string>
#include <string_view>

namespace highwater::check {

/// Any text as it stands in XML 1.0, between tags and in attributes: nothing of it is taken for markup, and what XML
/// does not allow is U+FFFD. Line ends stay.
[[nodiscard]] std::string xmlText(std::string_view text);

} // namespace highwater::check
