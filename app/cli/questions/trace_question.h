#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/command.h"
#include "core/analysis/columns/columns.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/base/result.h"
#include "core/event/trace_notes.h"
#include "core/store/published/published_trace.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace highwater::cli {

/// Options common to all questions.
struct QuestionRequest {
    std::vector<std::string> traces;
    SymbolsRequest symbols;
    std::string format = "text";
    bool strict = false;    ///< as in table
    bool saysHealth = true; ///< prints messages about missing data
};

/// A question about a trace, from arguments to output. Functions are called in this order on one thread.
class TraceQuestion {
  public:
    virtual ~TraceQuestion() = default;

    QuestionRequest request;

    /// Validates the arguments before the trace is read.
    [[nodiscard]] virtual std::optional<Error> wrongUsage() = 0;
    /// Whether the question is about a trace. Otherwise request.traces may be empty.
    [[nodiscard]] virtual bool needsTrace() const { return true; }
    /// Adds what is not in the trace, before prepare(). `trace`: null if there is none; the result is not.
    [[nodiscard]] virtual Result<std::shared_ptr<const store::PublishedTrace>>
    complete(std::shared_ptr<const store::PublishedTrace> trace) {
        return trace;
    }
    /// Resolves the arguments for this trace. Errors: Usage.
    [[nodiscard]] virtual std::optional<Error> prepare(const store::PublishedTrace& trace, const TraceNotes& notes) = 0;
    /// Whether the answer depends on function names.
    [[nodiscard]] virtual bool needsNames() const = 0;
    /// Whether the question asks for one named item, which must exist.
    [[nodiscard]] virtual bool requiresMatch() const { return false; }
    /// Writes the answer in request.format. Returns a message, such as why it is empty, or "".
    [[nodiscard]] virtual Result<std::string> answer(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                                     std::ostream& out) = 0;
    /// The table whose health is part of the answer.
    [[nodiscard]] virtual analysis::Table table() const = 0;
};

/// Reads the trace, loads symbols if needed, asks the question, and reports missing data.
[[nodiscard]] Result<ExitCode> ask(TraceQuestion& question, const Console& console);

/// Creates the sub-command with these options. It calls ask().
[[nodiscard]] Command asking(CLI::App& options, std::shared_ptr<TraceQuestion> question);

} // namespace highwater::cli
