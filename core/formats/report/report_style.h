#pragma once

#include <cstddef>
#include <string>

namespace highwater::formats {

/// Number of graph lines with different colours.
inline constexpr std::size_t kReportColors = 8;

/// The style of a page with that many numeric columns: light or dark like the reader's system, and for printing.
[[nodiscard]] std::string reportStyle(std::size_t columns);

} // namespace highwater::formats
