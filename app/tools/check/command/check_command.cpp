#include "app/cli/traces/command.h"
#include "app/tools/tools.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/arguments/suppression_files.h"
#include "app/cli/arguments/text_file.h"
#include "app/cli/options/command_options.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "app/tools/difference/command/rename_arguments.h"
#include "core/check/budget_values.h"
#include "core/check/check_page.h"
#include "core/check/check_runs.h"
#include "core/check/check_writer.h"
#include "core/check/junit_writer.h"
#include "core/check/renamed_run.h"
#include "core/check/sarif_writer.h"
#include "core/check/suppressed_keys.h"
#include "core/export/shell_words.h"
#include "core/files/whole_file.h"
#include "core/summary/run_id.h"
#include "core/summary/summarize.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>

namespace highwater::cli {
namespace {

using check::CheckedRun, check::CheckFacts, check::CheckResult;

struct CheckRequest {
    std::vector<std::string> traces; ///< earlier traces
    std::vector<std::string> with;   ///< traces to check
    std::string table;               ///< "": heap, or virtualalloc if no trace has heap allocations
    std::string budget;              ///< "": none
    std::string unreachable;         ///< highest allowed bytes; "": not checked
    std::string smallest = "64KB";
    std::string junit, sarif, html; ///< files; "": do not write
    SymbolsRequest symbols;
    std::vector<std::string> suppressions; ///< files
    RenamesRequest renames;
    std::string format = "text";
    bool strict = false;
};

/// Number of points per graph on the page.
constexpr std::int64_t kSlices = 120;

/// Whether both paths refer to the same file, which may not exist yet.
bool areOneFile(const std::string& a, const std::string& b) {
    std::error_code unknown;
    if (std::filesystem::equivalent(a, b, unknown)) return true;
    const auto first = std::filesystem::weakly_canonical(a, unknown);
    return !unknown && first == std::filesystem::weakly_canonical(b, unknown) && !unknown;
}

/// Rejects outputs that would overwrite an input or another output.
std::optional<Error> wrongOutput(const CheckRequest& request) {
    std::vector<std::string> taken = request.traces;
    taken.insert(taken.end(), request.with.begin(), request.with.end());
    taken.insert(taken.end(), request.suppressions.begin(), request.suppressions.end());
    if (!request.budget.empty()) taken.push_back(request.budget);
    if (!request.renames.file.empty()) taken.push_back(request.renames.file);
    for (const auto& output : {request.junit, request.sarif, request.html}) {
        if (output.empty()) continue;
        if (std::ranges::any_of(taken, [&](const auto& file) { return areOneFile(file, output); }))
            return Error{ErrorKind::Usage,
                         fmt::format("{} is already an input or output of this check. Choose another name.", output)};
        taken.push_back(output);
    }
    return std::nullopt;
}

std::optional<Error> wrongUsage(const CheckRequest& request) {
    if (auto error = wrongOutput(request)) return error;
    if (!request.table.empty()) {
        const auto table = TRY(parseTableWord(request.table));
        if (!analysis::isOfAllocations(table))
            return Error{ErrorKind::Usage, "check supports only the tables virtualalloc and heap."};
    }
    TRY(parseBytes("--smallest", request.smallest));
    if (!request.unreachable.empty()) {
        TRY(parseBytes("--unreachable", request.unreachable));
    }
    if (request.with.empty())
        return Error{ErrorKind::Usage, "No trace to check is specified. Name one or more with --with."};
    if (request.traces.empty() && request.budget.empty() && request.unreachable.empty())
        return Error{ErrorKind::Usage,
                     "There is nothing to check against. Specify earlier traces, --budget or --unreachable."};
    if (request.traces.empty() && (!request.renames.file.empty() || !request.renames.lines.empty()))
        return Error{ErrorKind::Usage, "--renames and --rename require earlier traces. Specify at least one."};
    return std::nullopt;
}

/// A trace while it is loaded.
struct ReadRun {
    LoadedTrace trace;
    std::shared_ptr<analysis::FrameLabels> labels;
};

/// A missing table must not count as a small amount.
Error hasNothing(const std::string& file, analysis::Table table) {
    return {ErrorKind::NotFound, fmt::format("{} has no {} allocations. Check that the program was recorded.", file,
                                             table == analysis::Table::Heap ? "heap" : "VirtualAlloc")};
}

/// Reads the traces one at a time and keeps only the data that a check needs. One thread.
class RunReader {
  public:
    RunReader(const CheckRequest& request, const Console& console) : request_(request), console_(console) {}

