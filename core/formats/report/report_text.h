#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::formats {

/// Escapes text for content and attributes of a page: no markup, one line, and U+FFFD for characters that a browser
/// would not show.
[[nodiscard]] std::string htmlText(std::string_view text);

/// Writes a command as text to be pasted, or why it is not shown.
void writeReportCommand(const std::vector<std::string>& command, std::ostream& out);

} // namespace highwater::formats
