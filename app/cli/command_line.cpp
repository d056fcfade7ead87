#include "app/cli/command_line.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/cleanup_command.h"
#include "app/cli/info_command.h"
#include "app/cli/manual/manual.h"
#include "app/cli/options/command_options.h"
#include "app/cli/options/unknown_option.h"
#include "app/cli/picture_command.h"
#include "app/cli/record_command.h"
#include "app/cli/table_command.h"
#include "app/cli/timeline_command.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/printable_stream.h"
#include "app/tools/tools.h"
#include "core/base/within_memory.h"
#include "core/export/csv_formulas.h"
#include "core/export/table_format.h"
#include "core/files/column_memory.h"
#include "core/log/log.h"
#include "core/log/log_listening.h"
#include "core/log/log_session.h"
#include "core/log/log_text.h"
#include "core/symbols/places/symbol_path.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

namespace highwater::cli {
namespace {

constexpr auto kAmount = "an amount, such as 100MB";

Command infoCommand(CLI::App& app) {
    auto& command = *app.add_subcommand("info", "Summarize a trace's contents and data loss");
    const auto request = std::make_shared<InfoRequest>();
    addTraces(command, request->traces);
    command.add_flag("--json", request->json, "Write JSON instead of text");
    command.add_flag("--processes", request->processes, "Also show command lines and loaded images of processes");
    command.add_flag("--modules", request->modules, "Show all modules with the identities of their debug files");
    command
        .add_option("--save-snapshots", request->snapshotFolder,
                    "Write the bytes of each heap snapshot that Windows took to a file in this folder; existing files "
                    "are kept (default: do not write)")
        ->check([](const std::string& folder) {
            return folder.empty() ? std::string("the folder name is empty: write . for the current folder")
                                  : std::string();
        });
    addStrict(command, request->strict);
    return {&command, [request](const Console& console) { return runInfo(*request, console); }};
}

Command tableCommand(CLI::App& app) {
    // Not CLI::PositiveNumber: its message spells out the largest double.
    const CLI::Range positive(1u, std::numeric_limits<std::uint32_t>::max());
    auto& command = *app.add_subcommand("table", "Group and sum the rows of a table over an interval");
    const auto request = std::make_shared<TableRequest>();
    addTraces(command, request->traces)->required(false); // lists do not need a trace
    command.add_option(
        "--table", request->table,
        "virtualalloc, heap, frees, snapshot, managed or gcheap (required unless a preset specifies it)");
    command.add_option(
        "--by", request->by,
        "Columns to group by: \"COL,COL\"; a stack expands frame by frame (required unless a preset specifies it)");
    command.add_option("--preset", request->preset,
                       "Take --table, --by, --columns and --sort from a preset of the window unless they are given. "
                       "Each preset belongs to one table; see --list-presets (default: none)");
    auto* columns = command.add_flag("--list-columns", request->listsColumns,
                                     "List the columns of --table or of every table, their meaning, and how they can "
                                     "be used; does not need a trace");
    command.add_flag("--list-presets", request->listsPresets, "List the presets; does not need a trace")
        ->excludes(columns);
    command.add_option("--columns", request->columns,
                       "Columns to show: \"COL,COL\", also \"Max(COL)\" and the like (default: Count, Impacting Size, "
                       "Size; for frees and snapshots Count, Size)");
    addRange(command, request->range);
    addFilters(command, request->filter);
    addInstants(command, request->snapshots);
    command.add_option(
        "--sort", request->sort,
        "Sort order: \"COL[:asc|:desc],...\" (default: Size:desc; for snapshots Instance:asc,Size:desc)");
    auto* depth =
        command.add_option("--depth", request->depth, "Levels to expand; each frame is one level (default: all)")
            ->check(positive);
    auto* top = command
                    .add_option("--top", request->top,
                                "Rows to show per level; the rest are combined into one row (default: all)")
                    ->check(positive);
    command.add_flag("--leaves", request->leaves, "Show only leaves: rows that have no rows below them")
        ->excludes(depth)
        ->excludes(top);
    addSymbols(command, request->symbols);
    addProcessExit(command, request->processExitFreesHeap);
    command.add_option(
        "--allocator-frames", request->allocatorFramesFile,
        "File with module!function patterns to leave out of bottom-up stacks (default: a built-in list)");
    addStrict(command, request->strict);
    std::vector<std::string> formats;
    for (const auto& format : exports::tableFormats())
        formats.emplace_back(format.word);
    command.add_option("--format", request->format, fmt::format("{} (default: text)", fmt::join(formats, ", ")))
        ->check(CLI::IsMember(formats));
    command
        .add_option(
            "--units", request->units,
            "Format of numbers in text: exact (1536000), thousands (1,536,000) or auto (1.5 MB) (default: thousands)")
        ->check(CLI::IsMember(std::vector<std::string>(exports::kUnitWords.begin(), exports::kUnitWords.end())));
    addWallClock(command, request->wallClock);
    return {&command, [request](const Console& console) { return runTable(*request, console); }};
}

Command timelineCommand(CLI::App& app) {
    auto& command =
        *app.add_subcommand("timeline", "Show the outstanding amount over time as the peak of each slice; for frees "
                                        "the released amount, for snapshots the largest snapshot of each slice");
    const auto request = std::make_shared<TimelineRequest>();
    addTraces(command, request->traces);
    command
        .add_option("--table", request->table,
                    "virtualalloc, heap, frees, snapshot, managed, gcheap or resident (required)")
        ->required();
    command.add_option("--by", request->by,
                       "One column: a series per group; for resident Layer or Process (default: one series, Total; for "
                       "resident Layer)");
    command
        .add_option("--measure", request->measure,
                    "Measure per slice: bytes or rows (peak outstanding; for frees: released), or new (bytes allocated "
                    "in the slice, split into those freed by the end of the range and those kept) (default: bytes)")
        ->check(CLI::IsMember({"bytes", "rows", "new"}));
    command.add_option("--points", request->points, "Number of equal slices (default: 1000)")
        ->check(CLI::Range(1u, 10'000'000u));
    addRange(command, request->range);
    addFilters(command, request->filter);
    addInstants(command, request->snapshots);
    addSymbols(command, request->symbols);
    addProcessExit(command, request->processExitFreesHeap);
    addStrict(command, request->strict);
    command.add_option("--format", request->format, "csv or json (default: csv)")
        ->check(CLI::IsMember({"csv", "json"}));
    addWallClock(command, request->wallClock);
    return {&command, [request](const Console& console) { return runTimeline(*request, console); }};
}

/// `program`: arguments after "--".
Command recordCommand(CLI::App& app, std::vector<std::string> program) {
    auto& command = *app.add_subcommand("record", "Record a program: record -o OUT.etl -- PROGRAM ARGUMENTS");
    const auto request = std::make_shared<RecordRequest>();
    request->program = std::move(program);
    command.add_flag("--heap", request->heap,
                     "Record only heap allocations, or both kinds with --virtualalloc (default: both)");
    command.add_flag("--virtualalloc", request->virtualAlloc,
                     "Record only VirtualAlloc allocations, or both kinds with --heap (default: both)");
    command.add_flag("--stacks-on-free", request->stacksOnFree, "Also record the stacks of frees");
    command.add_flag("--children", request->children, "Also record the processes that the program starts");
    command.add_flag(
        "--no-managed-names", request->withoutManagedNames,
        "Do not ask runtimes (Node.js, Java, .NET, Mono, Python) for the names of functions that they compile");
    command.add_flag("--plain", request->plain, "Do not compress the file (default: compressed)");
    command.add_option("--duration", request->duration, "Seconds to record (default: until the program ends)");
    command.add_option("--stop-above", request->stopAbove,
                       "Stop when the program has more than this many MB of private bytes (default: never)");
    command.add_option("--stop-growth", request->stopGrowth,
                       "Stop when its private bytes have grown by this many MB (default: never)");
    refuseEmpty(
        command.add_option("--keep-last", request->keepLast,
                           "Keep only the newest part, such as 5min or 500MB, and older allocations that are still "
                           "outstanding (default: keep all)"),
        "a time or an amount, such as 5min or 500MB");
    command.add_option(
        "--snapshot-every", request->snapshotEvery,
        "Take a heap snapshot every S seconds (at least 5); on Linux, SIGUSR1 also takes one (default: none)");
    refuseEmpty(
        command.add_option("--snapshot-on-growth", request->snapshotOnGrowth,
                           "Take a heap snapshot when outstanding heap memory has grown by this amount since the last "
                           "snapshot, such as 10MB or 512KB (default: none)"),
        kAmount);
    command.add_option("--picture-every", request->pictureEvery,
                       "Take a picture of memory every S seconds (at least 5): which variables and stacks hold the "
                       "blocks, and which blocks are unreachable (default: none)");
    refuseEmpty(
        command.add_option("--picture-on-growth", request->pictureOnGrowth,
                           "Take a picture of memory when the resident memory of a recorded process has grown by this "
                           "amount since the last time, such as 100MB (default: none)"),
        kAmount);
    command.add_flag("--picture-at-stop", request->pictureAtStop,
                     "Take a picture of memory when the recording is stopped before the program ends");
    command.add_flag("--picture-at-exit", request->pictureAtExit,
                     "Take a picture of memory when the program ends by exit() or by returning from main");
    command.add_flag("--ignore-exit-code", request->ignoreExitCode,
                     "Exit with 0 regardless of the program's own exit code");
    refuseEmpty(command.add_option("--pid", request->pids, "Record a running process instead of starting a program"),
                "the number of a process");
    command.add_option("--snapshots-by-wpr", request->snapshotsByWpr,
                       "Windows: use wpr.exe to take heap snapshots for up to 8 processes (--pid) at the start, at the "
                       "end, and every S seconds (at least 5; 0: only at the start and the end) (default: off)");
    command.add_option("-o,--output", request->output, "Trace file to write")->required();
    return {&command, [request](const Console& console) { return runRecord(*request, console); }};
}

Command pictureCommand(CLI::App& app) {
    auto& command = *app.add_subcommand(
        "picture", "Take a picture of the memory of a running process: which variables and stacks hold it");
    const auto request = std::make_shared<PictureRequest>();
    refuseEmpty(command.add_option("PID", request->pid, "Process to take the picture of"), "the number of a process")
        ->required();
    refuseEmpty(
        command.add_option("-o,--output", request->output,
                           "Trace file to write (default: a new file in the current folder, such as picture-PID.etl)"),
        "a file name");
    refuseEmpty(
        command.add_option("--on-growth", request->onGrowth,
                           "Wait until the resident memory of the process has grown by this amount, such as 100MB "
                           "(default: take the picture at once)"),
        kAmount);
    command.add_option("--top", request->top, "Number of holders to list, most memory first (default: 5)")
        ->check(CLI::Range(1u, std::numeric_limits<std::uint32_t>::max()));
    command.add_flag("--json", request->json, "Write JSON instead of text");
    addSymbols(command, request->symbols);
    return {&command, [request](const Console& console) { return runPicture(*request, console); }};
}

/// Options that every command has.
void addLog(CLI::App& app, LogRequest& request) {
    for (auto* command : app.get_subcommands({})) {
        command->add_flag("-v,--verbose", request.verbose, "Show the log on stderr");
        command
            ->add_option("--log-level", request.level,
                         "debug, info, warning, error or off (default: HIGHWATER_LOG, or info)")
            ->check([](const std::string& word) {
                return parseLogLevel(word) ? std::string() : fmt::format("{} is not {}", word, kLogLevelForm);
            });
    }
}

/// Returns an error message, or "" if the amount is valid and not zero.
std::string budgetError(const std::string& text) {
    const auto bytes = parseBytes("--memory-budget", text);
    if (!bytes.hasValue()) return bytes.error().message;
    return bytes.value() > 0 ? std::string() : std::string("Write an amount, such as 4GB.");
}

void addReading(CLI::App& app, ReadRequest& request) {
    for (auto* command : app.get_subcommands({})) {
        if (command->get_option_no_throw("TRACE") == nullptr) continue;
        command
            ->add_option("--memory-budget", request.memoryBudget,
                         "Memory limit for trace rows, such as 4GB; further rows go to a temporary file (default: half "
                         "of the machine's memory)")
            ->check(budgetError);
        command->add_flag("--no-index", request.noIndex, "Ignore cached indexes and read the trace files again");
    }
}

void addCsv(CLI::App& app, CsvRequest& request) {
    for (auto* command : app.get_subcommands({})) {
        const auto* format = command->get_option_no_throw("--format");
        if (format == nullptr || format->get_description().find("csv") == std::string::npos) continue;
        command->add_flag("--quote-formulas", request.quotesFormulas,
                          "In CSV, prefix names that a spreadsheet would evaluate, such as =1+1, with ' (default: "
                          "unchanged, for scripts)");
    }
}

/// Whether this command writes CSV.
bool writesCsv(const CLI::App& command) {
    const auto* format = command.get_option_no_throw("--format");
    if (format == nullptr) return false;
    return format->count() > 0 ? format->as<std::string>() == "csv" : command.get_name() == "timeline";
}

void apply(const ReadRequest& request) {
    useIndexes(!request.noIndex);
    if (!request.memoryBudget.empty())
        setColumnMemoryBudget(parseBytes("--memory-budget", request.memoryBudget).value());
}

LogSettings logSettingsOf(const LogRequest& request) {
    auto settings = logSettings(symbols::systemEnvironment(), parseLogLevel(request.level));
    // --verbose shows the log even if logging to a file is off.
    if (request.verbose && settings.level == LogLevel::Off) settings.level = LogLevel::Information;
    return settings;
}

/// Messages are on stderr already.
void showLogLine(const LogLine& line, const Console& console) {
    if (line.area != LogArea::Message)
        console.say(fmt::format("[{}] {}: {}", wordOf(line.level), wordOf(line.area), line.sentence));
}

/// The log of one command during its lifetime: to the user's file, and with --verbose to stderr with the program's name
/// on each line, as in messages. One thread creates and destroys it; other threads may log in between.
class ProgramLog {
  public:
    /// `command`: its name. Arguments are not logged, but opened files are.
    ProgramLog(const LogRequest& request, std::string_view command, const Console& console)
        : session_(logSettingsOf(request)) {
        if (request.verbose) shown_.emplace([console](const LogLine& line) { showLogLine(line, console); });
        log(LogLevel::Information, LogArea::Program, fmt::format("highwater-cli " HIGHWATER_VERSION ", {}", command));
    }

