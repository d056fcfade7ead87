#include "core/analysis/explain/finding_text.h"

#include "core/analysis/leaks/leak_sentence.h"
#include "core/base/counted.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace highwater::analysis {
namespace {

/// Precedes an amount that data loss makes a bound.
std::string_view boundText(Effect effect) {
    switch (effect) {
    case Effect::TooLow:
        return "at least ";
    case Effect::TooHigh:
        return "at most ";
    case Effect::Either:
        return "about ";
    case Effect::None:
        break;
    }
    return {};
}

/// "in 1.2 s": the time between the first and the last instant of a part.
std::string takesText(TimeRange part) {
    const auto ns = part.end.ns - part.start.ns - 1;
    const auto seconds = static_cast<double>(ns) / 1e9;
    if (ns <= 0) return "at once";
    if (seconds >= 999.5) return fmt::format("in {} s", thousands(static_cast<std::uint64_t>(std::llround(seconds))));
    if (seconds >= 0.9995) return fmt::format("in {:.3g} s", seconds);
    if (seconds >= 0.9995e-3) return fmt::format("in {:.3g} ms", seconds * 1e3);
    return fmt::format("in {:.3g} \u00b5s", seconds * 1e6);
}

/// "addItem (cart.cpp:12)", or without a source line "shop.exe!addItem".
std::string shortOwner(const LeakSuspect& suspect) {
    const bool hasLine = !suspect.place.empty() && !suspect.place.starts_with('+');
    return hasLine ? fmt::format("{} ({})", functionOf(suspect.owner), suspect.place) : ownerText(suspect);
}

FindingText textOf(const LeakFinding& finding, std::string name) {
    const auto& suspect = finding.suspect;
    const bool isGrowing = suspect.verdict == LeakVerdict::Growing;
    const bool isSure = suspect.isProven() || suspect.confidence >= kSureConfidence;
    const std::string before = isSure ? "Leak: " : "Possible leak: ";
    const auto bound = boundText(finding.effect);
    const auto rate = rateText(finding.bytesPerSecond);
    FindingText text;
    text.sentence = fmt::format("{} in {}. ", ownerText(suspect), suspect.process);
    if (!isGrowing) {
        const auto amount = fmt::format(", {} unreachable", bytesText(finding.unreachable.bytes));
        text.line = {before, name, amount};
        text.brief = {before, std::move(name), amount};
        if (finding.stacks > 1)
            text.sentence +=
                fmt::format("{} of its stacks leak, with {} in unreachable blocks. The following describes "
                            "the most suspicious of them. ",
                            finding.stacks, bytesText(finding.unreachable.bytes));
        text.sentence += suspect.why;
        return text;
    }
    text.line = {before, name, fmt::format(", {}{}, growing {}", bound, bytesText(finding.outstandingBytes), rate)};
    text.brief = {before, std::move(name), fmt::format(", {}", rate)};
    if (finding.stacks > 1)
        text.sentence += fmt::format("{} of its stacks grow, together by {}, to {}{}. The following describes the most "
                                     "suspicious of them. ",
                                     finding.stacks, rate, bound, bytesText(finding.outstandingBytes));
    text.sentence += suspect.why;
    return text;
}

/// The end of a part is just after its last allocation.
std::string whenText(TimeRange part) {
    return betweenText(part.start, std::max(part.start, TraceTime{part.end.ns - 1}), 2);
}

/// The amount at the end of the interval, which differs from that at the end of the surge.
std::string afterwardsText(const Surge& surge) {
    const auto last = signedBytes(surge.lastBytes);
    if (surge.lastBytes > surge.endBytes) return fmt::format("{} were outstanding at the end.", last);
    if (surge.lastBytes > surge.startBytes) {
        const bool isLittle = surge.lastBytes - surge.startBytes < surge.bytes / 100;
        return fmt::format("{} of this was freed later; {} remained at the end.", isLittle ? "Nearly all" : "Part",
                           last);
    }
    return surge.lastBytes == 0 ? std::string("All of this was freed later.")
                                : fmt::format("All of this was freed later; {} were outstanding at the end.", last);
}

/// Few bytes are the less interesting, the more blocks they are in: each block can hold a page.
std::string holdingText(const Holder& holder) {
    constexpr ByteCount kFewBytes = ByteCount{1} << 20;
    return holder.resident < kFewBytes ? counted(holder.rows, "block") : bytesText(holder.resident);
}

} // namespace

