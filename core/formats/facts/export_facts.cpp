#include "core/formats/facts/export_facts.h"

#include "core/base/counted.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::formats {

std::string programText() { return "highwater " HIGHWATER_VERSION; }

std::string titleOf(const ExportSubject& subject) {
    std::vector<std::string> names;
    for (const auto& trace : subject.traces)
        names.emplace_back(fileName(trace));
    auto title = std::string(analysis::tableTitle(subject.table));
    if (!names.empty()) title += fmt::format(" of {}", fmt::join(names, ", "));
    title += fmt::format(", {} s to {} s", secondsText(subject.interval.start), secondsText(subject.interval.end));
    for (const auto& filter : subject.filters)
        title += ", " + filter;
    return title;
}

std::vector<std::string> sentencesOf(const HealthReport& health) {
    std::vector<std::string> sentences;
    if (health.totalsAreBounds())
        sentences.push_back("This trace is incomplete, so its totals are bounds. " + health.boundsText());
    if (auto limits = health.limitsText(); !limits.empty()) sentences.push_back(std::move(limits));
    for (const auto& entry : health.entries())
        sentences.push_back(entry.text());
    return sentences;
}

std::vector<std::string> linesOf(const ExportSubject& subject, const HealthReport& health) {
    std::vector<std::string> lines{titleOf(subject)};
    for (auto& sentence : sentencesOf(health))
        lines.push_back(std::move(sentence));
    return lines;
}

std::string commandLinesNote(std::size_t commandLines) {
    if (commandLines == 0) return {};
    return fmt::format("The file contains the {} of {} {}. Review {} before you share the file.",
                       byNumber(commandLines, "command line", "command lines"), thousands(commandLines),
                       byNumber(commandLines, "process", "processes"), byNumber(commandLines, "it", "them"));
}

std::optional<std::int64_t> unixNanosOf(const TraceProperties& properties, TraceTime time) {
    constexpr std::int64_t kUnixEpoch = 116'444'736'000'000'000; // in 100 ns since 1601
    constexpr std::int64_t kMostTicks = 90'000'000'000'000'000;  // positive or negative: 285 years
    constexpr std::int64_t kMostNanos = 100'000'000'000'000'000; // within the trace: 3 years
    const auto ticks = properties.startFileTime - kUnixEpoch;
    const bool isSensible = properties.startFileTime > 0 && ticks < kMostTicks && ticks > -kMostTicks &&
                            time.ns < kMostNanos && time.ns > -kMostNanos;
    if (!isSensible) return std::nullopt;
    return ticks * 100 + time.ns;
}

} // namespace highwater::formats
