#pragma once

#include <optional>
#include <string>

namespace highwater::cli {

/// All of a file that an option names. Nothing: it cannot be read.
[[nodiscard]] std::optional<std::string> contentOf(const std::string& path);

} // namespace highwater::cli