  private:
    LogSession session_;
    std::optional<LogListening> shown_; ///< destroyed first
};

Command cleanupCommand(CLI::App& app) {
    auto* command = app.add_subcommand("cleanup", "Clean up after interrupted recordings");
    return {command, [](const Console& console) { return runCleanup(console); }};
}

/// Used by the build to create the manual and bash completion. Has no group, so that --help does not list it.
Command manualCommand(CLI::App& app) {
    auto& command = *app.add_subcommand("manual", "Print files to install with the program")->group("");
    const auto what = std::make_shared<std::string>();
    command.add_option("WHAT", *what, "page or completion")->required()->check(CLI::IsMember({"page", "completion"}));
    return {&command, [what, &app](const Console& console) {
                console.answers << (*what == "page" ? manualPage(app, HIGHWATER_VERSION) : bashCompletion(app));
                return ExitCode::Done;
            }};
}

/// Value names for --help and the manual.
void nameValues(CLI::App& app) {
    constexpr auto kValues = std::to_array<std::pair<const char*, const char*>>({
        {"--table", "T"},
        {"--by", "COL,COL"},
        {"--columns", "COL,COL"},
        {"--sort", "COL,COL"},
        {"--range", "START:END"},
        {"--filter", "QUERY"},
        {"--annotate", "LABEL=QUERY"},
        {"--lifetime", "FROM:TO"},
        {"--mark", "SECONDS[=NAME]"},
        {"--size", "FROM:TO"},
        {"--preset", "NAME"},
        {"--depth", "N"},
        {"--top", "N"},
        {"--points", "N"},
        {"--measure", "MEASURE"},
        {"--of", "WHAT"},
        {"--function", "FUNCTION"},
        {"--exact", "N"},
        {"--units", "UNITS"},
        {"--format", "FORMAT"},
        {"--symbols", "PATH"},
        {"--allocator-frames", "FILE"},
        {"--stack-tags", "FILE"},
        {"--suppressions", "FILE"},
        {"--output", "FILE"},
        {"--process", "PROCESS"},
        {"--at", "SECONDS"},
        {"--owner", "FUNCTION"},
        {"--wrapper", "FUNCTION"},
        {"--pid", "PID"},
        {"--try-trim", "PID"},
        {"--duration", "S"},
        {"--stop-above", "MB"},
        {"--stop-growth", "MB"},
        {"--keep-last", "AMOUNT"},
        {"--snapshot-every", "S"},
        {"--picture-every", "S"},
        {"--picture-on-growth", "BYTES"},
        {"--on-growth", "BYTES"},
        {"--picture", "N"},
        {"--snapshot", "SECONDS"},
        {"--snapshots", "BEFORE:AFTER"},
        {"--snapshot-on-growth", "BYTES"},
        {"--save-snapshots", "FOLDER"},
        {"--snapshots-by-wpr", "S"},
        {"--log-level", "LEVEL"},
        {"--memory-budget", "SIZE"},
        {"--with", "TRACE..."},
        {"--with-range", "START:END"},
        {"--renames", "FILE"},
        {"--rename", "OLD=NEW"},
        {"--timeline", "N"},
        {"--smallest", "BYTES"},
        {"--fail-above", "BYTES"},
        {"--label", "NAME=VALUE"},
        {"--windows", "WINDOWS"},
        {"--jobs", "N"},
        {"--cluster", "NAME"},
        {"--from", "BUILD"},
        {"--to", "BUILD"},
        {"--build", "BUILD"},
        {"--scenario", "NAME"},
        {"--machine", "NAME"},
        {"--window", "NAME"},
        {"--stack", "KEY"},
        {"--least", "BYTES"},
        {"--budget", "FILE"},
        {"--unreachable", "BYTES"},
        {"--junit", "FILE"},
        {"--sarif", "FILE"},
        {"--html", "FILE"},
    });
    for (auto* command : app.get_subcommands({})) {
        for (const auto& [option, value] : kValues) {
            if (auto* found = command->get_option_no_throw(option)) found->type_name(value);
        }
    }
    app.get_subcommand("balance")->get_option("--by")->type_name("PARTS");
    app.get_subcommand("timeline")->get_option("--by")->type_name("COL");
    app.get_subcommand("diff")->get_option("--sort")->type_name("COL");
}

/// Arguments after "--" belong to the recorded program. CLI11 would search them for options.
std::vector<std::string> takeProgram(std::vector<std::string>& arguments) {
    const auto mark = std::find(arguments.begin(), arguments.end(), "--");
    if (mark == arguments.end()) return {};
    std::vector<std::string> program(mark + 1, arguments.end());
    arguments.erase(mark, arguments.end());
    return program;
}

/// For an unknown command, CLI11 only reports that a command is required.
std::optional<std::string> unknownCommand(const CLI::App& app, const std::vector<std::string>& arguments) {
    if (arguments.empty() || arguments.front().starts_with("-")) return std::nullopt;
    std::vector<std::string> names;
    for (const auto* command : app.get_subcommands({})) {
        if (command->get_name() == arguments.front()) return std::nullopt;
        if (!command->get_group().empty()) names.push_back(command->get_name());
    }
    return fmt::format("Unknown command \"{}\".{} Commands: {}.", arguments.front(),
                       didYouMean(names, arguments.front()), fmt::join(names, ", "));
}

using OptionCheck = std::optional<std::string> (*)(const CLI::App&, const std::vector<std::string>&);

/// Checks the options of the given command, or of the program if there is none.
std::optional<std::string> wrongOptionIn(const CLI::App& app, const std::vector<std::string>& arguments,
                                         OptionCheck check) {
    if (arguments.empty() || arguments.front().starts_with("-")) return check(app, arguments);
    return check(*app.get_subcommand(arguments.front()), {arguments.begin() + 1, arguments.end()});
}

/// "help table" is "table --help".
void helpFirst(std::vector<std::string>& arguments) {
    if (arguments.empty() || arguments.front() != "help" || arguments.size() > 2) return;
    arguments.erase(arguments.begin());
    if (!arguments.empty() && arguments.front() == "help") arguments.clear();
    arguments.emplace_back("--help");
}

void sayEachLine(std::string_view text, const Console& console) {
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        if (end > 0) console.say(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// CLI11's messages end without a full stop, before its hint about --help.
std::string sentenceOf(std::string message) {
    const auto end = std::min(message.find('\n'), message.size());
    if (end > 0 && std::string_view(".?!").find(message[end - 1]) == std::string_view::npos)
        message.insert(end, 1, '.');
    return message;
}

/// Returns nothing if a command with valid options was given.
std::optional<ExitCode> takeArguments(CLI::App& app, const std::vector<std::string>& arguments,
                                      const Console& console) {
    if (const auto message = unknownCommand(app, arguments)) {
        console.say(*message);
        return ExitCode::WrongUsage;
    }
    std::string wrong;
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend())); // in the order that CLI11 expects
    } catch (const CLI::ParseError& error) {                                       // CLI11 reports errors as exceptions
        std::ostringstream text;                                                   // --help and --version succeed
        if (app.exit(error, console.answers, text) == 0) return ExitCode::Done;
        wrong = sentenceOf(std::move(text).str());
    }
    auto option = wrong.empty() ? std::nullopt : wrongOptionIn(app, arguments, unknownOption);
    // Without an error, too: CLI11 takes the next option as the missing value.
    if (!option) option = wrongOptionIn(app, arguments, optionWithoutValue);
    if (option) wrong = *option + "\nRun with --help for more information.";
    if (wrong.empty()) return std::nullopt;
    sayEachLine(trimmed(wrong), console);
    return ExitCode::WrongUsage;
}

ExitCode run(std::vector<std::string> arguments, const Console& console, const std::vector<MakeCommand>& tools) {
    helpFirst(arguments);
    std::vector<std::string> program;
    if (!arguments.empty() && arguments.front() == "record") program = takeProgram(arguments);
    CLI::App app("Shows where a process's memory goes: records programs and reads Windows .etl traces.",
                 "highwater-cli");
    app.require_subcommand(1);
    app.set_version_flag("--version", "highwater-cli " HIGHWATER_VERSION);
    app.allow_windows_style_options(
        false); // "/tmp/a.etl" is a file, not an option, on every system; inherited by all commands
    std::vector<Command> commands{infoCommand(app), tableCommand(app), timelineCommand(app)};
    for (const auto makeCommand : tools)
        commands.push_back(makeCommand(app));
    commands.push_back(recordCommand(app, std::move(program)));
    commands.push_back(pictureCommand(app));
    commands.push_back(cleanupCommand(app));
    commands.push_back(manualCommand(app));
    LogRequest logging;
    addLog(app, logging);
    ReadRequest reading;
    addReading(app, reading);
    CsvRequest csv;
    addCsv(app, csv);
    nameValues(app);
    if (const auto ended = takeArguments(app, arguments, console)) return *ended;
    const auto& chosen = *app.get_subcommands().front();
    if (csv.quotesFormulas && !writesCsv(chosen)) {
        console.say("--quote-formulas applies only to CSV output. Add --format csv.");
        return ExitCode::WrongUsage;
    }
    std::optional<exports::FormulaQuotingStream> quoting;
    if (csv.quotesFormulas) quoting.emplace(console.answers);
    auto& answers = quoting ? static_cast<std::ostream&>(*quoting) : console.answers;
    const ProgramLog programLog(logging, chosen.get_name(), console);
    apply(reading);
    const auto done = withinMemory([&]() -> Result<ExitCode> {
        const auto asked = std::find_if(commands.begin(), commands.end(),
                                        [](const Command& command) { return command.options->parsed(); });
        // require_subcommand guarantees one
        return asked->run({answers, console.messages, logging.verbose, console.bytes});
    });
    return done.hasValue() ? done.value() : fail(done.error(), console);
}

} // namespace

std::vector<MakeCommand> toolCommands() {
#define HIGHWATER_LISTED(folder, name) name##Command,
#define HIGHWATER_LEFT_OUT(folder, name)
    return {HIGHWATER_TOOLS(HIGHWATER_LISTED, HIGHWATER_LEFT_OUT)};
#undef HIGHWATER_LEFT_OUT
#undef HIGHWATER_LISTED
}

ExitCode runCommandLine(std::vector<std::string> arguments, const Console& console,
                        const std::vector<MakeCommand>& tools) {
    PrintableStream answers(console.answers);
    return run(std::move(arguments), {answers, console.messages, console.showsAll, &console.answers}, tools);
}

} // namespace highwater::cli
