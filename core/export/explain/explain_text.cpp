#include "core/export/explain/explain_writer.h"

#include "core/analysis/explain/finding_text.h"
#include "core/analysis/leaks/leak_sentence.h"
#include "core/base/counted.h"
#include "core/export/explain/page_lines.h"
#include "core/export/info/info_json.h"
#include "core/export/leaks_writer.h"
#include "core/export/questions/held_by_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace highwater::exports {
namespace {

using analysis::LeakSuspect, analysis::LeakVerdict;

constexpr std::size_t kMostPrograms = 3;
constexpr std::size_t kMostLosses = 6;
constexpr std::size_t kMostCallers = 2;
constexpr std::size_t kMostModules = 6;

std::string percentOf(double share) { return fmt::format("{:.0f} %", share * 100); }

// Recording.

std::string programsText(const std::vector<analysis::ProgramRows>& programs) {
    if (programs.empty()) return "none with matching rows";
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::min(programs.size(), kMostPrograms); ++i)
        texts.push_back(fmt::format("{}: {}", programs[i].process, counted(programs[i].rows, "allocation")));
    if (programs.size() > kMostPrograms) texts.push_back(fmt::format("{} more", programs.size() - kMostPrograms));
    return fmt::format("{}", fmt::join(texts, "; "));
}

