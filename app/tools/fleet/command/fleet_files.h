#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <vector>

namespace highwater::cli {

/// Expands the arguments to trace files: files as given, and all files in folders and subfolders with an extension of
/// traces. Each file once, sorted within a folder. Error: a folder cannot be read or contains no traces.
[[nodiscard]] Result<std::vector<std::string>> filesOfTraces(std::span<const std::string> named);

} // namespace highwater::cli
