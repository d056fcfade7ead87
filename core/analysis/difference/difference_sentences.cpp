#include "core/analysis/difference/difference_sentences.h"

#include "core/analysis/difference/picture_changes.h"
#include "core/analysis/leaks/freed_on_exit.h"
#include "core/analysis/leaks/leak_sentence.h"
#include "core/base/text.h"
#include "core/statistics/noise.h"

#include <fmt/format.h>

#include <fmt/ranges.h>
#include <tuple>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace highwater::analysis {
namespace {

DifferenceNote mergedNote(const MergedFrames& merged) {
    constexpr std::size_t kMostNamed = 5;
    std::vector<std::string> named;
    for (const auto& module : merged.modules)
        if (named.size() < kMostNamed) named.push_back(module);
    const auto more = merged.modules.size() - named.size();
    return {"unnamed_frames_merged", "unnamed frames merged", merged.frames,
            fmt::format("Frames without a name are distinguished only if their module is the same file on both sides. "
                        "Otherwise, all unnamed frames of a module form one row, module!(unnamed): {}{}. To name them, "
                        "provide symbols for both builds.",
                        fmt::join(named, ", "), more > 0 ? fmt::format(" and {} more", more) : std::string())};
}

DifferenceNote outsideNote(std::size_t frames) {
    return {"frames_outside_merged", "frames outside any module merged", frames,
            "Frames outside any module form one row because their addresses cannot be compared between traces."};
}

/// Without common stacks, all stacks appear as new or gone, which is misleading.
DifferenceNote apartNote(const DifferenceQuery& query) {
    const auto& lacks = query.before.front().trace->lacks;
    const bool isOfOther = [&] {
        for (const auto* side : {&query.before, &query.after})
            for (const auto& compared : *side)
                if (compared.trace->lacks != lacks) return true;
        return false;
    }();
    const std::string sentence =
        "The two sides have no stack in common, so the same memory may be shown both as New and as Gone. ";
    return {"no_common_stacks", "stacks in common", 0,
            sentence + (isOfOther ? "Profilers name modules and calls differently. Compare files from one profiler, or "
                                    "compare totals by Process."
                                  : "The names of modules or functions differ. To match them, provide symbols for both "
                                    "builds, or renames.")};
}

DifferenceNote lengthNote(const Difference& difference) {
    const auto before = difference.seconds(Side::Before);
    const auto after = difference.seconds(Side::After);
    const auto ofSeconds = [](double seconds) { return TraceTime{std::llround(seconds * 1e9)}; };
    const auto lengths = distinctSeconds(ofSeconds(before), ofSeconds(after), 3);
    const auto allocated = difference.change(Difference::kRoot, Measure::Allocated);
    return {"lengths_differ", "intervals of different lengths", 1,
            fmt::format("The intervals differ in length: {} s before and {} s after. Amounts are not scaled; "
                        "the allocation rate was {} before and {} after.",
                        lengths.first, lengths.last, rateText(perSecond(allocated.before, before)),
                        rateText(perSecond(allocated.after, after)))};
}

std::string freedOnExitText(const DifferenceQuery& query, const ComparedTrace& compared, const std::stop_token& stop) {
    LeakQuery question;
    question.table = query.table;
    question.interval = compared.interval;
    question.filter = compared.filter;
    question.allocatorFrames = query.allocatorFrames;
    const auto freed = freedOnExit(compared.trace, compared.labels, question, stop);
    if (!freed) return {};
    return fmt::format("{} Shortly before, {} were outstanding.", freedText(*freed), bytesText(freed->bytes));
}

/// Without it, growth of a program that frees its memory as it exits would not be missed.
std::optional<DifferenceNote> exitNote(const DifferenceQuery& query, const std::stop_token& stop) {
    const bool isOfAllocations = query.table == Table::Heap || query.table == Table::VirtualAlloc;
    const bool isAtTheEnd = query.decides == Measure::Outstanding || query.decides == Measure::ImpactingSize;
    if (!isOfAllocations || !isAtTheEnd || !hasTimes(query)) return std::nullopt;
    const auto before = freedOnExitText(query, query.before.front(), stop);
    const auto after = freedOnExitText(query, query.after.front(), stop);
    std::string text;
    if (!before.empty()) text += "Before: " + before + ' ';
    if (!after.empty()) text += "After: " + after + ' ';
    if (text.empty()) return std::nullopt;
    return DifferenceNote{"freed_on_exit", "sides with memory freed on exit",
                          std::uint64_t{!before.empty()} + std::uint64_t{!after.empty()},
                          text + "To compare this memory, choose an interval that ends earlier."};
}

DifferenceNote noiseNote(std::size_t before, std::size_t after) {
    if (before == 1 && after == 1) {
        return {"noise_unknown", "traces per side", 1,
                "With one trace per side, the normal variation of these numbers between runs is unknown."};
    }
    const auto fewest = std::min(before, after);
    return {
        "noise", "recordings compared", before + after,
        fmt::format("Numbers are medians of {} before and {} after. Changes no larger than the differences between "
                    "recordings of one side are within noise{}.",
                    before, after,
                    fewest < kFewRecordings ? "; three or more recordings per side give a more reliable result" : "")};
}

} // namespace

double perSecond(std::int64_t value, double seconds) { return seconds > 0 ? static_cast<double>(value) / seconds : 0; }

bool haveDifferentLengths(const Difference& difference) {
    if (!hasTimes(difference.query())) return false;
    const auto before = difference.seconds(Side::Before);
    const auto after = difference.seconds(Side::After);
    return std::max(before, after) > 1.1 * std::min(before, after);
}

std::vector<DifferenceNote> notesOf(const Difference& difference, const std::stop_token& stop) {
    std::vector<DifferenceNote> notes;
    const auto& merged = difference.merged();
    if (merged.frames > 0) notes.push_back(mergedNote(merged));
    if (merged.outside > 0) notes.push_back(outsideNote(merged.outside));
    if (haveDifferentLengths(difference)) notes.push_back(lengthNote(difference));
    const auto& [before, after] = std::tie(difference.query().before, difference.query().after);
    const bool isOneTrace = before.size() == 1 && after.size() == 1 && before[0].trace == after[0].trace;
    if (!isOneTrace && difference.haveNoCommonStacks()) notes.push_back(apartNote(difference.query()));
    if (auto note = exitNote(difference.query(), stop)) notes.push_back(*std::move(note));
    addPictureNotes(difference.query(), notes, stop);
    if (!isOneTrace) notes.push_back(noiseNote(before.size(), after.size())); // one trace is a single run
    return notes;
}

} // namespace highwater::analysis
