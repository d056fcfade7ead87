#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <vector>

namespace highwater::cli {

/// The traces that were named: files as they are, and of folders, with all that are in them, the files whose names end
/// as those of traces do. Each once, sorted within a folder. Error: a folder cannot be read, or has none.
[[nodiscard]] Result<std::vector<std::string>> filesOfTraces(std::span<const std::string> named);

} // namespace highwater::cli
