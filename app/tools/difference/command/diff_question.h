#pragma once

#include "app/cli/arguments/requests.h"
#include "core/analysis/difference/difference_query.h"
#include "core/base/result.h"

#include <vector>

namespace highwater::cli {

/// Parses the part of a `diff` query that does not need a trace: everything except the traces and, if not given, the
/// table. Errors: Usage, NotFound (rename file).
[[nodiscard]] Result<analysis::DifferenceQuery> diffQuestion(const DiffRequest& request);
/// Parses the keys of the query, whose column names depend on the table. Errors: Usage.
[[nodiscard]] Result<std::vector<analysis::Column>> diffKeys(const DiffRequest& request, analysis::Table table);

} // namespace highwater::cli
