#pragma once

#include "app/cli/arguments/requests.h"
#include "core/analysis/difference/renames.h"
#include "core/base/result.h"

#include <memory>

namespace highwater::cli {

/// Reads --renames and --rename: the lines of the file, then those of the command line. Null if there are none. Errors:
/// Usage, NotFound.
[[nodiscard]] Result<std::shared_ptr<const analysis::Renames>> readRenames(const RenamesRequest& request);

} // namespace highwater::cli
