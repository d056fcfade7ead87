#pragma once

#include "core/base/result.h"

#include <string>

namespace highwater::cli {

/// All of a file that an option names, of at most 64 MB; also of a pipe. Error: why it was not read.
[[nodiscard]] Result<std::string> contentOf(const std::string& path);

/// The same of text: as UTF-8, also where the file is UTF-16 with its mark, as editors and shells of Windows write it.
[[nodiscard]] Result<std::string> textOf(const std::string& path);

} // namespace highwater::cli
