#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::formats {

/// Any text as it stands between and in the tags of a page: nothing of it is taken for markup, lines stay one line, and
/// what a browser would not show is U+FFFD.
[[nodiscard]] std::string htmlText(std::string_view text);

/// A command, word by word, as it is to be pasted; or why it is not shown.
void writeReportCommand(const std::vector<std::string>& command, std::ostream& out);

} // namespace highwater::formats
