#pragma once

#include <cstddef>
#include <string>

namespace highwater::formats {

/// How many lines of a graph have a colour of their own.
inline constexpr std::size_t kReportColors = 8;

/// The style of a page with so many columns of numbers: light and dark as the reader's system is, and for paper.
[[nodiscard]] std::string reportStyle(std::size_t columns);

} // namespace highwater::formats
