#pragma once

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/questions/trace_question.h"
#include "core/base/result.h"

#include <string>

namespace highwater::cli {

/// A question about the rows of table() in an interval that pass a filter. Query needs the members interval, filter
/// and allocatorFrames, and may have processExitFreesHeap.
template <typename Query>
class FilteredQuestion : public TraceQuestion {
  public:
    std::string range;
    FilterRequest filter;
    bool processExitFreesHeap = false;

    std::optional<Error> prepare(const store::PublishedTrace& trace, const TraceNotes& notes) override {
        query_.interval = TRY(parseInterval(range, trace.wholeRange()));
        query_.filter = TRY(parseLabelledFilters(table(), filter, trace.wholeRange(), &notes));
        return std::nullopt;
    }

  protected:
    /// Checks range and filter, and prepares the part of the query that does not depend on the trace. Calls table().
    [[nodiscard]] std::optional<Error> wrongFilter() {
        if constexpr (requires(Query query) { query.processExitFreesHeap; })
            query_.processExitFreesHeap = processExitFreesHeap;
        query_.allocatorFrames = analysis::AllocatorFrames::builtIn(); // as in table
        TRY(parseLabelledFilters(table(), filter, {TraceTime{0}, kNever}));
        TRY(parseRange(range, {TraceTime{0}, kNever}));
        return std::nullopt;
    }

    Query query_;
};

} // namespace highwater::cli
