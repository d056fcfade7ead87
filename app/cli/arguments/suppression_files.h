#pragma once

#include "core/analysis/tags/suppressions.h"
#include "core/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace highwater::cli {

/// Reads all files of --suppressions. Does not print the remarks. Errors: NotFound.
[[nodiscard]] Result<std::shared_ptr<const analysis::Suppressions>>
readSuppressions(const std::vector<std::string>& files);

} // namespace highwater::cli