std::string signedBytes(SignedByteCount bytes) { return (bytes < 0 ? "-" : "") + bytesText(magnitude(bytes)); }

std::string surgeSentence(const Surge& surge) {
    std::vector<std::string> sentences;
    sentences.push_back(fmt::format("{} grew by {} {}, from {} to {} outstanding.", surge.processText,
                                    signedBytes(surge.bytes), whenText(surge.part), signedBytes(surge.startBytes),
                                    signedBytes(surge.endBytes)));
    if (surge.kind == SurgeKind::Gradual)
        sentences.emplace_back("The growth was gradual, with no steep rise.");
    else if (!isLarge(surge))
        sentences.emplace_back("It is too small to be called a surge.");
    if (surge.kind == SurgeKind::StartUp) sentences.emplace_back("The process had just started.");
    if (surge.lastBytes != surge.endBytes) sentences.push_back(afterwardsText(surge));
    return fmt::format("{}", fmt::join(sentences, " "));
}

std::string largestText(const LeakSuspect& stack) {
    return fmt::format("{} in {} keeps {}, the most of all stacks that are not suspects. {}", ownerText(stack),
                       stack.process, bytesText(stack.keptBytes), heldByText(*stack.picture));
}

FindingText textOf(const SurgeFinding& finding) {
    const auto& surge = finding.surge;
    const auto amount = fmt::format("{}: {}+{}", surge.kind == SurgeKind::StartUp ? "Surge at start" : "Surge",
                                    boundText(finding.effect), signedBytes(surge.bytes));
    const auto share =
        finding.share < 0.995 ? fmt::format("{:.0f} % by ", std::max(finding.share * 100, 1.0)) : std::string("by ");
    FindingText text;
    text.line = {fmt::format("{} {}, {}", amount, takesText(surge.part), share), finding.owner, {}};
    text.brief = {amount + " by ", finding.owner, {}};
    text.sentence = surgeSentence(surge);
    text.sentence += fmt::format(" {} allocated {}.", finding.owner,
                                 finding.share < 0.5     ? "the largest part of it"
                                 : finding.share < 0.995 ? "most of it"
                                                         : "it");
    return text;
}

std::string heldMeaning(const ProcessHolders& held) {
    return meaningOf(held) + " If these blocks are freed, the allocator may return the pages to the system.";
}

std::string heldSentence(const ProcessHolders& held) {
    return fmt::format("{} had {} in RAM at {:.2f} s. {}", held.name, bytesText(held.rss), held.time.seconds(),
                       heldMeaning(held));
}

FindingText textOf(const ProcessHolders& held) {
    const auto& holder = held.holders.front();
    const auto pages =
        fmt::format("Held: {}{}", held.isComplete() ? "" : boundText(Effect::Either), bytesText(holder.heldPages));
    FindingText text;
    text.line = {fmt::format("{} of pages by {} of ", pages, holdingText(holder)), holder.owner, {}};
    text.brief = {pages + " by ", holder.owner, {}};
    text.sentence = heldSentence(held);
    return text;
}

std::vector<FindingText> textsOf(const std::vector<LeakFinding>& findings) {
    std::vector<FindingText> texts;
    for (const auto& finding : findings) {
        auto name = shortOwner(finding.suspect);
        const bool isTaken =
            std::any_of(texts.begin(), texts.end(), [&](const FindingText& text) { return text.line.name == name; });
        if (isTaken) name = ownerText(finding.suspect);
        texts.push_back(textOf(finding, std::move(name)));
    }
    return texts;
}

} // namespace highwater::analysis
