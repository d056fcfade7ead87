#pragma once

#include <optional>
#include <string>

namespace highwater::cli {

/// All of a file that an option names. Nothing: it cannot be read, or has more than 64 MB.
[[nodiscard]] std::optional<std::string> contentOf(const std::string& path);

/// The same of text: as UTF-8, also where the file is UTF-16 with its mark, as editors and shells of Windows write it.
[[nodiscard]] std::optional<std::string> textOf(const std::string& path);

} // namespace highwater::cli
