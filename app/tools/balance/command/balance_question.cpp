#include "app/cli/arguments/query_arguments.h"
#include "app/cli/options/command_options.h"
#include "app/cli/questions/trace_question.h"
#include "app/tools/balance/command/trim_trial_option.h"
#include "app/tools/tools.h"
#include "core/analysis/balance/balance.h"
#include "core/analysis/held/holders.h"
#include "core/analysis/table/table_health.h"
#include "core/base/text.h"
#include "core/export/questions/balance_writer.h"
#include "core/export/questions/holders_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace highwater::cli {
namespace {

class BalanceQuestion final : public TraceQuestion {
  public:
    std::string at;
    std::string range;
    std::string by = "layer";
    std::vector<std::string> processes;
    bool isCourse = false;
    std::optional<std::uint32_t> top;

    std::optional<Error> wrongUsage() override {
        if (request.traces.empty())
            return Error{ErrorKind::Usage, "TRACE is required: a trace file (.etl); or --try-trim PID."};
        TRY(parseRange(range, {TraceTime{0}, kNever}));
        if (!at.empty() && !parseSeconds(at))
            return Error{ErrorKind::Usage, fmt::format("--at \"{}\" is not a time in seconds, such as 2.5.", at)};
        if (top && by != "owner") return Error{ErrorKind::Usage, "--top can only be used with --by owner."};
        if (isCourse && by != "layer")
            return Error{ErrorKind::Usage,
                         fmt::format("--course cannot be combined with --by {} because it has only layers.", by)};
        if (isCourse && request.format == "text")
            return Error{ErrorKind::Usage, "--course has no text output. Use --format csv or --format json."};
        return std::nullopt;
    }
    std::optional<Error> prepare(const store::PublishedTrace& trace, const TraceNotes& /*notes*/) override {
        if (auto refused = analysis::whyNoBalance(trace)) return refused;
        const auto whole = trace.wholeRange();
        interval_ = query_.interval = TRY(parseInterval(range, whole));
        if (const auto instant = parseSeconds(at)) {
            query_.interval = analysis::upTo(*instant);
            if (!isCourse) query_.runningAt = instant;
        }
        if (processes.empty()) return std::nullopt;
        query_.only.emplace();
        const auto sampled = analysis::sampledProcesses(trace, whole);
        for (const auto& word : processes)
            TRY(choose(word, trace, sampled));
        return std::nullopt;
    }
    [[nodiscard]] bool needsNames() const override { return by == "owner"; }
    Result<std::string> answer(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                               std::ostream& out) override {
        const auto health = analysis::healthOf(trace, table());
        if (isCourse) {
            const auto courses = TRY(analysis::balanceCourses(trace, query_));
            request.format == "json" ? exports::writeCourseJson(courses, health, out)
                                     : exports::writeCourseCsv(courses, out);
            return courses.empty() ? analysis::whyNoSample(trace) : std::string();
        }
        if (by == "owner") return answerOwners(trace, labels, health, out);
        const auto found = TRY(analysis::balanceWithCourses(trace, query_, interval_));
        const auto& balances = found.balances;
        const auto detail = detailOf(by);
        if (request.format == "json")
            exports::writeBalanceJson(balances, detail, health, out);
        else if (request.format == "csv")
            exports::writeBalanceCsv(balances, detail, out);
        else
            exports::writeBalanceText(balances, detail, out);
        if (auto ended = analysis::endedProcesses(trace, query_); !ended.empty()) return ended;
        return balances.empty() ? analysis::whyNoSample(trace) : std::string();
    }
    /// Frees, because its health covers both tables.
    [[nodiscard]] analysis::Table table() const override { return analysis::Table::Frees; }

  private:
    static exports::BalanceDetail detailOf(const std::string& by) {
        if (by == "mapping") return exports::BalanceDetail::Mappings;
        return by == "module" ? exports::BalanceDetail::Modules : exports::BalanceDetail::Layers;
    }
    Result<std::string> answerOwners(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                     const HealthReport& health, std::ostream& out) const {
        analysis::HolderQuery query;
        query.samples = query_;
        query.allocatorFrames = analysis::AllocatorFrames::builtIn(); // as in table
        const auto found = TRY(analysis::findHolders(trace, labels, query));
        const auto most = top.value_or(20);
        if (request.format == "json")
            exports::writeHoldersJson(found, most, health, out);
        else if (request.format == "csv")
            exports::writeHoldersCsv(found, most, out);
        else
            exports::writeHoldersText(found, most, out);
        if (auto ended = analysis::endedProcesses(trace, query_); !ended.empty()) return ended;
        return found.empty() ? analysis::whyNoSample(trace) : std::string();
    }
    /// Adds the processes with this name, this pid, or both as shown in tables.
    Result<void> choose(const std::string& word, const store::PublishedTrace& trace,
                        const std::vector<analysis::SampledProcess>& sampled) {
        std::vector<std::string> names;
        bool isFound = false;
        for (const auto& process : sampled) {
            const auto& instance = (*trace.processes)[process.process];
            names.push_back(printable(process.name));
            if (word != process.name && word != std::to_string(instance.pid) &&
                !equalsIgnoringCase(word, instance.name))
                continue;
            isFound = true;
            query_.only->push_back(process.process);
        }
        if (isFound) return {};
        return Error{ErrorKind::Usage, fmt::format("No sampled process is named \"{}\". Sampled processes: {}.", word,
                                                   fmt::join(names, ", "))};
    }

    analysis::BalanceQuery query_;
    TimeRange interval_; ///< of the peaks
};

} // namespace

Command balanceCommand(CLI::App& app) {
    auto& command = *app.add_subcommand(
        "balance",
        "Divide the resident memory of each process into layers: live blocks, free memory, stacks, files and others");
    const auto question = std::make_shared<BalanceQuestion>();
    addTraces(command, question->request.traces)->required(false); // a trial does not need a trace
    auto* const at =
        command.add_option("--at", question->at, "Use the last sample at or before this time (default: the last one)");
    command
        .add_option("--by", question->by,
                    "Parts to list: layer; mapping (layers and their mappings); module (layers and their modules, that "
                    "is, program and libraries); owner (functions whose heap blocks hold pages) (default: layer)")
        ->check(CLI::IsMember({"layer", "mapping", "module", "owner"}));
    command.add_option("--top", question->top, "Number of owners to list, most held pages first (default: 20)")
        ->check(CLI::Range(1u, std::numeric_limits<std::uint32_t>::max()));
    command
        .add_option("--process", question->processes,
                    "Show only this process: its name, its PID, or both as shown in tables; may be given several times "
                    "(default: all)")
        ->take_all()
        ->expected(1);
    command.add_flag("--course", question->isCourse,
                     "Write the layers at every sample instead of one, as CSV or JSON (default: one sample)");
    command
        .add_option("--range", question->range,
                    "Use only samples in this interval, in seconds; START or END may be empty (default: the whole "
                    "trace)")
        ->excludes(at);
    addSymbols(command, question->request.symbols);
    addStrict(command, question->request.strict);
    addFormat(command, question->request.format, {"text", "csv", "json"});
    return orTrial(asking(command, question), question->request.format);
}

} // namespace highwater::cli
