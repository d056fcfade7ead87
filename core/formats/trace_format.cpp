#include "core/formats/trace_format.h"

#include "core/analysis/flames/flames.h"
#include "core/analysis/table/table_health.h"
#include "core/base/enum_table.h"
#include "core/base/text.h"
#include "core/export/wall_clock.h"
#include "core/files/whole_file.h"
#include "core/formats/facts/export_facts.h"
#include "core/formats/pprof/pprof_writer.h"
#include "core/formats/report/report_writer.h"
#include "core/formats/speedscope/speedscope_writer.h"
#include "core/formats/sqlite/sqlite_writer.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::formats {
namespace {

using analysis::Column, analysis::Table;

constexpr std::array kSpecs{
    TraceFormatSpec{TraceFormat::Pprof, "pprof", "pprof Profile", "Profile for pprof", "pb.gz"},
    TraceFormatSpec{TraceFormat::Speedscope, "speedscope", "speedscope Profile", "Profile for speedscope",
                    "speedscope.json"},
    TraceFormatSpec{TraceFormat::Sqlite, "sqlite", "SQLite Database", "SQLite database", "sqlite"},
    TraceFormatSpec{TraceFormat::Report, "report", "HTML Report", "HTML page", "html"},
};
static_assert(isEnumTable<&TraceFormatSpec::format>(kSpecs));

/// The default of `highwater-cli report`.
constexpr std::uint32_t kRowsOfReport = 20;

ExportSubject subjectOf(const TraceExport& what) {
    return {what.traces, what.query.table, what.query.interval, what.filters};
}

Result<std::size_t> writePprofOf(const TraceExport& what, std::ostream& out, const std::stop_token& stop) {
    const auto& query = what.query;
    PprofFacts facts;
    facts.unixNanos = unixNanosOf(what.properties, query.interval.start);
    facts.comments = linesOf(subjectOf(what), analysis::healthOf(*what.trace, query.table));
    return writePprof(*what.trace, *what.labels,
                      {query.table, query.interval, query.filter, query.processExitFreesHeap}, facts, out, stop);
}

/// Grouped by those keys of the table that frames can be groups of; adds stacks if it has none.
Result<std::size_t> writeSpeedscopeOf(const TraceExport& what, std::ostream& out, const std::stop_token& stop) {
    const auto& query = what.query;
    analysis::FlameQuery flames;
    flames.table = query.table;
    flames.interval = query.interval;
    flames.keys = query.keys;
    std::erase_if(flames.keys, analysis::isOfSingleRows);
    if (std::none_of(flames.keys.begin(), flames.keys.end(), analysis::isStack)) flames.keys.push_back(Column::Stack);
    flames.measure = analysis::flameMeasuresOf(query.table).front();
    flames.filter = query.filter;
    flames.processExitFreesHeap = query.processExitFreesHeap;
    flames.allocatorFrames = query.allocatorFrames;
    flames.mostFrames = 0;
    const auto tree = TRY(analysis::computeFlames(*what.trace, *what.labels, flames, stop));
    writeSpeedscope(tree, flames.measure, titleOf(subjectOf(what)), out);
    return static_cast<std::size_t>(std::count_if(tree.nodes.begin(), tree.nodes.end(), [&](const auto& node) {
        return tree.selfWidth(static_cast<std::uint32_t>(&node - tree.nodes.data())) > 0;
    }));
}

Result<std::size_t> writeSqliteOf(const TraceExport& what, const std::filesystem::path& part,
                                  const std::stop_token& stop, const exports::ExportProgress& progress) {
    const auto& query = what.query;
    SqliteFacts facts;
    facts.meta = {{"program", programText()},
                  {"traces", fmt::format("{}", fmt::join(what.traces, "\n"))},
                  {"interval_start_ns", fmt::format("{}", query.interval.start.ns)},
                  {"interval_end_ns", fmt::format("{}", query.interval.end.ns)},
                  {"filter", fmt::format("{}", fmt::join(what.filters, " "))},
                  {"process_exit_frees_heap", query.processExitFreesHeap ? "1" : "0"}};
    if (const auto start = unixNanosOf(what.properties, TraceTime{0}))
        facts.meta.emplace_back("start_unix_ns", fmt::format("{}", *start));
    facts.health = what.trace->health;
    if (query.marks != nullptr) facts.marks = *query.marks;
    return writeSqlite(*what.trace, *what.labels,
                       {query.table, query.interval, query.filter, query.processExitFreesHeap}, facts, part, stop,
                       progress);
}

std::string joined(Table table, const std::vector<Column>& columns) {
    std::vector<std::string_view> names;
    for (const auto column : columns)
        names.push_back(analysis::columnName(table, column));
    return fmt::format("{}", fmt::join(names, ","));
}

/// The command that writes the same report. Empty if it cannot express the selected rows, or has no file names.
std::vector<std::string> commandOf(const TraceExport& what) {
    const auto& query = what.query;
    if (what.traces.empty() || (!query.filter.isEmpty() && what.filterQuery.empty()) || query.keys.empty()) return {};
    std::vector<std::string> words{"highwater-cli", "report"};
    words.insert(words.end(), what.traces.begin(), what.traces.end());
    std::vector<std::string> columns, sort;
    for (const auto& column : query.columns)
        columns.push_back(analysis::valueColumnName(query.table, column));
    for (const auto& key : query.sort)
        sort.push_back(analysis::valueColumnName(query.table, key.value()) + (key.descending ? ":desc" : ":asc"));
    words.insert(words.end(),
                 {"--table", std::string(analysis::tableWord(query.table)), "--by", joined(query.table, query.keys),
                  "--columns", fmt::format("{}", fmt::join(columns, ","))});
    if (!sort.empty()) words.insert(words.end(), {"--sort", fmt::format("{}", fmt::join(sort, ","))});
    words.insert(words.end(), {"--range", secondsText(query.interval.start) + ":" + secondsText(query.interval.end)});
    if (!what.filterQuery.empty()) words.insert(words.end(), {"--filter", what.filterQuery});
    if (query.processExitFreesHeap) words.emplace_back("--process-exit-frees-heap");
    return words;
}

Result<std::size_t> writeReportOf(const TraceExport& what, std::ostream& out, const std::stop_token& stop) {
    ReportFacts facts;
    facts.subject = subjectOf(what);
    facts.program = programText();
    facts.command = commandOf(what);
    facts.health = analysis::healthOf(*what.trace, what.query.table);
    if (const auto clock = exports::WallClock::of(what.properties))
        facts.recordedAt = clock->text(TraceTime{0}) + " " + clock->zone();
    return writeReport(what.trace, what.labels, what.query, {0, kRowsOfReport}, facts, out, stop);
}

Result<std::size_t> writeTo(TraceFormat format, const TraceExport& what, std::ostream& out,
                            const std::stop_token& stop) {
    switch (format) {
    case TraceFormat::Pprof:
        return writePprofOf(what, out, stop);
    case TraceFormat::Speedscope:
        return writeSpeedscopeOf(what, out, stop);
    case TraceFormat::Report:
        return writeReportOf(what, out, stop);
    case TraceFormat::Sqlite:
        break;
    }
    return std::size_t{0};
}

} // namespace

