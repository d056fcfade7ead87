#include "app/cli/analysis_commands.h"
#include "app/cli/diff_command.h"
#include "app/cli/flames_command.h"
#include "app/cli/options/command_options.h"

#include <cstdint>
#include <limits>
#include <memory>

/// Those that can compare two sides, which is what most of their options are for.
namespace highwater::cli {

Command flamesCommand(CLI::App& app) {
    auto& command = *app.add_subcommand("flames", "A table as a flame graph: a drawing, or lines for other tools");
    const auto request = std::make_shared<FlamesRequest>();
    addTraces(command, request->traces);
    command.add_option(
        "--table", request->table,
        "virtualalloc, heap, frees, snapshot or managed (default: heap, or virtualalloc where the trace has no heap "
        "allocations)");
    command.add_option(
        "--by", request->by,
        "\"COL,COL\": what frames are groups of; a stack follows, unless one is named (default: Process)");
    addRange(command, request->range);
    auto* before = command.add_option(
        "--before", request->before,
        "START:END in seconds: the interval to compare with; what grew is red, what shrank blue (default: "
        "none)");
    auto* with = command.add_option("--with", request->with,
                                    "Trace files (.etl) of another recording, which came after: what grew is red, what "
                                    "shrank blue, by names, as diff compares (default: none)");
    with->excludes(before);
    command.add_option("--with-range", request->withRange, "As --range, of that one (default: as --range)")
        ->needs(with);
    addRenames(command, request->renames);
    addFilters(command, request->filter);
    command.add_option(
        "--measure", request->measure,
        "What frames are as wide as: Impacting Size, Size, Count, Peak Size, Allocated or Freed; of frees "
        "Size or Count; with --with also Outstanding, but not Freed (default: Impacting Size, of frees Size, with "
        "--with Outstanding)");
    command.add_flag("--bottom-up", request->bottomUp,
                     "From the function that allocated to its callers, hanging from the top");
    addSymbols(command, request->symbols);
    addProcessExit(command, request->processExitFreesHeap);
    addStrict(command, request->strict);
    command
        .add_option("--format", request->format,
                    "folded (lines \"outer;inner BYTES\"), svg, or speedscope (JSON) (default: folded)")
        ->check(CLI::IsMember({"folded", "svg", "speedscope"}));
    return {&command, [request](const Console& console) { return runFlames(*request, console); }};
}

Command diffCommand(CLI::App& app) {
    const CLI::Range positive(1u, std::numeric_limits<std::uint32_t>::max());
    auto& command = *app.add_subcommand("diff", "What grew, what shrank, what is new and what is gone: one trace, or "
                                                "several of the same, against others, or two intervals of one trace");
    const auto request = std::make_shared<DiffRequest>();
    command.add_option("TRACE", request->traces, "Trace files (.etl) of what was before, each a recording of its own")
        ->required();
    auto* with =
        command.add_option("--with", request->with,
                           "Trace files of what came after, each a recording of its own (default: the same files, with "
                           "--with-range)");
    auto* table =
        command.add_option("--table", request->table,
                           "virtualalloc or heap (default: heap, or virtualalloc where no trace has heap allocations)");
    auto* range = command.add_option("--range", request->range,
                                     "START:END in seconds; either may be empty (default: the whole trace)");
    auto* withRange =
        command.add_option("--with-range", request->withRange, "The same of what came after (default: as --range)");
    command
        .add_option(
            "--snapshots", request->snapshotPair,
            "BEFORE:AFTER, such as 8:9: two heap snapshots of the trace, by their numbers (default: intervals are "
            "compared)")
        ->excludes(with)
        ->excludes(table)
        ->excludes(range)
        ->excludes(withRange);
    addInstants(command, request->snapshots);
    command.add_option("--filter", request->filter.query, kFilterHelp);
    addLabels(command, request->filter);
    auto* by = command.add_option("--by", request->by,
                                  "Columns to group by: \"COL,COL\"; of those that mean the same in every trace "
                                  "(default: Process,Stack)");
    command.add_flag("--bottom-up", request->bottomUp, "Stacks from the leaf, without allocator frames")->excludes(by);
    command.add_option("--sort", request->sort,
                       "COL[:asc|:desc]: which number decides what grew, and what grew most first or last. "
                       "Outstanding, Count, Size, Impacting Size, Peak Size or Allocated (default: Outstanding:desc)");
    command.add_option("--depth", request->depth, "Levels to open; each frame is one (default: all)")->check(positive);
    command.add_option("--top", request->top, "Rows per level; the others are summed up (default: all)")
        ->check(positive);
    command.add_option("--smallest", request->smallest,
                       "The least change that counts, such as 4096 or 1MB (default: any)");
    addRenames(command, request->renames);
    command
        .add_option("--timeline", request->timeline,
                    "The outstanding bytes of both sides in N slices of the time since their intervals began, instead "
                    "of the tree")
        ->check(CLI::Range(1u, 10'000'000u))
        ->excludes(by);
    command.add_option("--fail-above", request->failAbove,
                       "Exit with 4 if the total, or a function with all it asked for, grew by more than this, such as "
                       "4096 or 1MB; and say which (default: never)");
    addSymbols(command, request->symbols);
    addStrict(command, request->strict);
    command.add_option("--format", request->format, "text, csv, json, ndjson (default: text)")
        ->check(CLI::IsMember({"text", "csv", "json", "ndjson"}));
    return {&command, [request](const Console& console) { return runDiff(*request, console); }};
}

} // namespace highwater::cli
