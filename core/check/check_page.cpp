#include "core/check/check_page.h"

#include "core/analysis/timeline/memory_timeline.h"
#include "core/base/counted.h"
#include "core/check/junit_writer.h"
#include "core/formats/facts/export_facts.h"
#include "core/formats/report/report_graph.h"
#include "core/formats/report/report_style.h"
#include "core/formats/report/report_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace highwater::check {
namespace {

using formats::htmlText;

/// More graphs than users look at.
constexpr std::size_t kMostStacks = 100;

std::string verdictOf(const CheckResult& result) {
    if (result.hasPassed()) return "Passed";
    auto text = fmt::format("Failed: {} of {} grew, {} of {} {} broken", thousands(result.grown.size()),
                            counted(result.compared, "stack"), thousands(result.brokenBudgets()),
                            counted(result.budgets.size(), "budget line"),
                            byPart(result.brokenBudgets(), result.budgets.size(), "is", "are"));
    if (!result.unreachable.empty())
        text += fmt::format(", {} of {} {} {} too much unreachable memory", thousands(result.leaking()),
                            thousands(result.unreachable.size()),
                            byNumber(result.unreachable.size(), "process", "processes"),
                            byPart(result.leaking(), result.unreachable.size(), "has", "have"));
    return text;
}

void writeBegin(const CheckResult& result, std::ostream& out) {
    const auto title = fmt::format("Memory check of {}", fmt::join(result.traces, ", "));
    out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>"
        << htmlText(title) << "</title>\n<style>" << formats::reportStyle(3) << "</style>\n</head>\n<body>\n<h1>"
        << htmlText(title) << "</h1>\n<p>" << htmlText(verdictOf(result)) << ".</p>\n";
    if (!result.tracesBefore.empty())
        out << "<p class=\"quiet\">Before: " << htmlText(fmt::format("{}", fmt::join(result.tracesBefore, ", ")))
            << "</p>\n";
    if (result.notes.empty()) return;
    out << "<ul class=\"losses\">\n";
    for (const auto& note : result.notes)
        out << "<li>" << htmlText(note) << "</li>\n";
    out << "</ul>\n";
}

void writeRow(const char* kind, const std::vector<std::string>& cells, std::ostream& out) {
    out << "<div class=\"row " << kind << "\">";
    for (const auto& cell : cells)
        out << "<span>" << htmlText(cell) << "</span>";
    out << "</div>\n";
}

void writeBudget(const CheckResult& result, std::ostream& out) {
    if (result.budgets.empty()) return;
    out << "<h2>Budget</h2>\n";
    writeRow("head", {"Line", "Worst value", "Limit", ""}, out);
    for (const auto& line : result.budgets)
        writeRow("",
                 {line.rule.text, amountText(line.rule.measure, line.value),
                  amountText(line.rule.measure, line.rule.limit),
                  line.isBroken()       ? "broken"
                  : line.matchesNothing ? "matches nothing"
                                        : "kept"},
                 out);
}

/// Both sides over time. Each run is as wide as the graph.
void writeCourse(const GrownStack& stack, double seconds, std::ostream& out) {
    const auto slices = std::max(stack.courseBefore.size(), stack.courseAfter.size());
    if (slices == 0) return;
    analysis::Timeline timeline;
    timeline.interval = {TraceTime{0}, TraceTime{static_cast<std::int64_t>(seconds * 1e9)}};
    timeline.starts.resize(slices);
    for (const auto& [name, course] :
         {std::pair("before", &stack.courseBefore), std::pair("after", &stack.courseAfter)}) {
        analysis::TimelineSeries series;
        series.name = name;
        series.peaks = *course;
        timeline.series.push_back(std::move(series));
    }
    formats::writeReportGraph(analysis::TimelineQuery(), timeline, out);
}

void writeStack(const GrownStack& stack, double seconds, std::ostream& out) {
    out << "<h2>" << htmlText(stack.owner.name) << "</h2>\n<p>" << htmlText(growthText(stack)) << ".</p>\n";
    writeCourse(stack, seconds, out);
    out << "<details open=\"open\"><summary><span>Allocation stack, innermost frame first</span></summary>\n<div "
           "class=\"calls\">";
    for (const auto& frame : stack.frames) {
        out << "<div>" << htmlText(frame.name);
        if (!frame.file.empty())
            out << " <span class=\"quiet\">" << htmlText(fmt::format("{}:{}", frame.file, frame.line)) << "</span>";
        out << "</div>\n";
    }
    if (stack.frames.empty()) out << "<div>(no stack)</div>\n";
    out << "</div></details>\n";
}

void writeUnreachablePart(const CheckResult& result, std::ostream& out) {
    if (result.unreachable.empty()) return;
    out << "<h2>Unreachable memory</h2>\n";
    for (const auto& verdict : result.unreachable) {
        out << "<p>" << htmlText(unreachableText(verdict)) << ".</p>\n";
        if (const auto text = suppressedBlocksText(verdict.memory); !text.empty())
            out << "<p class=\"quiet\">" << htmlText(text) << "</p>\n";
        for (std::size_t i = 0; i < std::min(verdict.memory.stacks.size(), kMostStacks); ++i) {
            const auto& stack = verdict.memory.stacks[i];
            out << "<details><summary><span>" << htmlText(unreachableText(stack))
                << "</span></summary>\n<div class=\"calls\">";
            for (const auto& frame : stack.frames)
                out << "<div>" << htmlText(frame) << "</div>\n";
            out << "</div></details>\n";
        }
    }
}

void writeCommand(const char* title, const std::vector<std::string>& command, std::ostream& out) {
    if (command.empty()) return;
    out << "<h2>" << title << "</h2>\n";
    formats::writeReportCommand(command, out);
}

} // namespace

void writeCheckPage(const CheckResult& result, const CheckFacts& facts, std::ostream& out) {
    writeBegin(result, out);
    writeBudget(result, out);
    writeUnreachablePart(result, out);
    for (std::size_t i = 0; i < std::min(result.grown.size(), kMostStacks); ++i)
        writeStack(result.grown[i], result.seconds, out);
    if (result.grown.size() > kMostStacks)
        out << fmt::format("<p>{} grew.</p>\n", counted(result.grown.size() - kMostStacks, "more stack"));
    if (result.grown.empty() && !result.tracesBefore.empty()) out << "<h2>Stacks</h2>\n<p>No stack grew.</p>\n";
    if (const auto text = suppressedText(result.suppressed); !text.empty())
        out << "<p class=\"quiet\">" << htmlText(text) << "</p>\n";
    writeCommand("Full comparison", facts.diff, out);
    writeCommand("Repeat this check", facts.command, out);
    out << "<p class=\"quiet\">Written by " << htmlText(formats::programText()) << ".</p>\n</body>\n</html>\n";
}

} // namespace highwater::check
