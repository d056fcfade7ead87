#include "app/cli/options/command_options.h"

#include "core/base/text.h"
#include "core/export/shell_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::cli {

CLI::Option* addTraces(CLI::App& command, std::vector<std::string>& traces) {
    return command.add_option("TRACE", traces, "Trace files (.etl) of one recording")->required();
}

void addStrict(CLI::App& command, bool& strict) {
    command.add_flag("--strict", strict, "Exit with 3 if totals are bounds because data is missing");
}

void addRange(CLI::App& command, std::string& range) {
    command.add_option("--range", range, "Interval in seconds; START or END may be empty (default: the whole trace)");
}

void addTableOfAllocations(CLI::App& command, std::string& table, const std::string& byDefault) {
    command.add_option("--table", table, "virtualalloc or heap (default: " + byDefault + ")");
}

void addFilters(CLI::App& command, FilterRequest& request) {
    command.add_option("--filter", request.query, kFilterHelp);
    command.add_option(
        "--lifetime", request.lifeTime,
        "Only rows with a lifetime from FROM up to, but not including, TO, such as 10s: or 1ms:4.5ms; either may be "
        "empty. Without TO, also rows that have lived this long and are still alive (default: all)");
    command.add_option("--size", request.size,
                       "Only rows with a size from FROM up to, but not including, TO, such as 10MB: or 1KB:64KB; "
                       "either may be empty; KB, MB and GB are powers of 1024 (default: all)");
    addLabels(command, request);
}

void addLabels(CLI::App& command, FilterRequest& request) {
    command
        .add_option("--mark", request.marks,
                    "Add a mark at this time to those of the trace; may be given several times (default: only those of "
                    "the trace)")
        ->allow_extra_args(false); // otherwise it would consume the following arguments
    command
        .add_option("--annotate", request.annotations,
                    "Show LABEL in the Annotation column for rows that match QUERY, such as "
                    "'Cache=[Stack]:~=\"Cache\"'. May be given several times: the first matching query decides; an "
                    "empty query matches all remaining rows; rows without a match show (none) (default: no labels)")
        ->allow_extra_args(false);
}

void addRenames(CLI::App& command, RenamesRequest& request) {
    command.add_option("--renames", request.file,
                       "File with renamed functions and modules, one line each: module!old = module!new, or old.dll = "
                       "new.dll; # starts a comment line");
    command
        .add_option("--rename", request.lines,
                    "Add one rename to those of the file, such as app-1.0.exe=app-2.0.exe; may be given several times "
                    "(default: none)")
        ->allow_extra_args(false);
}

void addInstants(CLI::App& command, std::vector<std::string>& snapshots) {
    command
        .add_option(
            "--snapshot", snapshots,
            "Add a heap snapshot of this instant, numbered after those of the trace; may be given several times "
            "(default: only those of the trace)")
        ->allow_extra_args(false);
}

void addProcessExit(CLI::App& command, bool& freesHeap) {
    command.add_flag("--process-exit-frees-heap", freesHeap,
                     "Treat heap blocks as freed when their process exits. By default, blocks that were never freed "
                     "stay outstanding to the end of the trace, which makes the leaks of an ended program visible; "
                     "VirtualAlloc memory always ends with its process");
}

void addWallClock(CLI::App& command, bool& wallClock) {
    command.add_flag("--wall-clock", wallClock,
                     "Show times as local time of the recording, with its time zone, in text and CSV");
}

void addFormat(CLI::App& command, std::string& format, const std::vector<std::string>& words) {
    command.add_option("--format", format, fmt::format("{} (default: {})", fmt::join(words, ", "), words.front()))
        ->check(CLI::IsMember(words));
}

void addDebugFiles(CLI::App& command, SymbolsRequest& request) {
    auto* path = command.add_option("--symbols", request.path,
                                    "Folders and servers (srv*CACHE*URL) with debug files, separated by semicolons. A "
                                    "frame without a debug file is shown as module!+offset (default: _NT_SYMBOL_PATH)");
    command.add_flag("--no-symbols", request.isOff, "Show frames as module and offset")->excludes(path);
    command.add_flag(
        "--trust-image-paths", request.trustsImagePaths,
        "Look for modules at the paths in the trace even if it was recorded on another computer (local drives only)");
    command.add_flag(
        "--no-ngenpdb", request.skipsTraceFolders,
        "Ignore the folder TRACE.etl.NGENPDB next to the trace, which contains PDBs of .NET code compiled by NGEN");
    command.add_flag("--full-names", request.hasFullNames, "Show functions with parameters and template arguments");
}

void addSymbols(CLI::App& command, SymbolsRequest& request) {
    addDebugFiles(command, request);
    command
        .add_option(
            "--stack-tags", request.stackTags,
            "File with stack tags (.stacktags) for the Stack Tag and Stack (Frame Tags) columns; may be given several "
            "times: the first of equal tags wins; built-in means the tags of the program (default: built-in)")
        ->allow_extra_args(false);
}

CLI::Option* refuseEmpty(CLI::Option* option, const std::string& what) {
    return option->check([what](const std::string& value) {
        return trimmed(value).empty() ? fmt::format("the value is empty: write {}", what) : std::string();
    });
}

std::vector<std::string> wordsOf(const SymbolsRequest& request) {
    std::vector<std::string> words;
    if (request.isOff) words.emplace_back("--no-symbols");
    if (!request.path.empty()) exports::addOption(words, "--symbols", request.path);
    if (request.trustsImagePaths) words.emplace_back("--trust-image-paths");
    if (request.skipsTraceFolders) words.emplace_back("--no-ngenpdb");
    if (request.hasFullNames) words.emplace_back("--full-names");
    for (const auto& file : request.stackTags)
        exports::addOption(words, "--stack-tags", exports::fileWord(file));
    return words;
}

void addSuppressions(CLI::App& command, std::vector<std::string>& files) {
    command
        .add_option(
            "--suppressions", files,
            "File with leaks to count but not list, in LeakSanitizer's format: one leak:PATTERN per line, matched "
            "against the functions, modules and source files of a stack; may be given several times (default: none)")
        ->allow_extra_args(false);
}

} // namespace highwater::cli
