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

/// What all questions are asked with.
struct QuestionRequest {
    std::vector<std::string> traces;
    SymbolsRequest symbols;
    std::string format = "text";
    bool strict = false; ///< as of tables
};

/// A question to a trace, from the words that were typed to what is printed. Calls in this order; one thread.
class TraceQuestion {
  public:
    virtual ~TraceQuestion() = default;

    QuestionRequest request;

    /// What is wrong with the words before the trace is read.
    [[nodiscard]] virtual std::optional<Error> wrongUsage() = 0;
    /// Takes the words for what they mean in this trace. Errors: Usage.
    [[nodiscard]] virtual std::optional<Error> prepare(const store::PublishedTrace& trace, const TraceNotes& notes) = 0;
    /// Whether the answer depends on what frames are called.
    [[nodiscard]] virtual bool needsNames() const = 0;
    /// It is about one thing that it names: that there is none is an error of whoever named it.
    [[nodiscard]] virtual bool namesWhatToFind() const { return false; }
    /// Writes the answer in request.format. Says what else there is to say: why it is empty; "": nothing.
    [[nodiscard]] virtual Result<std::string> answer(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                                     std::ostream& out) = 0;
    /// The table whose health goes with the answer.
    [[nodiscard]] virtual analysis::Table table() const = 0;
};

/// The sub-command with these options. When it runs, it reads the trace, finds names where they are needed, asks the
/// question, and reports missing data.
[[nodiscard]] Command asking(CLI::App& options, std::shared_ptr<TraceQuestion> question);

} // namespace highwater::cli
