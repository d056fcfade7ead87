#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "app/cli/traces/loaded_trace.h"
#include "core/analysis/columns/columns.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/query/row_filter.h"
#include "core/formats/facts/export_facts.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::cli {

/// Options common to commands that export rows of a trace in the format of another tool.
struct FormatRequest {
    std::vector<std::string> traces;
    std::string table; ///< "": heap, or virtualalloc if the trace has no heap allocations
    std::string range;
    FilterRequest filter;
    SymbolsRequest symbols;
    std::string output; ///< "" and "-": stdout
    bool processExitFreesHeap = false;
    bool strict = false; ///< as in table
};

/// The parsed request for its trace.
struct FormatQuestion {
    LoadedTrace trace;
    analysis::Table table = analysis::Table::Heap;
    TimeRange interval;
    analysis::RowFilter filter;
    std::shared_ptr<analysis::FrameLabels> labels; ///< includes names

    [[nodiscard]] formats::ExportSubject subject(const FormatRequest& request) const {
        return {request.traces, table, interval, request.filter.words()};
    }
};

/// Adds --range, --filter and similar, symbol options, --process-exit-frees-heap and --strict.
void addRows(CLI::App& command, FormatRequest& request);
/// Validates the arguments before the trace is read. `table`: used if none is given.
[[nodiscard]] std::optional<Error> wrongUsage(const FormatRequest& request);
/// Loads the trace and symbols. Call after wrongUsage() succeeded.
[[nodiscard]] Result<FormatQuestion> ask(const FormatRequest& request, const Console& console);

/// Whether output goes to stdout.
[[nodiscard]] inline bool isToStdout(const FormatRequest& request) {
    return request.output.empty() || request.output == "-";
}
/// Rejects an output file that is the trace itself.
[[nodiscard]] std::optional<Error> wrongOutput(const FormatRequest& request);
/// Writes the answer to a file, which appears only when complete, or to stdout. A stop signal (StopBySignal) stops
/// `write` and leaves no file.
[[nodiscard]] Result<void> writeAnswer(const FormatRequest& request, const Console& console,
                                       const std::function<Result<void>(std::ostream&, const std::stop_token&)>& write);

} // namespace highwater::cli
