#include "core/analysis/leaks/leak_sentence.h"

#include "core/base/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace highwater::analysis {
namespace {

std::string blocks(std::uint64_t count) { return counted(count, "allocation"); }

std::string_view was(std::uint64_t count) { return byNumber(count, "was", "were"); }

std::string_view is(std::uint64_t count) { return byNumber(count, "is", "are"); }

std::string_view theyWere(std::uint64_t count) { return byNumber(count, "it was", "they were"); }

std::string amount(const LeakSuspect& suspect) {
    return fmt::format("{} ({})", blocks(suspect.keptCount), bytesText(suspect.keptBytes));
}

/// Three significant digits in readable form: "31.9", "1,980".
std::string threeDigits(double number) {
    if (number < 999.5) return fmt::format("{:.3g}", number);
    const auto unit = std::pow(10.0, std::floor(std::log10(number)) - 2);
    return thousands(static_cast<std::uint64_t>(std::llround(std::round(number / unit) * unit)));
}

/// "2.5 s", "5.1 ms": three significant digits.
std::string durationText(double seconds) {
    if (seconds >= 0.9995) return threeDigits(seconds) + " s";
    if (seconds >= 0.9995e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.3g} \u00b5s", seconds * 1e6);
}

std::string at(TraceTime time) { return fmt::format("{:.2f} s", time.seconds()); }

std::string percent(double share) { return fmt::format("{:.0f} %", share * 100); }

/// "30 of 34 allocations (3 KB)".
std::string partOfAll(const LeakSuspect& suspect) {
    if (suspect.freedCount == 0) return amount(suspect);
    return fmt::format("{} of {} ({})", thousands(suspect.keptCount), blocks(suspect.keptCount + suspect.freedCount),
                       bytesText(suspect.keptBytes));
}

/// "; 95 % of the freed ones lived 2.5 s or less"; empty: none was freed.
std::string livedText(const LeakSuspect& suspect, const LeakJudgement& judgement) {
    if (judgement.usualLifetime <= 0 || suspect.freedCount == 0) return {};
    return fmt::format("; {} lived {} or less", byNumber(suspect.freedCount, "the freed one", "95 % of the freed ones"),
                       durationText(static_cast<double>(judgement.usualLifetime) / 1e9));
}

/// "30 of 34 allocations were never freed (3 KB)".
std::string keptPart(const LeakSuspect& suspect) {
    if (suspect.freedCount == 0)
        return fmt::format("{}, {} freed", amount(suspect), suspect.keptCount == 1 ? "not" : "none of them");
    return fmt::format("{} of {} {} never freed ({})", thousands(suspect.keptCount),
                       blocks(suspect.keptCount + suspect.freedCount), was(suspect.keptCount),
                       bytesText(suspect.keptBytes));
}

/// "45 of 10,000 allocations made before 30.00 s were never freed (4 KB)".
std::string leakedPart(const LowPoint& point) {
    return fmt::format("{} of {} made before {} {} never freed ({})", thousands(point.keptCount),
                       blocks(point.madeCount), at(point.time), was(point.keptCount), bytesText(point.keptBytes));
}

/// "95 % confidence interval 1.1 KB/s to 1.3 KB/s"; empty if both ends are the same text.
std::string intervalText(const Growth& growth) {
    const auto low = rateText(growth.low), high = rateText(growth.high);
    return low == high ? std::string() : fmt::format("95 % confidence interval {} to {}", low, high);
}

/// For a buffer whose blocks are replaced by larger ones. Empty: none was replaced.
std::string replacedText(const LeakSuspect& suspect, std::string_view when) {
    if (suspect.freedCount == 0) return {};
    return fmt::format("; {} {} replaced {} by {} and freed", blocks(suspect.freedCount), was(suspect.freedCount), when,
                       byNumber(suspect.freedCount, "a larger one", "larger ones"));
}

std::string growingText(const LeakSuspect& suspect, const LeakJudgement& judgement) {
    const bool isSure = suspect.confidence >= kSureConfidence;
    const auto* start = isSure ? "Still growing" : "Probably growing";
    const auto rate = rateText(suspect.growth.perSecond);
    const auto interval = intervalText(suspect.growth);
    if (judgement.isBySize)
        return fmt::format("{} in size: {} {} outstanding, growing by {}{} since {}{}", start, amount(suspect),
                           is(suspect.keptCount), rate, interval.empty() ? "" : fmt::format(" ({})", interval),
                           at(judgement.since), replacedText(suspect, "meanwhile"));
    const auto rows = threeDigits(suspect.rowsPerSecond);
    const auto& point = judgement.lowPoint;
    const auto times = distinctSeconds(suspect.first, point ? point->time : suspect.last, 2);
    auto text = fmt::format("{}: {}; grew {}by {} ({}{}{} allocation{}/s) from {} s to {} s", start,
                            point ? leakedPart(*point) : keptPart(suspect), isSure ? "steadily " : "", rate, interval,
                            interval.empty() ? "" : "; ", rows, rows == "1" ? "" : "s", times.first, times.last);
    if (point) {
        const auto later = suspect.keptCount - point->keptCount;
        text += fmt::format("; {} made later ({}) may still be freed", blocks(later),
                            bytesText(suspect.keptBytes - point->keptBytes));
    }
    return text + livedText(suspect, judgement);
}

std::string keptText(const LeakSuspect& suspect, const LeakJudgement& judgement) {
    constexpr double kSteady = 0.5;
    const bool isUneven = suspect.keptCount > 3 && judgement.evenness < kSteady && !judgement.isBySize;
    const auto made = fmt::format("made {}{}", betweenText(suspect.first, suspect.last, 2),
                                  isUneven && suspect.first != suspect.last ? ", unevenly" : "");
    if (judgement.isBySize)
        return fmt::format("Never freed: {}, {}{}", amount(suspect), made, replacedText(suspect, "before"));
    return fmt::format("{}: {}, {}{}", suspect.isYoung ? "Not freed yet" : "Never freed", partOfAll(suspect), made,
                       livedText(suspect, judgement));
}

std::string levelledText(const LeakSuspect& suspect, const LeakJudgement& judgement) {
    if (judgement.isBySize)
        return fmt::format("Levelled off in size: {} {} outstanding, {} {}{}", amount(suspect), is(suspect.keptCount),
                           byNumber(suspect.keptCount, "made at", "the last made at"), at(suspect.last),
                           replacedText(suspect, "before"));
    // The time is only exact to a slice of the interval, so it may be after the last row.
    if (suspect.keptCount == 1 || suspect.mostBefore >= suspect.last)
        return fmt::format("Levelled off: {}; {} made {}", keptPart(suspect), theyWere(suspect.keptCount),
                           betweenText(suspect.first, suspect.last, 2));
    const auto times = distinctSeconds(suspect.mostBefore, suspect.last, 2);
    return fmt::format("Levelled off: {}; 90 % of them were made before {} s, the last one at {} s", keptPart(suspect),
                       times.first, times.last);
}

std::string headline(const LeakSuspect& suspect, const LeakJudgement& judgement) {
    const auto kept = suspect.keptCount;
    const auto freed = suspect.freedCount;
    switch (suspect.verdict) {
    case LeakVerdict::Growing:
        return growingText(suspect, judgement);
    case LeakVerdict::Unreachable: // set after this sentence
    case LeakVerdict::Kept:
        return keptText(suspect, judgement);
    case LeakVerdict::TooEarly:
        return fmt::format("Too early to judge: {}; {} at {}", keptPart(suspect),
                           byNumber(kept, "it was made", "the first one was made"), at(suspect.first));
    case LeakVerdict::LevelledOff:
        return levelledText(suspect, judgement);
    case LeakVerdict::Renewed:
        return fmt::format("Steady turnover: {} {} outstanding, and {} {} freed, usually within {}", amount(suspect),
                           is(kept), blocks(freed), was(freed),
                           durationText(static_cast<double>(judgement.usualLifetime) / 1e9));
    case LeakVerdict::Sawtooth:
        if (judgement.isBySize)
            return fmt::format("Rises and falls: {} {} outstanding, made since {}; {} {} freed before that",
                               amount(suspect), is(kept), at(suspect.first), blocks(freed), was(freed));
        if (const auto& point = judgement.lowPoint)
            return fmt::format("Rises and falls: {} {} outstanding; {} {} freed; {} made before {} {} older than any "
                               "freed one became",
                               amount(suspect), is(kept), blocks(freed), was(freed), blocks(point->keptCount),
                               at(point->time), is(point->keptCount));
        return fmt::format("Rises and falls: {} since it was last emptied, at about {}; {} {} freed before that",
                           amount(suspect), at(suspect.first), blocks(freed), was(freed));
    case LeakVerdict::StartUp:
        return fmt::format("From startup: {} {} made by {} and kept", amount(suspect), was(kept), at(suspect.last));
    case LeakVerdict::LostFrees:
        return fmt::format("Uncertain: {} {} to be kept, but as many frees may have been lost ({} recorded)",
                           amount(suspect), byNumber(kept, "seems", "seem"), counted(freed, "free"));
    }
    return {};
}

/// Without the rows that may still be freed.
double shareOfLeak(const LeakSuspect& suspect, const LeakJudgement& judgement) {
    const bool isOfPart = suspect.verdict == LeakVerdict::Growing && judgement.lowPoint && suspect.keptBytes > 0;
    if (!isOfPart) return suspect.share;
    return suspect.share * static_cast<double>(judgement.lowPoint->keptBytes) / static_cast<double>(suspect.keptBytes);
}

/// As in "heap memory".
std::string_view memoryWord(Table table) { return table == Table::Heap ? "heap" : "VirtualAlloc"; }

} // namespace