    /// Call first. Does nothing without suppressions.
    [[nodiscard]] Result<void> takeSuppressions();
    /// Reads the new runs. Call before readBefore() because they determine the table and the budget.
    [[nodiscard]] Result<void> readNew(std::vector<CheckedRun>& runs);
    [[nodiscard]] Result<void> readBefore(std::vector<CheckedRun>& runs);

    [[nodiscard]] analysis::Table table() const { return table_; }
    [[nodiscard]] const std::vector<check::BudgetRule>& budget() const { return budget_; }
    [[nodiscard]] bool isEveryWhole() const { return isEveryWhole_; }

  private:
    using FileOfRun = std::map<std::string, std::string>;
    [[nodiscard]] Result<ReadRun> read(const std::string& file, FileOfRun& ofSide);
    /// Rejects duplicates, because repeated recordings would falsify the estimated noise.
    [[nodiscard]] Result<void> takeRun(const std::string& file, FileOfRun& ofSide) const;
    [[nodiscard]] Result<CheckedRun> summarizeRun(const std::string& file, const ReadRun& run);
    [[nodiscard]] Result<void> takeBudget();
    [[nodiscard]] Result<void> takeUnreachable(const ReadRun& run, CheckedRun& checked) const;
    [[nodiscard]] Result<void> takeMatches(const ReadRun& run, CheckedRun& checked) const;
    /// Chooses the table from the first run, and rejects runs without it.
    [[nodiscard]] Result<void> takeTable(const std::string& file, const store::PublishedTrace& rows);

