#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <ostream>

namespace highwater {

/// Files that appear when they are whole, never half: what is written goes into a new file beside the place, with the
/// rights that files of the user have, and takes the place, and what is there, when it is whole. Else there is none
/// afterwards, and what was there stays. Errors: those of OutputFile, and what `write` returns. Any thread.

/// Through a stream, whose own errors become this function's.
[[nodiscard]] Result<void> writeWholeFile(const std::filesystem::path& path,
                                          const std::function<Result<void>(std::ostream&)>& write);
/// By somebody who opens the file by its name; it is there, and empty.
[[nodiscard]] Result<void> makeWholeFile(const std::filesystem::path& path,
                                         const std::function<Result<void>(const std::filesystem::path& part)>& make);

} // namespace highwater