std::string rateText(double bytesPerSecond) {
    const auto bytes = static_cast<std::uint64_t>(std::min(std::round(std::abs(bytesPerSecond)), 9e18));
    return fmt::format("{}{}/s", bytesPerSecond < 0 && bytes > 0 ? "-" : "", bytesText(bytes));
}

std::string ownerText(const LeakSuspect& suspect) {
    return suspect.place.empty() ? suspect.owner : fmt::format("{} ({})", suspect.owner, suspect.place);
}

std::string_view functionOf(std::string_view frame) {
    const auto mark = frame.find('!');
    return mark == std::string_view::npos ? frame : frame.substr(mark + 1);
}

std::string_view kindText(Table table) { return table == Table::Heap ? "Heap" : "VirtualAlloc"; }

std::string heapMemoryText(const LeftOutStacks& memory) {
    if (memory.stacks == 0) return {};
    return fmt::format("VirtualAlloc memory of heaps is not listed separately: {}, {}", counted(memory.stacks, "stack"),
                       bytesText(memory.keptBytes));
}

std::string freedText(const FreedOnExit& freed) {
    return fmt::format("Most of the {} memory was freed as {} exited, and is not listed.", memoryWord(freed.table),
                       freed.process);
}

std::string untracedText(const UntracedBlocks& untraced) {
    const auto& [process, time, blocks, unreachable, areKnown] = untraced;
    if (!areKnown)
        return fmt::format("{}: it is unknown which memory is unreachable because the picture at {:.2f} s contains no "
                           "blocks, which are found only in heaps of glibc.",
                           process, time.seconds());
    if (unreachable.count == 0)
        return fmt::format("{}: none of {} is unreachable (picture at {:.2f} s).", process, counted(blocks, "block"),
                           time.seconds());
    const auto are = byNumber(unreachable.count, "is", "are");
    return fmt::format("{}: {} ({}) {} unreachable (picture at {:.2f} s). {} no stack because {} not in the trace, for "
                       "example because the recording began later.",
                       process, counted(unreachable.count, "block"), bytesText(unreachable.bytes), are, time.seconds(),
                       byNumber(unreachable.count, "It has", "They have"),
                       byNumber(unreachable.count, "it is", "they are"));
}