/// "Windows build 22631, 64 bit, 8 processors, computer NAME", without unknown parts.
std::string systemText(const Json& info) {
    std::vector<std::string> parts;
    const auto build = info["os_build"].get<std::uint32_t>();
    if (build > 0) parts.push_back(fmt::format("Windows build {}", build));
    if (info["recorder"] == "Highwater (Linux)") parts.emplace_back("Linux");
    if (const auto bytes = info["pointer_bytes"].get<std::uint32_t>(); bytes == 4 || bytes == 8)
        parts.push_back(fmt::format("{} bit", bytes * 8));
    if (!info["processors"].is_null()) parts.push_back(counted(info["processors"].get<std::uint32_t>(), "processor"));
    if (!info["computer"].is_null()) parts.push_back("computer " + info["computer"].get<std::string>());
    return parts.empty() ? "unknown" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string whenText(const Json& info, const store::PublishedTrace& trace) {
    const auto at = info["recorded_at"].is_null() ? "at an unknown time" : info["recorded_at"].get<std::string>();
    auto text = fmt::format("{}, for {:.2f} s", at, trace.wholeRange().end.seconds());
    if (trace.isTrimmed()) text += fmt::format("; events before {:.2f} s were not kept", trace.retainedFrom.seconds());
    return text;
}

void addRecorded(const ExplainPage& page, PageLines& lines) {
    const auto info = infoJson(page.info);
    const auto& trace = page.info.trace;
    const auto& interval = page.answer.interval;
    lines.add("RECORDING");
    lines.addEntry("programs", programsText(page.answer.rise.programs));
    lines.addEntry("when", whenText(info, trace));
    lines.addEntry("events", fmt::format("{} from heaps, {} from VirtualAlloc", counted(trace.heap.rows, "allocation"),
                                         thousands(trace.virtualAlloc.rows)));
    lines.addEntry("recorder", info["recorder"].get<std::string>());
    lines.addEntry("system", systemText(info));
    const auto times = distinctSeconds(interval.start, interval.end, 2);
    std::string analyzed =
        fmt::format("{}, {} s to {} s", analysis::tableTitle(page.answer.table), times.first, times.last);
    for (const auto& searched : page.answer.tables) {
        if (searched.table == page.answer.table) continue;
        analyzed += fmt::format("; suspects also from {}", analysis::tableTitle(searched.table));
    }
    if (!page.filter.empty()) analyzed += ", only rows that match " + page.filter;
    lines.addEntry("analyzed", analyzed);
}

// Losses and notes.

void addHealth(const HealthReport& health, PageLines& lines) {
    lines.addBlank();
    lines.add("LOSSES AND NOTES");
    const auto entries = health.entries();
    if (health.totalsAreBounds())
        lines.addParagraph(2, 0, "This trace is incomplete, so its totals are bounds. " + health.boundsText());
    else if (health.unrecordedGrowth > 0)
        lines.addParagraph(2, 0, bytesText(health.unrecordedGrowth) + " of memory growth was not recorded.");
    else
        lines.add(entries.empty() ? "  Nothing is missing." : "  Nothing that affects totals is missing.");
    if (const auto limits = health.limitsText(); !limits.empty()) lines.addParagraph(2, 0, limits);
    for (std::size_t i = 0; i < std::min(entries.size(), kMostLosses); ++i)
        lines.addParagraph(2, 2, entries[i].text());
    if (entries.size() > kMostLosses)
        lines.add(fmt::format("  {} more. Run highwater-cli info to list them.", entries.size() - kMostLosses));
}

// Pictures of memory.

void addPictures(const ExplainPage& page, PageLines& lines) {
    if (page.answer.pictures.empty()) return;
    lines.addBlank();
    lines.add("PICTURE OF MEMORY");
    for (const auto& answer : page.answer.pictures) {
        lines.addParagraph(2, 0, heldByHeadline(answer));
        for (const auto& caution : answer.cautions)
            lines.addParagraph(2, 2, caution);
        for (std::size_t i = 0; i < std::min(answer.holders.size(), kMostPicturedHolders); ++i) {
            const auto& holder = answer.holders[i];
            lines.add(fmt::format("  {}. {:>9}  {}{}", i + 1, bytesText(std::max(holder.retained, holder.held.bytes)),
                                  pathText(answer, holder), doubtOf(holder)));
        }
    }
}

// Surge.

void addSurge(const ExplainPage& page, PageLines& lines) {
    const auto& surge = page.answer.rise.surge;
    lines.addBlank();
    lines.add(surge && !analysis::isNotable(*surge) ? "BIGGEST GROWTH" : "BIGGEST SURGE");
    if (!surge) return lines.add("  Outstanding memory did not grow.");
    lines.addParagraph(2, 0, analysis::surgeSentence(*surge));
    lines.add(fmt::format("  {} grew{}:", counted(surge->stackCount, "stack"),
                          surge->stackCount > surge->stacks.size() ? "; the largest are" : ""));
    for (std::size_t i = 0; i < surge->stacks.size(); ++i) {
        const auto& stack = surge->stacks[i];
        lines.add(fmt::format("  {}. {:>9}  {:>5}  {}", i + 1, analysis::signedBytes(stack.bytes),
                              percentOf(stack.share), stack.owner));
        if (!stack.picture) continue;
        for (const auto& text : {analysis::unreachableText(*stack.picture), analysis::heldByText(*stack.picture)})
            if (!text.empty()) lines.addParagraph(5, 0, text);
    }
}

// Suspects.

std::string hourlyText(double bytesPerSecond) {
    const auto bytes = std::min(std::round(std::abs(bytesPerSecond) * kSecondsPerHour), 9e18);
    return (bytesPerSecond < 0 && bytes > 0 ? "-" : "") + bytesText(static_cast<std::uint64_t>(bytes));
}

/// Empty: the reason of the suspect contains its growth.
std::string growthText(const LeakSuspect& suspect, TimeRange interval) {
    switch (suspect.verdict) {
    case LeakVerdict::Growing: {
        // The future of shorter intervals is unknown.
        constexpr double kLeastForHours = 600;
        if (interval.end.seconds() - interval.start.seconds() < kLeastForHours) return {};
        const auto low = hourlyText(suspect.growth.low), high = hourlyText(suspect.growth.high);
        return fmt::format("At this rate it grows by {} an hour{}.", hourlyText(suspect.growth.perSecond),
                           low == high ? "" : fmt::format(" (95 % interval: {} to {})", low, high));
    }
    case LeakVerdict::TooEarly:
        return "Too recent to estimate its growth.";
    case LeakVerdict::Unreachable:
        return {};
    default:
        // A buffer may get its next block later, so only the past is known.
        return fmt::format("It has not grown since {:.2f} s.", suspect.last.seconds());
    }
}

std::string certaintyText(const LeakSuspect& suspect) {
    if (suspect.verdict == LeakVerdict::Unreachable) return "a leak";
    if (suspect.verdict != LeakVerdict::Growing) return "may not be a leak";
    constexpr double kAlmostCertain = 0.95;
    return fmt::format("{}{} (confidence {:.2f})", suspect.isProven() ? "a leak; that it continues is " : "",
                       suspect.confidence >= kAlmostCertain              ? "almost certain"
                       : suspect.confidence >= analysis::kSureConfidence ? "very likely"
                                                                         : "likely",
                       suspect.confidence);
}

/// Innermost frame first. The frames inside the owner are one line, and so are the outermost ones.
void addStack(const LeakSuspect& suspect, PageLines& lines) {
    const auto& stack = suspect.stack;
    const auto owner = suspect.ownerFrame;
    if (owner == 1) lines.add("       " + stack[0]);
    if (owner > 1)
        lines.add(fmt::format("       {} and {} of allocators, runtimes and the system",
                              shortened(printable(stack[0]), 40), counted(owner - 1, "frame")));
    lines.add("     > " + stack[owner]);
    const auto last = std::min(stack.size(), owner + 1 + kMostCallers);
    for (auto i = owner + 1; i < last; ++i)
        lines.add("       " + stack[i]);
    if (last + 1 == stack.size())
        lines.add("       " + stack[last]);
    else if (last < stack.size())
        lines.add(fmt::format("       and {} up to {}", counted(stack.size() - last, "frame"),
                              shortened(printable(stack.back()), 60)));
}

void addSuspects(const ExplainPage& page, PageLines& lines) {
    lines.addBlank();
    const bool areAll = page.answer.suspects.size() >= page.answer.judged;
    lines.add("LEAK SUSPECTS" + (areAll ? std::string()
                                        : fmt::format(" (the first {} of {} that {} memory)",
                                                      page.answer.suspects.size(), counted(page.answer.judged, "stack"),
                                                      byNumber(page.answer.judged, "keeps", "keep"))));
    const auto largest = page.answer.largest ? analysis::largestText(*page.answer.largest) : std::string();
    for (const auto& text : {suppressedText(page.answer.suppressed), leftOutText(page.answer.heapMemory), largest})
        if (!text.empty()) lines.addParagraph(2, 0, text);
    for (const auto& untraced : page.answer.untraced)
        lines.addParagraph(2, 0, analysis::untracedText(untraced));
    if (page.answer.suspects.empty()) return lines.addParagraph(2, 0, page.answer.whyNone);
    for (std::size_t i = 0; i < page.answer.suspects.size(); ++i) {
        const auto& suspect = page.answer.suspects[i];
        lines.addParagraph(2, 3,
                           fmt::format("{}. {} in {}, {}, {}", i + 1, analysis::ownerText(suspect), suspect.process,
                                       analysis::kindText(suspect.table), certaintyText(suspect)));
        lines.addParagraph(5, 0, suspect.why);
        const auto growth = growthText(suspect, page.answer.interval);
        lines.addParagraph(5, 0,
                           fmt::format("Outstanding at the end: {} in {}.{}{}", bytesText(suspect.outstandingBytes),
                                       counted(suspect.outstandingCount, "allocation"), growth.empty() ? "" : " ",
                                       growth));
        addStack(suspect, lines);
    }
}

void addResidentMemory(const ExplainPage& page, PageLines& lines) {
    const auto& balance = page.answer.balance;
    const auto& held = page.answer.held;
    if (!balance && !held) return;
    lines.addBlank();
    lines.add("RESIDENT MEMORY");
    if (balance)
        lines.addParagraph(2, 0,
                           fmt::format("{} at {:.2f} s: {}", balance->name, balance->point.time.seconds(),
                                       analysis::meaningOf(*balance)));
    if (!held) return;
    const bool isOfBalance = balance && balance->process == held->process;
    lines.addParagraph(2, 0, isOfBalance ? analysis::heldMeaning(*held) : analysis::heldSentence(*held));
}

void addFreedOnExit(const ExplainPage& page, PageLines& lines) {
    if (const auto& freed = page.answer.freedOnExit)
        lines.addParagraph(2, 0,
                           fmt::format("{} Shortly before, {} were outstanding.", analysis::freedText(*freed),
                                       bytesText(freed->bytes)));
}

// Commands.

void addCommand(const std::string& what, const Command& command, const ExplainPage& page, PageLines& lines) {
    const std::string comment = page.shell == Shell::Posix ? "# " : "rem ";
    const auto text = shellLines(command, PageLines::kWidth, page.shell);
    lines.add(comment + what);
    if (text.hasValue())
        lines.addCommand(text.value());
    else
        lines.add(comment + text.error().message);
}

void addCommands(const ExplainPage& page, PageLines& lines) {
    lines.addBlank();
    lines.add("COMMANDS FOR DETAILS");
    if (const auto& surge = page.answer.rise.surge) {
        const std::string what = analysis::isNotable(*surge) ? "surge" : "growth";
        addCommand("stacks of the " + what, page.commands.surgeTable, page, lines);
        addCommand(fmt::format("the {} over time", what), page.commands.surgeTimeline, page, lines);
    }
    const auto& suspects = page.commands.suspects;
    for (std::size_t i = 0; i < suspects.size(); ++i) {
        auto what = fmt::format("suspect {}", i + 1);
        // Suspects of the same owner share a command.
        for (; i + 1 < suspects.size() && suspects[i + 1] == suspects[i]; ++i)
            what += fmt::format(", {}", i + 2);
        addCommand(what, suspects[i], page, lines);
    }
    if (page.commands.suspects.empty()) addCommand("stacks that keep memory", page.commands.leaks, page, lines);
    if (!page.commands.holders.empty()) addCommand("owners of held pages", page.commands.holders, page, lines);
    if (!page.commands.pictured.empty())
        addCommand("what holds the blocks of the picture of memory", page.commands.pictured, page, lines);
    if (!page.commands.beforeExit.empty())
        addCommand("stacks that kept memory until the exit", page.commands.beforeExit, page, lines);
}

void addNames(const analysis::UnnamedFrames& names, PageLines& lines) {
    if (names.unnamed == 0) return;
    const std::vector<std::string> modules(
        names.modules.begin(),
        names.modules.begin() + static_cast<std::ptrdiff_t>(std::min(names.modules.size(), kMostModules)));
    lines.addBlank();
    lines.add("FUNCTIONS WITHOUT NAMES");
    lines.addParagraph(
        2, 0,
        fmt::format(
            "{} of {} in these stacks {} no name, in {}{}. Specify the location of their debug files with "
            "--symbols PATH or the variable _NT_SYMBOL_PATH; in the window, with Trace > Configure Symbol Paths.",
            names.unnamed, counted(names.frames, "function"), byNumber(names.unnamed, "has", "have"),
            fmt::join(modules, ", "), names.modules.size() > kMostModules ? " and others" : ""));
}

} // namespace

void writeExplainText(const ExplainPage& page, std::ostream& out) {
    PageLines lines;
    addRecorded(page, lines);
    addHealth(page.health, lines);
    addPictures(page, lines);
    addSurge(page, lines);
    addSuspects(page, lines);
    addFreedOnExit(page, lines);
    addResidentMemory(page, lines);
    addCommands(page, lines);
    addNames(page.answer.names, lines);
    out << lines.text();
}

} // namespace highwater::exports
