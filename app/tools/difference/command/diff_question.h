#pragma once

#include "app/cli/arguments/requests.h"
#include "core/analysis/difference/difference_query.h"
#include "core/base/result.h"

#include <vector>

namespace highwater::cli {

/// What is known of the question of `diff` before a trace is read: all but the traces, and the table where none was
/// named. Errors: Usage, NotFound (the file of the renames).
[[nodiscard]] Result<analysis::DifferenceQuery> diffQuestion(const DiffRequest& request);
/// Its keys; columns have names of their own in each table. Errors: Usage.
[[nodiscard]] Result<std::vector<analysis::Column>> diffKeys(const DiffRequest& request, analysis::Table table);

} // namespace highwater::cli