std::string whySuspected(const LeakSuspect& suspect, const LeakJudgement& judgement) {
    auto text = headline(suspect, judgement);
    if (suspect.marks > 0)
        text += fmt::format("; {} survived at least {}", blocks(suspect.survivors), counted(suspect.marks, "mark"));
    for (const auto& wrapper : suspect.wrappers) {
        if (wrapper.callers == 0) continue;
        text += fmt::format("; {} is only a wrapper, called by {}", functionOf(wrapper.function),
                            counted(wrapper.callers, "function"));
    }
    if (suspect.held && holdsMuchMore(*suspect.held))
        text += fmt::format("; {}{} in RAM hold {} of pages that contain nothing else",
                            suspect.outstandingCount > suspect.keptCount ? "with older allocations, " : "",
                            bytesText(suspect.held->resident), bytesText(suspect.held->heldPages));
    if (const auto unknown = suspect.held ? suspect.held->rowsOnUnknownPages : 0; unknown > 0)
        text += fmt::format("; Resident and Held Pages leave out {} because it is unknown which of {} pages are in RAM",
                            blocks(unknown), byNumber(unknown, "its", "their"));
    if (const auto share = shareOfLeak(suspect, judgement); share >= 0.005)
        text += fmt::format("; {} of the kept {} memory", percent(share), memoryWord(suspect.table));
    return text + '.';
}

} // namespace highwater::analysis
