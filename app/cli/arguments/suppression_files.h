#pragma once

#include "core/analysis/tags/suppressions.h"
#include "core/base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace highwater::cli {

/// All of the files that --suppressions names. Its remarks are not said yet. Errors: NotFound.
[[nodiscard]] Result<std::shared_ptr<const analysis::Suppressions>>
readSuppressions(const std::vector<std::string>& files);

} // namespace highwater::cli
