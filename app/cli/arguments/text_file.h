#pragma once

#include "core/base/result.h"

#include <string>

namespace highwater::cli {

/// Reads a whole file given in an option, up to 64 MB. Supports pipes. Error: the reason why it was not read.
[[nodiscard]] Result<std::string> contentOf(const std::string& path);

/// The same for text, as UTF-8. Converts UTF-16 files with a byte order mark, which Windows editors and shells write.
[[nodiscard]] Result<std::string> textOf(const std::string& path);

} // namespace highwater::cli
