#include "app/cli/options/command_options.h"
#include "app/cli/traces/command.h"
#include "app/tools/tools.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/arguments/snapshot_arguments.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "app/tools/difference/command/diff_question.h"
#include "app/tools/difference/command/rename_messages.h"
#include "core/analysis/difference/difference.h"
#include "core/analysis/difference/difference_sentences.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/base/text.h"
#include "core/export/difference/difference_writer.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>

namespace highwater::cli {
namespace {

using analysis::Change, analysis::Difference, analysis::DifferenceQuery, analysis::Measure, analysis::Table;

/// Loads each trace of a request once, with function names.
struct ComparedFiles {
    std::map<std::string, LoadedTrace> traces;
    std::map<std::string, std::shared_ptr<analysis::FrameLabels>> labels;
};

/// The files of the later side.
const std::vector<std::string>& filesAfter(const DiffRequest& request) {
    return request.with.empty() ? request.traces : request.with;
}

Result<void> addSide(const std::vector<std::string>& files, const ComparedFiles& read, const std::string& range,
                     const DiffRequest& request, Table table, std::vector<analysis::ComparedTrace>& side) {
    for (const auto& file : files) {
        const auto& [rows, facts, notes, heapBlocks] = read.traces.at(file);
        const auto interval = parseInterval(range, rows->wholeRange());
        if (!interval.hasValue())
            return Error{interval.error().kind, fmt::format("{}: {}", file, interval.error().message)};
        auto filter = parseLabelledFilters(table, request.filter, rows->wholeRange(), notes.get());
        if (!filter.hasValue()) return Error{filter.error().kind, fmt::format("{}: {}", file, filter.error().message)};
        side.push_back({rows, read.labels.at(file), interval.value(), std::move(filter).value()});
    }
    return {};
}

/// Waits until all traces are loaded, and prints the found symbols.
Result<ComparedFiles> readFiles(const DiffRequest& request, const Console& console) {
    ComparedFiles files;
    for (const auto* side : {&request.traces, &request.with}) {
        for (const auto& file : *side) {
            if (files.traces.contains(file)) continue;
            auto trace = TRY(loadTrace({file}));
            auto labels =
                TRY(makeLabels(request.symbols, loadSymbols(request.symbols, {file}, trace.rows, console), console));
            files.labels[file] = std::move(labels);
            files.traces.emplace(file, std::move(trace));
        }
    }
    return files;
}

/// Compares two snapshots of one trace.
Result<void> addSnapshots(const DiffRequest& request, const ComparedFiles& files, DifferenceQuery& query) {
    const auto& rows = files.traces.at(request.traces.front()).rows;
    const auto instants = TRY(parseInstants(request.snapshots, rows->wholeRange()));
    const auto [before, after] = parseSnapshotPair(request.snapshotPair).value();
    const analysis::InstanceChoice all{instants};
    const auto there = analysis::instancesIn(*rows, all, rows->wholeRange());
    for (const auto number : {before, after})
        TRY(checkInstance(number, there));
    for (auto* side : {&query.before, &query.after}) {
        const bool isBefore = side == &query.before;
        TRY(addSide(request.traces, files, {}, request, query.table, *side));
        side->front().instances = {instants, isBefore ? before : after};
    }
    return {};
}

/// Adds the traces and the table to the query.
Result<void> addTraces(const DiffRequest& request, const ComparedFiles& files, DifferenceQuery& query) {
    if (!request.snapshotPair.empty()) return addSnapshots(request, files, query);
    const bool hasHeap = std::any_of(files.traces.begin(), files.traces.end(),
                                     [](const auto& file) { return file.second.rows->heap.rows > 0; });
    if (request.table.empty() && !hasHeap) {
        query.table = Table::VirtualAlloc;
        query.keys = TRY(diffKeys(request, query.table)); // column names differ between tables
    }
    const auto& withRange = request.withRange.empty() ? request.range : request.withRange;
    TRY(addSide(request.traces, files, request.range, request, query.table, query.before));
    return addSide(filesAfter(request), files, withRange, request, query.table, query.after);
}

std::vector<exports::ComparedFile> filesOf(const std::vector<std::string>& names, const ComparedFiles& files,
                                           analysis::Table table) {
    std::vector<exports::ComparedFile> described;
    for (const auto& name : names)
        described.push_back({name, analysis::healthOf(*files.traces.at(name).rows, table)});
    return described;
}

/// Prints the data loss of each trace and the notes of the difference. Returns whether totals are bounds.
bool printDataLoss(const exports::DifferencePage& page, const Console& console) {
    bool areBounds = false;
    std::vector<std::string_view> told;
    for (const auto* side : {&page.before, &page.after}) {
        for (const auto& [name, health] : *side) {
            if (std::find(told.begin(), told.end(), name) != told.end()) continue;
            told.push_back(name);
            areBounds = areBounds || health.totalsAreBounds();
            if (health.totalsAreBounds())
                console.say(name + ": This trace is incomplete, so its totals are bounds. " + health.boundsText());
            for (const auto& entry : health.entries())
                console.say(name + ": " + entry.text());
        }
    }
    for (const auto& note : analysis::notesOf(page.difference))
        console.say(note.id == "unnamed_frames_merged" || note.id == "frames_outside_merged"
                        ? fmt::format("{} {}. {}", thousands(note.count), note.name, note.sentence)
                        : note.sentence);
    return areBounds;
}

std::string numberText(std::int64_t number) { return (number < 0 ? "-" : "") + thousands(magnitude(number)); }

bool hasGrown(analysis::DifferenceState state, const Change& change, ByteCount most) {
    return analysis::isChange(state) && change.delta() > 0 && magnitude(change.delta()) > most;
}

/// Prints the owners that grew by more than the limit. Returns false if none did.
bool printOwnersThatGrew(Difference& difference, ByteCount most, const Console& console) {
    const auto measure = difference.query().decides;
    if (measure == Measure::PeakSize) (void)difference.computePeaks(std::array{Difference::kRoot});
    const auto say = [&](const std::string& who, const Change& change) {
        console.say(fmt::format("{} grew by {} bytes, more than {}: {} was {} before and is {} after.", who,
                                thousands(magnitude(change.delta())), thousands(most), analysis::measureName(measure),
                                numberText(change.before), numberText(change.after)));
    };
    bool anyone = false;
    const auto total = difference.change(Difference::kRoot, measure);
    if (hasGrown(difference.state(Difference::kRoot), total, most)) {
        say("The total", total);
        anyone = true;
    }
    for (const auto& owner : difference.owners()) {
        if (!hasGrown(owner.state, owner.change, most)) continue;
        say(fmt::format("{} of {}", owner.owner, owner.process), owner.change);
        anyone = true;
    }
    return anyone;
}

/// On exit, a program returns all its memory to the system.
void printIfNothingOutstanding(const Difference& difference, const Console& console) {
    if (difference.query().decides != Measure::Outstanding) return;
    const auto total = difference.change(Difference::kRoot, Measure::Outstanding);
    const auto count = difference.change(Difference::kRoot, Measure::Count);
    if (count.before == 0 && count.after == 0) return console.say("No rows of this table match on either side.");
    if (total.before == 0 && total.after == 0)
        console.say("No memory is outstanding at the end of either side. Choose intervals that end before the program "
                    "exits (--range), or compare by --sort \"Peak Size\" or Allocated.");
}

Result<ExitCode> runDiff(const DiffRequest& request, const Console& console) {
    auto query = TRY(diffQuestion(request));
    const auto files = TRY(readFiles(request, console));
    TRY(addTraces(request, files, query));
    query.isByOwner = query.isByOwner || request.format == "json" || request.format == "ndjson";
    const auto difference = TRY(Difference::compute(query));

    const auto table = query.table;
    const exports::DifferencePage page{*difference, filesOf(request.traces, files, table),
                                       filesOf(filesAfter(request), files, table)};
    const auto format = exports::parseTableFormat(request.format).value_or(exports::TableFormat::Text);
    if (request.timeline > 0) {
        const auto timeline = TRY(page.difference.timeline(std::array{Difference::kRoot}, request.timeline));
        exports::writeDifferenceTimeline(format, page, timeline, console.answers);
    } else {
        exports::writeDifference(format, page, {request.depth, request.top}, console.answers);
    }
    printIfNothingOutstanding(page.difference, console);
    printRenames(page.difference, console);
    if (printDataLoss(page, console) && request.strict) return ExitCode::DataMissing;
    if (request.failAbove.empty()) return ExitCode::Done;
    const auto most = parseBytes("--fail-above", request.failAbove).value();
    return printOwnersThatGrew(page.difference, most, console) ? ExitCode::HasGrown : ExitCode::Done;
}

} // namespace

Command diffCommand(CLI::App& app) {
    const CLI::Range positive(1u, std::numeric_limits<std::uint32_t>::max());
    auto& command = *app.add_subcommand(
        "diff", "Compare memory use: one trace or several runs against others, or two intervals of one trace");
    const auto request = std::make_shared<DiffRequest>();
    command.add_option("TRACE", request->traces, "Trace files (.etl) of the earlier side, each a separate recording")
        ->required();
    auto* with = command.add_option(
        "--with", request->with,
        "Trace files of the later side, each a separate recording (default: the same files, with --with-range)");
    auto* table =
        command.add_option("--table", request->table,
                           "virtualalloc or heap (default: heap, or virtualalloc if no trace has heap allocations)");
    auto* range = command.add_option("--range", request->range,
                                     "START:END in seconds; either may be empty (default: the whole trace)");
    auto* withRange = command.add_option("--with-range", request->withRange,
                                         "START:END in seconds for the later side (default: as --range)");
    command
        .add_option(
            "--snapshots", request->snapshotPair,
            "BEFORE:AFTER, such as 8:9: compare two heap snapshots of the trace by number (default: compare intervals)")
        ->excludes(with)
        ->excludes(table)
        ->excludes(range)
        ->excludes(withRange);
    addInstants(command, request->snapshots);
    command.add_option("--filter", request->filter.query, kFilterHelp);
    addLabels(command, request->filter);
    auto* by = command.add_option(
        "--by", request->by,
        "Columns to group by: \"COL,COL\"; only columns with the same meaning in every trace (default: Process,Stack)");
    command.add_flag("--bottom-up", request->bottomUp, "Show stacks from the leaf, without allocator frames")
        ->excludes(by);
    command.add_option("--sort", request->sort,
                       "COL[:asc|:desc]: measure and order of growth: Outstanding, Count, Size, Impacting Size, Peak "
                       "Size or Allocated (default: Outstanding:desc)");
    command.add_option("--depth", request->depth, "Levels to expand; each frame is one level (default: all)")
        ->check(positive);
    command
        .add_option("--top", request->top, "Rows to show per level; the rest are combined into one row (default: all)")
        ->check(positive);
    command.add_option("--smallest", request->smallest,
                       "Ignore changes smaller than this, such as 4096 or 1MB (default: show all)");
    addRenames(command, request->renames);
    command
        .add_option("--timeline", request->timeline,
                    "Show the outstanding bytes of both sides in N slices since the start of their intervals instead "
                    "of the tree")
        ->check(CLI::Range(1u, 10'000'000u))
        ->excludes(by);
    command.add_option("--fail-above", request->failAbove,
                       "Exit with 4 and list the growth if the total or the memory of a function grew by more than "
                       "this, such as 4096 or 1MB (default: never)");
    addSymbols(command, request->symbols);
    addStrict(command, request->strict);
    command.add_option("--format", request->format, "text, csv, json, ndjson (default: text)")
        ->check(CLI::IsMember({"text", "csv", "json", "ndjson"}));
    return {&command, [request](const Console& console) { return runDiff(*request, console); }};
}

} // namespace highwater::cli
