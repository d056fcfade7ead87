#include "app/cli/options/command_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::cli {

CLI::Option* addTraces(CLI::App& command, std::vector<std::string>& traces) {
    return command.add_option("TRACE", traces, "Trace files (.etl) of one recording")->required();
}

void addStrict(CLI::App& command, bool& strict) {
    command.add_flag("--strict", strict, "Exit with 3 if something is missing that makes totals bounds");
}

void addRange(CLI::App& command, std::string& range) {
    command.add_option("--range", range, "START:END in seconds; either may be empty (default: the whole trace)");
}

void addTableOfAllocations(CLI::App& command, std::string& table) {
    command.add_option("--table", table,
                       "virtualalloc or heap (default: heap, or virtualalloc where the trace has no heap allocations)");
}

void addFilters(CLI::App& command, FilterRequest& request) {
    command.add_option("--filter", request.query, kFilterHelp);
    command.add_option("--lifetime", request.lifeTime,
                       "FROM:TO, such as 10s: or :4.5ms: only rows that lived so long, FROM included, TO not; either "
                       "may be empty. Without TO "
                       "also what has lived so long and lives on (default: all)");
    command.add_option("--size", request.size,
                       "FROM:TO, such as 10MB: or 1KB:64KB: only rows of this size, FROM included, TO not; KB, MB and "
                       "GB are powers of 1024; "
                       "either may be empty (default: all)");
    addLabels(command, request);
}

void addLabels(CLI::App& command, FilterRequest& request) {
    command
        .add_option(
            "--mark", request.marks,
            "SECONDS[=NAME]: a mark at this time beside those of the trace; may be given several times (default: "
            "only those of the trace)")
        ->allow_extra_args(false); // else what stands behind it would be more of them
    command
        .add_option(
            "--annotate", request.annotations,
            "LABEL=QUERY, such as 'Cache=[Stack]:~=\"Cache\"': the column Annotation says LABEL of the rows that "
            "match. May be given several times: the first query that matches decides; an empty one takes all "
            "that is left; rows that match none are (none) (default: no labels)")
        ->allow_extra_args(false);
}

void addRenames(CLI::App& command, RenamesRequest& request) {
    command.add_option("--renames", request.file,
                       "File with what had another name before: module!old = module!new, or old.dll = new.dll, a line "
                       "each; # begins a comment line");
    command
        .add_option("--rename", request.lines,
                    "OLD=NEW, such as app-1.0.exe=app-2.0.exe: one such line, beside those of the file; may be given "
                    "several times (default: none)")
        ->allow_extra_args(false);
}

void addInstants(CLI::App& command, std::vector<std::string>& snapshots) {
    command
        .add_option("--snapshot", snapshots,
                    "SECONDS: a heap snapshot of this instant beside those of the trace, numbered behind them; may be "
                    "given several times (default: only those of the trace)")
        ->allow_extra_args(false);
}

void addProcessExit(CLI::App& command, bool& freesHeap) {
    command.add_flag("--process-exit-frees-heap", freesHeap,
                     "Heap blocks end with their process. Without it what was never freed stays outstanding to the end "
                     "of the trace, so that the leaks of a program that has ended can be seen; VirtualAlloc memory "
                     "always ends with its process");
}

void addWallClock(CLI::App& command, bool& wallClock) {
    command.add_flag("--wall-clock", wallClock, "Times as local time of the recording, with its zone, in text and CSV");
}

void addFormat(CLI::App& command, std::string& format, const std::vector<std::string>& words) {
    command.add_option("--format", format, fmt::format("{} (default: {})", fmt::join(words, ", "), words.front()))
        ->check(CLI::IsMember(words));
}

void addDebugFiles(CLI::App& command, SymbolsRequest& request) {
    auto* path = command.add_option("--symbols", request.path,
                                    "PATH[;PATH...]: folders and servers (srv*CACHE*URL) with debug files. A "
                                    "frame without one is shown as module!+offset (default: _NT_SYMBOL_PATH)");
    command.add_flag("--no-symbols", request.isOff, "Show frames as module and offset")->excludes(path);
    command.add_flag(
        "--trust-image-paths", request.trustsImagePaths,
        "Look for modules at the paths that the trace names, also if it was recorded elsewhere (only on local "
        "drives)");
    command.add_flag("--no-ngenpdb", request.skipsTraceFolders,
                     "Leave out the folder TRACE.etl.NGENPDB beside the trace, which holds PDBs of .NET code that NGEN "
                     "compiled");
    command.add_flag("--full-names", request.hasFullNames, "Functions with parameters and template arguments");
}

void addSymbols(CLI::App& command, SymbolsRequest& request) {
    addDebugFiles(command, request);
    command
        .add_option("--stack-tags", request.stackTags,
                    "File with stack tags (.stacktags), for the columns Stack Tag and Stack (Frame Tags); may be given "
                    "several times: of equal tags the first counts; built-in names those of the program (default: "
                    "built-in)")
        ->allow_extra_args(false);
}

void addSuppressions(CLI::App& command, std::vector<std::string>& files) {
    command
        .add_option("--suppressions", files,
                    "File of leaks that are counted, not listed: leak:PATTERN a line, as LeakSanitizer has it, with "
                    "what is found in a function, a module or a source file of a stack; may be given several times "
                    "(default: none)")
        ->allow_extra_args(false);
}

} // namespace highwater::cli
