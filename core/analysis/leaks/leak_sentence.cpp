#include "core/analysis/leaks/leak_sentence.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace highwater::analysis {
namespace {

std::string blocks(std::uint64_t count) {
    return count == 1 ? "1 allocation" : fmt::format("{} allocations", thousands(count));
}

std::string amount(const LeakSuspect& suspect) {
    return fmt::format("{} ({})", blocks(suspect.keptCount), bytesText(suspect.keptBytes));
}

/// Three digits of it, as they are read: "31.9", "1,980".
std::string threeDigits(double number) {
    if (number < 999.5) return fmt::format("{:.3g}", number);
    const auto unit = std::pow(10.0, std::floor(std::log10(number)) - 2);
    return thousands(static_cast<std::uint64_t>(std::llround(std::round(number / unit) * unit)));
}

/// "2.5 s", "5.1 ms": three digits that matter.
std::string durationText(double seconds) {
    if (seconds >= 0.9995) return threeDigits(seconds) + " s";
    if (seconds >= 0.9995e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.3g} us", seconds * 1e6);
}

std::string at(TraceTime time) { return fmt::format("{:.2f} s", time.seconds()); }

std::string percent(double share) { return fmt::format("{:.0f} %", share * 100); }

/// "Of 1,200 allocations" where some were freed, else "957 allocations".
std::string keptPart(const LeakSuspect& suspect) {
    if (suspect.freedCount == 0) return fmt::format("{}, none of them freed", amount(suspect));
    return fmt::format("{} were never freed ({} were)", amount(suspect), thousands(suspect.freedCount));
}

std::string growingText(const LeakSuspect& suspect, const LeakJudgement& judgement) {
    const bool isSure = suspect.confidence >= kSureConfidence;
    auto text = fmt::format("{}: {}, {} ({} to {}) and {} allocations/s {} {} to {}",
                            isSure ? "Still growing" : "Probably growing", keptPart(suspect),
                            rateText(suspect.growth.perSecond), rateText(suspect.growth.low),
                            rateText(suspect.growth.high), threeDigits(suspect.rowsPerSecond),
                            isSure ? "all the time from" : "from", at(suspect.first), at(suspect.last));
    if (judgement.usualLifetime > 0 && suspect.freedCount > 0)
        text += fmt::format("; those that were freed had lived {} at most",
                            durationText(static_cast<double>(judgement.usualLifetime) / 1e9));
    return text;
}

std::string keptText(const LeakSuspect& suspect, const LeakJudgement& judgement) {
    constexpr double kSteady = 0.5;
    const bool isUneven = suspect.keptCount > 3 && judgement.evenness < kSteady;
    if (suspect.first == suspect.last)
        return fmt::format("Never freed: {}, made at {}", amount(suspect), at(suspect.first));
    return fmt::format("Never freed: {}, made between {} and {}{}", amount(suspect), at(suspect.first),
                       at(suspect.last), isUneven ? ", not steadily" : "");
}

std::string headline(const LeakSuspect& suspect, const LeakJudgement& judgement) {
    switch (suspect.verdict) {
    case LeakVerdict::Growing:
        return growingText(suspect, judgement);
    case LeakVerdict::Kept:
        return keptText(suspect, judgement);
    case LeakVerdict::TooEarly:
        return fmt::format("Too early to tell: {} since {}", keptPart(suspect), at(suspect.first));
    case LeakVerdict::LevelledOff:
        // How many were made when is known to a slice of the interval: it may end behind the last.
        if (suspect.mostBefore >= suspect.last)
            return fmt::format("Levelled off: {}, made from {} to {}", keptPart(suspect), at(suspect.first),
                               at(suspect.last));
        return fmt::format("Levelled off: {}, 90 % of them made before {}, the last at {}", keptPart(suspect),
                           at(suspect.mostBefore), at(suspect.last));
    case LeakVerdict::Renewed:
        return fmt::format("Comes and goes: {} are there, and {} were freed, usually within {}", amount(suspect),
                           blocks(suspect.freedCount),
                           durationText(static_cast<double>(judgement.usualLifetime) / 1e9));
    case LeakVerdict::Sawtooth:
        return fmt::format("Fills and is emptied: {} since it was emptied last, at about {}; {} were freed before",
                           amount(suspect), at(suspect.first), blocks(suspect.freedCount));
    case LeakVerdict::StartUp:
        return fmt::format("Start of the process: {}, made before {} and kept", amount(suspect), at(suspect.last));
    case LeakVerdict::LostFrees:
        return fmt::format("Perhaps nothing: {} seem to be kept, but so many of {} frees may have been lost",
                           amount(suspect), thousands(suspect.freedCount));
    }
    return {};
}

} // namespace

std::string rateText(double bytesPerSecond) {
    const auto bytes = static_cast<std::uint64_t>(std::min(std::round(std::abs(bytesPerSecond)), 9e18));
    return fmt::format("{}{}/s", bytesPerSecond < 0 && bytes > 0 ? "-" : "", bytesText(bytes));
}

std::string whySuspected(const LeakSuspect& suspect, const LeakJudgement& judgement) {
    auto text = headline(suspect, judgement);
    if (suspect.marks > 0)
        text += fmt::format("; {} survived {} mark{} or more", blocks(suspect.survivors), suspect.marks,
                            suspect.marks == 1 ? "" : "s");
    if (suspect.share >= 0.005) text += fmt::format("; {} of what was kept", percent(suspect.share));
    return text + '.';
}

} // namespace highwater::analysis
