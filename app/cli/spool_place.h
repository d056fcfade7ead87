#pragma once

#include "app/cli/traces/console.h"
#include "core/base/result.h"
#include "core/files/output_file.h"

#include <filesystem>

namespace highwater::cli {

/// Creates the file to write until the recording is saved as `place`. It is created before the program starts, so that
/// the program does not run in vain if the folder is not writable. Files left by a killed recorder are kept. Errors are
/// those of the file.
[[nodiscard]] Result<NewFile> makeSpool(const std::filesystem::path& place, const Console& console);

} // namespace highwater::cli
