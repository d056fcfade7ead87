#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <ostream>

namespace highwater {

/// Files that appear only when they are complete: data is written to a new file beside the place, with the rights of
/// the user's normal files, which replaces an existing file when it is complete. On failure the new file is deleted,
/// and the existing file stays. Errors: those of OutputFile, and those of `write`. Any thread.

/// Through a stream, whose own errors become errors of this function.
[[nodiscard]] Result<void> writeWholeFile(const std::filesystem::path& path,
                                          const std::function<Result<void>(std::ostream&)>& write);
/// By a function that opens the file by its name; the file exists and is empty.
[[nodiscard]] Result<void> makeWholeFile(const std::filesystem::path& path,
                                         const std::function<Result<void>(const std::filesystem::path& part)>& make);

} // namespace highwater