    const CheckRequest& request_;
    const Console& console_;
    analysis::Table table_ = analysis::Table::Heap;
    std::string heapless_; ///< the first run if it has no heap allocations and no table was requested
    bool isTableKnown_ = false;
    std::vector<check::BudgetRule> budget_;
    std::shared_ptr<const analysis::Suppressions> suppressions_;
    bool isEveryWhole_ = true;
    FileOfRun before_, after_;
};

Result<void> RunReader::takeRun(const std::string& file, FileOfRun& ofSide) const {
    const std::filesystem::path path(file);
    const auto run = TRY(summary::runIdOf(std::span(&path, 1)));
    const auto [known, isNew] = ofSide.try_emplace(run, file);
    if (const auto twin = after_.find(run); isNew && &ofSide == &before_ && twin != after_.end())
        console_.say(fmt::format("{} and {} are the same recording; there is nothing to compare.", file, twin->second));
    if (isNew) return {};
    return Error{ErrorKind::Usage, fmt::format("{} and {} are the same recording. Specify each recording only once.",
                                               known->second, file)};
}

Result<ReadRun> RunReader::read(const std::string& file, FileOfRun& ofSide) {
    auto trace = TRY(loadTrace({file}));
    const auto names = loadSymbols(request_.symbols, {file}, trace.rows, console_);
    TRY(takeRun(file, ofSide));
    const auto& health = trace.rows->health;
    if (health.totalsAreBounds()) {
        isEveryWhole_ = false;
        console_.say(file + ": This trace is incomplete, so its totals are bounds. " + health.boundsText());
    }
    return ReadRun{std::move(trace), std::make_shared<analysis::FrameLabels>(names)};
}

Result<CheckedRun> RunReader::summarizeRun(const std::string& file, const ReadRun& run) {
    const auto& [rows, facts, notes, blocks] = run.trace;
    summary::SummaryOptions options;
    options.labels.trace = file;
    const auto whole = rows->wholeRange();
    const auto length = whole.end.ns - whole.start.ns;
    if (!request_.html.empty() && length >= kSlices) options.windows.sliceNs = (length + kSlices - 1) / kSlices;
    auto summary = TRY(summary::summarize({*rows, *run.labels, facts.properties, facts.system, notes->marks}, options));
    auto suppressed = check::suppressedKeysOf(*rows, *run.labels, summary, *suppressions_);
    return CheckedRun{file, std::move(summary), {}, {}, std::move(suppressed)};
}

Result<void> RunReader::takeUnreachable(const ReadRun& run, CheckedRun& checked) const {
    if (request_.unreachable.empty()) return {};
    auto memory = check::findUnreachable(*run.trace.rows, *run.labels, *suppressions_);
    if (!memory.hasValue()) return Error{memory.error().kind, checked.trace + ": " + memory.error().message};
    checked.unreachable = std::move(memory).value();
    return {};
}

Result<void> RunReader::takeSuppressions() {
    suppressions_ = TRY(readSuppressions(request_.suppressions));
    for (const auto& remark : suppressions_->remarks())
        console_.say(remark);
    return {};
}

Result<void> RunReader::takeBudget() {
    if (request_.budget.empty()) return {};
    const auto text = TRY(textOf(request_.budget));
    budget_ = TRY(check::parseBudget(text, table_));
    return {};
}

/// Chooses heap if any run has it, so that a run whose program died at once does not select another table.
Result<void> RunReader::takeTable(const std::string& file, const store::PublishedTrace& rows) {
    if (!isTableKnown_) {
        isTableKnown_ = true;
        if (!request_.table.empty())
            table_ = parseTableWord(request_.table).value();
        else if (rows.heap.rows == 0 && rows.virtualAlloc.rows > 0) {
            table_ = analysis::Table::VirtualAlloc;
            heapless_ = file;
        }
    }
    if (!heapless_.empty() && rows.heap.rows > 0) return hasNothing(heapless_, analysis::Table::Heap);
    // A process that allocated nothing while it was recorded still has the blocks of its picture.
    const bool isOfPictureOnly = rows.pictures && !request_.unreachable.empty() && request_.budget.empty() &&
                                 request_.traces.empty() && request_.table.empty();
    const auto& table = table_ == analysis::Table::Heap ? rows.heap : rows.virtualAlloc;
    if (table.rows == 0 && !isOfPictureOnly) return hasNothing(file, table_);
    return {};
}

Result<void> RunReader::takeMatches(const ReadRun& run, CheckedRun& checked) const {
    const auto marks = std::make_shared<const std::vector<Mark>>(run.trace.notes->marks);
    checked.matches = TRY(check::budgetMatchesOf(run.trace.rows, run.labels, marks, table_, budget_));
    return {};
}

Result<void> RunReader::readNew(std::vector<CheckedRun>& runs) {
    for (const auto& file : request_.with) {
        const auto run = TRY(read(file, after_));
        const auto& rows = run.trace.rows;
        TRY(takeTable(file, *rows));
        if (runs.empty()) {
            TRY(takeBudget());
        }
        auto summary = TRY(summarizeRun(file, run));
        const auto marks = std::make_shared<const std::vector<Mark>>(run.trace.notes->marks);
        auto values = check::budgetValuesOf(rows, run.labels, marks, table_, budget_);
        if (!values.hasValue()) return Error{values.error().kind, file + ": " + values.error().message};
        runs.push_back(std::move(summary));
        runs.back().budgets = std::move(values).value();
        TRY(takeMatches(run, runs.back()));
        TRY(takeUnreachable(run, runs.back()));
    }
    return {};
}

Result<void> RunReader::readBefore(std::vector<CheckedRun>& runs) {
    for (const auto& file : request_.traces) {
        const auto run = TRY(read(file, before_));
        TRY(takeTable(file, *run.trace.rows));
        auto summary = TRY(summarizeRun(file, run));
        runs.push_back(std::move(summary));
        TRY(takeMatches(run, runs.back()));
    }
    return {};
}

void addRenameWords(const RenamesRequest& renames, std::vector<std::string>& words) {
    if (!renames.file.empty()) exports::addOption(words, "--renames", exports::fileWord(renames.file));
    for (const auto& line : renames.lines)
        exports::addOption(words, "--rename", line);
}

CheckFacts factsOf(const CheckRequest& request, analysis::Table table) {
    CheckFacts facts;
    facts.budgetFile = request.budget;
    const auto begin = [&](const char* command) {
        exports::CommandLine words{"highwater-cli", command};
        exports::addFiles(words, request.traces);
        words.emplace_back("--with");
        exports::addFiles(words, request.with);
        words.insert(words.end(), {"--table", std::string(analysis::tableWord(table))});
        const auto symbols = wordsOf(request.symbols);
        words.insert(words.end(), symbols.begin(), symbols.end());
        return words;
    };
    facts.command = begin("check");
    if (!request.budget.empty()) exports::addOption(facts.command, "--budget", exports::fileWord(request.budget));
    if (!request.unreachable.empty()) exports::addOption(facts.command, "--unreachable", request.unreachable);
    for (const auto& file : request.suppressions)
        exports::addOption(facts.command, "--suppressions", exports::fileWord(file));
    addRenameWords(request.renames, facts.command);
    facts.command.insert(facts.command.end(), {"--smallest", request.smallest});
    if (request.traces.empty()) return facts;
    facts.diff = begin("diff");
    addRenameWords(request.renames, facts.diff);
    facts.diff.emplace_back("--bottom-up");
    return facts;
}

/// Writes the requested files, each completely or not at all.
Result<void> writeFiles(const CheckRequest& request, const CheckResult& result) {
    const auto facts = factsOf(request, result.table);
    const auto write = [](const std::string& path, const std::function<void(std::ostream&)>& content) -> Result<void> {
        if (path.empty()) return {};
        return writeWholeFile(path, [&](std::ostream& out) -> Result<void> {
            content(out);
            return {};
        });
    };
    TRY(write(request.junit, [&](auto& out) { check::writeJunit(result, out); }));
    TRY(write(request.sarif, [&](auto& out) { check::writeSarif(result, facts, out); }));
    return write(request.html, [&](auto& out) { check::writeCheckPage(result, facts, out); });
}

Result<std::optional<check::RunRenames>> renamesOf(const CheckRequest& request) {
    const auto renames = TRY(readRenames(request.renames));
    if (!renames) return std::optional<check::RunRenames>();
    auto ofRuns = TRY(check::RunRenames::make(*renames));
    return std::optional(std::move(ofRuns));
}

void applyRenames(check::RunRenames& renames, std::vector<CheckedRun>& before, const Console& console) {
    for (auto& run : before)
        renames.apply(run);
    for (const auto& line : renames.unusedLines())
        console.say(fmt::format("The rename {} matches nothing in the earlier traces.", line));
}

/// "check TRACE --unreachable 0" checks the trace itself, because nothing is compared.
CheckRequest completed(CheckRequest request) {
    if (request.with.empty() && request.budget.empty() && !request.unreachable.empty())
        request.with = std::exchange(request.traces, {});
    return request;
}

Result<ExitCode> runCheck(const CheckRequest& given, const Console& console) {
    const auto request = completed(given);
    if (const auto error = wrongUsage(request)) return *error;
    auto renames = TRY(renamesOf(request));
    RunReader reader(request, console);
    std::vector<CheckedRun> before, after;
    TRY(reader.takeSuppressions());
    TRY(reader.readNew(after));
    TRY(reader.readBefore(before));
    if (renames) applyRenames(*renames, before, console);
    check::CheckOptions options{reader.table()};
    options.smallest = static_cast<std::int64_t>(parseBytes("--smallest", request.smallest).value());
    if (!request.unreachable.empty()) options.unreachable = parseBytes("--unreachable", request.unreachable).value();
    const auto result = check::checkRuns(before, after, reader.budget(), options);
    request.format == "json" ? check::writeCheckJson(result, console.answers)
                             : check::writeCheckText(result, console.answers);
    for (const auto& note : result.notes)
        console.say(note);
    TRY(writeFiles(request, result));
    if (request.strict && (!reader.isEveryWhole() || result.idleBudgets() > 0)) return ExitCode::DataMissing;
    return result.hasPassed() ? ExitCode::Done : ExitCode::HasGrown;
}

} // namespace

Command checkCommand(CLI::App& app) {
    auto& command = *app.add_subcommand("check", "For continuous integration: check that new runs stay within a budget "
                                                 "and that no stack keeps more than before");
    const auto request = std::make_shared<CheckRequest>();
    command.add_option("TRACE", request->traces,
                       "Earlier trace files (.etl), each a separate recording; if omitted, only the budget is checked");
    command.add_option(
        "--with", request->with,
        "Trace files to check, each a separate recording (required, except with --unreachable alone, which "
        "checks TRACE)");
    command.add_option("--budget", request->budget,
                       "File with limits, such as \"peak 200MB\" or \"outstanding 1MB stack app!Cache::*\", one per "
                       "line; each run must stay within them (default: none)");
    refuseEmpty(command.add_option(
                    "--unreachable", request->unreachable,
                    "Highest allowed unreachable memory in the newest picture of each process, such as 0 or 64KB "
                    "(default: not checked)"),
                "an amount, such as 0 or 64KB");
    command.add_option("--table", request->table,
                       "virtualalloc or heap (default: heap, or virtualalloc if no trace has heap allocations)");
    command.add_option("--smallest", request->smallest,
                       "Ignore growth of a stack smaller than this, such as 4096 or 1MB (default: 64KB)");
    command.add_option("--junit", request->junit, "Write a test report (JUnit XML) to this file");
    command.add_option("--sarif", request->sarif, "Write SARIF 2.1.0 to this file");
    command.add_option("--html", request->html, "Write a page with graphs of the stacks that grew to this file");
    addDebugFiles(command, request->symbols);
    addSuppressions(command, request->suppressions);
    addRenames(command, request->renames);
    addStrict(command, request->strict);
    addFormat(command, request->format, {"text", "json"});
    return {&command, [request](const Console& console) { return runCheck(*request, console); }};
}

} // namespace highwater::cli