std::span<const TraceFormatSpec> traceFormats() { return kSpecs; }

const TraceFormatSpec& specOf(TraceFormat format) { return kSpecs[static_cast<std::size_t>(format)]; }

bool isOffered(TraceFormat format, Table table) {
    switch (format) {
    case TraceFormat::Pprof:
        return table == Table::Heap || table == Table::VirtualAlloc || table == Table::Managed;
    case TraceFormat::Speedscope:
        return analysis::hasColumn(table, Column::Stack);
    case TraceFormat::Sqlite:
        return table != Table::Frees && table != Table::Snapshot;
    case TraceFormat::Report:
        break;
    }
    return true;
}

Result<std::size_t> writeTraceFormat(TraceFormat format, const TraceExport& what, const std::filesystem::path& file,
                                     const std::stop_token& stop, const exports::ExportProgress& progress) {
    Result<std::size_t> count = std::size_t{0};
    const auto outcome = [&]() -> Result<void> {
        TRY(count);
        if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "The export was cancelled."};
        return {};
    };
    if (!isOffered(format, what.query.table))
        return Error{ErrorKind::Usage, fmt::format("{} cannot be exported as {}.",
                                                   analysis::tableTitle(what.query.table), specOf(format).fileKind)};
    TRY(format == TraceFormat::Sqlite ? makeWholeFile(file,
                                                      [&](const std::filesystem::path& part) {
                                                          count = writeSqliteOf(what, part, stop, progress);
                                                          return outcome();
                                                      })
                                      : writeWholeFile(file, [&](std::ostream& out) {
                                            count = writeTo(format, what, out, stop);
                                            return outcome();
                                        }));
    return count;
}

/// A database contains all processes of the trace with all their facts.
std::string noteOn(TraceFormat format, const store::PublishedTrace& trace) {
    if (format != TraceFormat::Sqlite) return {};
    const auto hasOne = [](const auto& process) { return !process.commandLine.empty(); };
    return commandLinesNote(static_cast<std::size_t>(std::ranges::count_if(trace.processes->processes(), hasOne)));
}

} // namespace highwater::formats
