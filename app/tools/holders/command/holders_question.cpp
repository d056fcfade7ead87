#include "app/tools/holders/command/holders_question.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/options/command_options.h"
#include "app/cli/questions/filtered_question.h"
#include "app/tools/tools.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/held/held_by.h"
#include "core/analysis/pictures/picture_rows.h"
#include "core/analysis/table/table_health.h"
#include "core/base/counted.h"
#include "core/export/questions/held_by_writer.h"
#include "core/pipeline/core_files/core_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace highwater::cli {
namespace {

using analysis::Table;

class HoldersQuestion final : public FilteredQuestion<analysis::HeldByQuery> {
  public:
    std::uint32_t top = 20;
    std::uint32_t picture = 0; ///< its number, from 1; 0: the newest ones in the range
    std::string core;          ///< a core file, whose memory is the picture; "": none

    std::optional<Error> wrongUsage() override {
        if (!core.empty() && picture != 0)
            return Error{ErrorKind::Usage, "--picture and --core exclude each other. Specify one of them."};
        if (core.empty() && request.traces.empty())
            return Error{ErrorKind::Usage, "TRACE is required: a trace file (.etl); or --core CORE."};
        return wrongFilter();
    }
    [[nodiscard]] bool needsTrace() const override { return core.empty(); }
    Result<std::shared_ptr<const store::PublishedTrace>>
    complete(std::shared_ptr<const store::PublishedTrace> trace) override {
        if (core.empty()) return trace;
        std::optional<TraceTime> last;
        if (trace && !range.empty()) {
            const auto interval = TRY(parseInterval(range, trace->wholeRange()));
            last = interval.end;
        }
        const auto file = TRY(pipeline::CoreFile::open(core));
        auto made = TRY(pipeline::pictureOfCore(*file, std::move(trace), last));
        remarks_ = std::move(made.remarks);
        picture = 1;
        return std::move(made.trace);
    }
    std::optional<Error> prepare(const store::PublishedTrace& trace, const TraceNotes& notes) override {
        if (auto wrong = FilteredQuestion::prepare(trace, notes)) return wrong;
        if (auto refused = analysis::whyNoPictures(trace)) return refused;
        if (picture == 0) return std::nullopt;
        if (picture > trace.pictures->size())
            return Error{ErrorKind::Usage, fmt::format("--picture {} does not exist. The trace has {}.", picture,
                                                       counted(trace.pictures->size(), "picture"))};
        // With the newest one of each other process.
        const auto time = (*trace.pictures)[picture - 1]->time;
        query_.interval = {trace.wholeRange().start, analysis::endOfRound(*trace.pictures, time)};
        return std::nullopt;
    }
    [[nodiscard]] bool needsNames() const override { return true; }
    Result<std::string> answer(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                               std::ostream& out) override {
        auto found = TRY(analysis::findHeldBy(trace, labels, query_));
        for (auto& answer : found) // only one if there are remarks
            answer.cautions.insert(answer.cautions.end(), remarks_.begin(), remarks_.end());
        const auto health = analysis::healthOf(trace, table());
        if (request.format == "json")
            exports::writeHeldByJson(found, top, health, out);
        else if (request.format == "csv")
            exports::writeHeldByCsv(found, top, out);
        else
            exports::writeHeldByText(found, top, out);
        const bool isEmpty = std::ranges::all_of(found, [](const auto& answer) { return answer.holders.empty(); });
        return isEmpty && !query_.filter.isEmpty() ? "No block of the picture of memory matches the filter."
                                                   : std::string();
    }
    [[nodiscard]] Table table() const override { return Table::Heap; }

  private:
    std::vector<std::string> remarks_; ///< about the core file
};

} // namespace

Result<ExitCode> answerHolders(const HoldersRequest& request, const Console& console) {
    HoldersQuestion question;
    question.request = request.question;
    question.top = request.top;
    return ask(question, console);
}

Command holdersCommand(CLI::App& app) {
    auto& command = *app.add_subcommand(
        "holders", "List the variables, stacks and mappings that hold heap memory, and the memory that is unreachable");
    const auto question = std::make_shared<HoldersQuestion>();
    addTraces(command, question->request.traces)->required(false);
    refuseEmpty(command.add_option(
                    "--core", question->core,
                    "Core file of a process, whose memory is examined in place of a picture; the trace is optional"),
                "a file name");
    command.add_option("--top", question->top, "Number of holders to list, most memory first (default: 20)")
        ->check(CLI::Range(1u, std::numeric_limits<std::uint32_t>::max()));
    command
        .add_option("--picture", question->picture,
                    "Number of the picture of memory, starting at 1 (default: the newest one in the range)")
        ->check(CLI::Range(1u, std::numeric_limits<std::uint32_t>::max()));
    addRange(command, question->range);
    addFilters(command, question->filter);
    addSymbols(command, question->request.symbols);
    addStrict(command, question->request.strict);
    addFormat(command, question->request.format, {"text", "csv", "json"});
    return asking(command, question);
}

} // namespace highwater::cli
