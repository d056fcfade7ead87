#pragma once

#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"

#include <functional>
#include <string>

namespace highwater::tests {

/// A query and, determined without the query language, whether a row satisfies it.
struct RandomQuery {
    std::string text;
    std::function<bool(const Recount&, const RecountRow&)> holds;
};

/// Whether a query may use the label that rows have.
enum class Asking : std::uint8_t { Anything, NoLabels };

/// Connected conditions on any recounted columns of the table. The values they compare with are mostly from the
/// recount's rows.
[[nodiscard]] RandomQuery randomQuery(RandomTrace& random, analysis::Table table, const Recount& recount,
                                      Asking asking = Asking::Anything);

} // namespace highwater::tests
