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

/// What commands have in common that write rows of a trace in the format of another tool.
struct FormatRequest {
    std::vector<std::string> traces;
    std::string table; ///< "": heap, or virtualalloc where the trace has no heap allocations
    std::string range;
    FilterRequest filter;
    SymbolsRequest symbols;
    std::string output; ///< "" and "-": stdout
    bool processExitFreesHeap = false;
    bool strict = false; ///< as in table
};

/// The words of a request as what they mean in its trace.
struct FormatQuestion {
    LoadedTrace trace;
    analysis::Table table = analysis::Table::Heap;
    TimeRange interval;
    analysis::RowFilter filter;
    std::shared_ptr<analysis::FrameLabels> labels; ///< with names

    [[nodiscard]] formats::ExportSubject subject(const FormatRequest& request) const {
        return {request.traces, table, interval, request.filter.words()};
    }
};

/// --range, --filter and the like, symbols, --process-exit-frees-heap and --strict.
void addRows(CLI::App& command, FormatRequest& request);
/// What is wrong with the words before the trace is read. `table`: what stands for one that is not named.
[[nodiscard]] std::optional<Error> wrongUsage(const FormatRequest& request);
/// Reads the trace and gets names. Once wrongUsage() has found nothing.
[[nodiscard]] Result<FormatQuestion> ask(const FormatRequest& request, const Console& console);

/// Whether the answer goes to stdout.
[[nodiscard]] inline bool isToStdout(const FormatRequest& request) {
    return request.output.empty() || request.output == "-";
}
/// Why the answer cannot take this place: the file is the trace itself.
[[nodiscard]] std::optional<Error> wrongOutput(const FormatRequest& request);
/// Writes the answer where it was asked for: into a file that appears when it is whole, or to stdout. A signal that
/// asks to stop (StopBySignal) stops `write`, and leaves no file.
[[nodiscard]] Result<void> writeAnswer(const FormatRequest& request, const Console& console,
                                       const std::function<Result<void>(std::ostream&, const std::stop_token&)>& write);

} // namespace highwater::cli
