#include "core/formats/report/report_writer.h"

#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/table/grouped_table.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/formats/report/report_balance.h"
#include "core/formats/report/report_graph.h"
#include "core/formats/report/report_style.h"
#include "core/formats/report/report_table.h"
#include "core/formats/report/report_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace highwater::formats {
namespace {

constexpr std::uint32_t kSlices = 600;

analysis::TimelineQuery graphOf(const analysis::Query& query) {
    analysis::TimelineQuery graph;
    graph.table = query.table;
    graph.interval = query.interval;
    graph.points = kSlices;
    graph.maxSeries = kReportColors - 1; // one line for all others
    graph.filter = query.filter;
    graph.processExitFreesHeap = query.processExitFreesHeap;
    graph.allocatorFrames = query.allocatorFrames;
    graph.annotations = query.annotations;
    graph.marks = query.marks;
    graph.instances = query.instances;
    // Per-row columns would add a line for each row.
    if (!query.keys.empty() && !analysis::isOfSingleRows(query.keys.front())) graph.by = query.keys.front();
    return graph;
}

/// Titles for tables whose graph does not show outstanding memory.
const char* titleOfGraph(analysis::Table table) {
    switch (table) {
    case analysis::Table::Frees:
        return "Released over time";
    case analysis::Table::Managed:
        return "Allocated over time";
    default:
        return "Outstanding over time";
    }
}

void writeBegin(const analysis::Query& query, const ReportFacts& facts, std::ostream& out) {
    const auto title = htmlText(titleOf(facts.subject));
    out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>"
        << title << "</title>\n<style>" << reportStyle(query.columns.size()) << "</style>\n</head>\n<body>\n<h1>"
        << title << "</h1>\n";
    if (!facts.recordedAt.empty()) out << "<p class=\"quiet\">Recorded at " << htmlText(facts.recordedAt) << "</p>\n";
    const auto sentences = sentencesOf(facts.health);
    if (sentences.empty()) {
        out << "<p class=\"quiet\">Nothing that affects totals is missing.</p>\n";
        return;
    }
    out << "<ul class=\"losses\">\n";
    for (const auto& sentence : sentences)
        out << "<li>" << htmlText(sentence) << "</li>\n";
    out << "</ul>\n";
}

/// Explains how to read stacks; empty if there are none.
const char* aboutStacks(const analysis::Query& query) {
    const auto has = [&](auto... columns) {
        return std::any_of(query.keys.begin(), query.keys.end(), [=](auto key) { return ((key == columns) || ...); });
    };
    using analysis::Column;
    if (has(Column::StackBottomUp, Column::AllocStackBottomUp))
        return " Functions listed below a row are its callers, in order, with the same amounts.";
    if (has(Column::Stack, Column::AllocStack))
        return " Functions listed below a row are called from it, in order, with the same amounts.";
    return "";
}

void writeEnd(const analysis::Query& query, const ReportFacts& facts, exports::TreeLimits limits, std::ostream& out) {
    if (limits.top > 0)
        out << fmt::format(
            "<p class=\"quiet\">At most {} per level {} shown; the others are summed up as (N more).</p>\n",
            counted(limits.top, "row"), byNumber(limits.top, "is", "are"));
    if (limits.depth > 0)
        out << fmt::format("<p class=\"quiet\">{} {} shown.</p>\n", counted(limits.depth, "level"),
                           byNumber(limits.depth, "is", "are"));
    out << "<p class=\"quiet\">Rows with an arrow can be expanded." << aboutStacks(query) << "</p>\n";
    if (!facts.command.empty()) {
        out << "<h2>Command for this report</h2>\n";
        writeReportCommand(facts.command, out);
    }
    out << "<p class=\"quiet\">Written by " << htmlText(facts.program) << ".</p>\n</body>\n</html>\n";
}

} // namespace

Result<std::size_t> writeReport(const std::shared_ptr<const store::PublishedTrace>& trace,
                                const std::shared_ptr<analysis::FrameLabels>& labels, const analysis::Query& query,
                                exports::TreeLimits limits, const ReportFacts& facts, std::ostream& out,
                                const std::stop_token& stop) {
    const auto table = TRY(analysis::GroupedTable::compute(trace, labels, query, stop));
    const auto whyNone = analysis::whyNoAnswer(analysis::AnswerKind::Timeline, trace->lacks);
    const auto graph = graphOf(query);
    auto timeline = TRY(whyNone ? analysis::Timeline() : analysis::computeTimeline(*trace, *labels, graph, stop));
    const auto balances = TRY(findReportBalances(*trace, *labels, query, stop));
    writeBegin(query, facts, out);
    out << "<h2>" << titleOfGraph(query.table) << "</h2>\n";
    if (whyNone)
        out << "<p>" << htmlText(whyNone->message) << "</p>\n";
    else
        writeReportGraph(graph, timeline, out);
    writeReportBalances(balances, out);
    out << "<h2>" << htmlText(std::string(analysis::tableTitle(query.table))) << "</h2>\n";
    ReportTable rows(table->query(), out);
    TRY(exports::writeTree(*table, limits, facts.health, rows));
    if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "The export was cancelled."};
    if (rows.rows() == 0) out << "<p>No matching rows.</p>\n";
    writeEnd(query, facts, limits, out);
    return rows.rows();
}

} // namespace highwater::formats
