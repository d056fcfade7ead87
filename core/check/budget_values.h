#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/base/result.h"
#include "core/check/budget.h"
#include "core/event/trace_notes.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace highwater::check {

/// The value of each budget line for a complete trace. Any thread. Errors: Usage; Unsupported (a line needs samples of
/// resident memory that the trace does not have).
[[nodiscard]] Result<std::vector<std::int64_t>>
budgetValuesOf(const std::shared_ptr<const store::PublishedTrace>& trace,
               const std::shared_ptr<analysis::FrameLabels>& labels, const SharedMarks& marks, analysis::Table table,
               std::span<const BudgetRule> rules);

/// For each budget line, whether it matches any row of the trace, freed or not. Any thread. Errors: Usage.
[[nodiscard]] Result<std::vector<bool>> budgetMatchesOf(const std::shared_ptr<const store::PublishedTrace>& trace,
                                                        const std::shared_ptr<analysis::FrameLabels>& labels,
                                                        const SharedMarks& marks, analysis::Table table,
                                                        std::span<const BudgetRule> rules);

} // namespace highwater::check
