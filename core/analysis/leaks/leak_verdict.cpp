#include "core/analysis/leaks/leak_verdict.h"

#include "core/analysis/leaks/size_course.h"
#include "core/base/enum_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace highwater::analysis {
namespace {

constexpr double kSuspicious = 0.5;        ///< threshold of confidence
constexpr std::uint64_t kFew = 3;          ///< too few rows for a statement about growth
constexpr std::uint64_t kFewSteps = 3;     ///< enough steps of a buffer to show growth
constexpr std::size_t kShortestSlices = 4; ///< minimum observation of a stack
constexpr double kLevelled = 0.5;          ///< share of the first third; chance and the end of a process reduce it less
constexpr double kStart = 0.15;            ///< share of a period for rows allocated at process start

/// Kept rows that started before this number of slices, which may be fractional.
double keptBefore(const LeakEvidence& evidence, double slices) {
    double sum = 0;
    for (std::size_t i = 0; i < evidence.slices.size(); ++i) {
        const auto part = std::clamp(slices - static_cast<double>(i), 0.0, 1.0);
        sum += part * static_cast<double>(evidence.slices[i].kept);
    }
    return sum;
}

/// Kept rows by thirds of the time since the stack's first row. A leak has its share in each.
std::array<double, 3> keptByThirds(const LeakEvidence& evidence, std::size_t firstSlice) {
    const auto length = static_cast<double>(LeakPeriod::kSlices - firstSlice);
    const auto first = keptBefore(evidence, static_cast<double>(firstSlice) + length / 3);
    const auto second = keptBefore(evidence, static_cast<double>(firstSlice) + length * 2 / 3);
    return {first, second - first, static_cast<double>(evidence.keptCount) - second};
}

/// Kept rows that come in bursts with nothing in between, as left by jobs: runs of slices with about the same number of
/// rows. For such stacks, a burst counts like a single row of other stacks.
struct Bursts {
    double count = 0;  ///< 0: no bursts
    double rhythm = 0; ///< seconds between bursts
};

Bursts burstsOf(const LeakEvidence& evidence) {
    constexpr double kAlike = 2; ///< the largest burst relative to the mean
    std::vector<double> runs;
    bool isInRun = false;
    for (const auto& slice : evidence.slices) {
        if (slice.kept > 0 && !isInRun) runs.push_back(0);
        isInRun = slice.kept > 0;
        if (isInRun) runs.back() += static_cast<double>(slice.kept);
    }
    const auto count = static_cast<double>(runs.size());
    if (runs.size() < 3) return {};
    const auto mean = static_cast<double>(evidence.keptCount) / count;
    if (*std::max_element(runs.begin(), runs.end()) > kAlike * mean) return {};
    return {count, static_cast<double>(evidence.lastKept.ns - evidence.firstKept.ns) / 1e9 / (count - 1)};
}

/// 1: all thirds are equal within chance; 0: one is empty.
double evennessOf(const std::array<double, 3>& thirds, double all, const Bursts& bursts) {
    const auto least = *std::min_element(thirds.begin(), thirds.end());
    if (least <= 0) return 0;
    const auto ofRows = std::sqrt(all / 3) / 2;
    const auto chance =
        bursts.count > 0 ? std::max(ofRows, all / bursts.count * std::sqrt(bursts.count / 3) / 2) : ofRows;
    return std::min(1.0, 3 * (least + chance) / all);
}

/// Estimates the number of kept rows that were freed by undetected lost frees.
double lostOf(const LeakEvidence& evidence, const LeakPeriod& period, const LostFrees& lost) {
    const auto freed = static_cast<double>(evidence.freedCount);
    const auto odds = [](double share) { return std::min(share, 0.99) / (1 - std::min(share, 0.99)); };
    const auto byRecorder = freed * odds(lost.byRecorder) - static_cast<double>(evidence.lostCount);
    const auto all = std::max(static_cast<double>(evidence.lostCount), freed * odds(lost.seen));
    const auto notYetSeen = std::clamp(lost.secondsUntilSeen / period.seconds(), 0.1, 1.0);
    return std::max({byRecorder, all * notYetSeen, 0.0});
}

/// The share of kept rows that lost frees do not explain.
double certainShare(const LeakEvidence& evidence, const LeakPeriod& period, const LostFrees& lostFrees) {
    const auto lost = lostOf(evidence, period, lostFrees);
    const auto kept = static_cast<double>(evidence.keptCount);
    return std::clamp((kept - lost - 2 * std::sqrt(lost)) / kept, 0.0, 1.0);
}

double secondsBetween(TraceTime from, TraceTime to) { return static_cast<double>(to.ns - from.ns) / 1e9; }

/// Falls to 0 if no more rows were kept for a third of the time since the stack's first row, beyond three times the
/// usual distance between kept rows, or once the distance between bursts.
double freshnessOf(const LeakEvidence& evidence, const LeakPeriod& period, const Bursts& bursts) {
    if (evidence.keptCount < 2) return 1;
    const auto seconds = secondsBetween;
    const auto spacing = seconds(evidence.firstKept, evidence.lastKept) / static_cast<double>(evidence.keptCount - 1);
    const auto silence = seconds(evidence.lastKept, period.end) - std::max(3 * spacing, bursts.rhythm);
    const auto seen = seconds(evidence.firstMade, period.end);
    return silence <= 0 || seen <= 0 ? 1 : std::max(0.0, 1 - 3 * silence / seen);
}

/// Frees at the very end do not show how old rows become because a program frees some memory as it ends. Neither do a
/// few frees: if more rows are overdue than were freed, the younger rows are not waiting for a free either.
double overdueShare(const LeakEvidence& evidence) {
    const auto& lifetimes = evidence.earlierLifetimes;
    const auto freed = static_cast<double>(lifetimes.count());
    if (freed == 0) return 1;
    const auto overdue = static_cast<double>(evidence.keptAges.countAbove(lifetimes.quantile(0.95)));
    return std::max(overdue / static_cast<double>(evidence.keptCount), std::min(1.0, overdue / freed));
}

Growth growthSince(const LeakEvidence& evidence, const LeakPeriod& period, std::size_t firstSlice) {
    const auto levels = evidence.levels();
    const auto floors = floorsOf(levels);
    return growthOf(std::span(floors).subspan(firstSlice), period.seconds() / LeakPeriod::kSlices);
}

/// It fell by more than half of its height and rose again at least twice.
bool isSawtooth(const LeakEvidence& evidence) {
    const auto levels = evidence.levels();
    double top = levels.front();
    double bottom = levels.front();
    int falls = 0;
    for (const auto level : levels) {
        if (level > top) top = level;
        bottom = std::min(bottom, level);
        if (top - level > (top - bottom) / 2 && top > 0 && level < top / 2) {
            ++falls;
            top = bottom = level;
        }
    }
    return falls >= 2;
}

bool isOfStartUp(const LeakEvidence& evidence, const LeakCircumstances& circumstances) {
    if (circumstances.isBeforeMain) return true;
    if (!circumstances.beginsProcess) return false;
    return keptBefore(evidence, LeakPeriod::kSlices * kStart) >= 0.95 * static_cast<double>(evidence.keptCount);
}

/// The times of the kept rows of a stack.
struct KeptRows {
    std::array<double, 3> thirds{}; ///< rows by thirds of the observed time
    Bursts bursts;
    std::size_t firstSlice = 0;
    TraceTime end; ///< end of the period
};

LeakVerdict reasonAgainst(const LeakEvidence& evidence, const LeakJudgement& judgement, const KeptRows& rows,
                          const LeakCircumstances& circumstances) {
    const auto& [thirds, bursts, firstSlice, end] = rows;
    const auto kept = static_cast<double>(evidence.keptCount);
    if (judgement.certain < kSuspicious) return LeakVerdict::LostFrees;
    if (isOfStartUp(evidence, circumstances)) return LeakVerdict::StartUp;
    const bool isRenewed = evidence.freedCount > 0 && (judgement.overdue < kSuspicious || thirds[0] <= 0.1 * kept);
    if (isRenewed && evidence.freedCount * 2 > evidence.keptCount)
        return isSawtooth(evidence) ? LeakVerdict::Sawtooth : LeakVerdict::Renewed;
    if (evidence.keptCount <= kFew) return LeakVerdict::Kept;
    if (LeakPeriod::kSlices - firstSlice < kShortestSlices) return LeakVerdict::TooEarly;
    const bool mayGoOn = bursts.count > 0 && secondsBetween(evidence.lastKept, end) <= 2 * bursts.rhythm;
    if (thirds[2] < thirds[0] * kLevelled && !mayGoOn) return LeakVerdict::LevelledOff;
    return LeakVerdict::Kept;
}

double confidenceOf(const SizeCourse& course, double certain) {
    const auto enough = 1 - std::exp(-static_cast<double>(course.steps()) / 2);
    const auto rising = course.growth().low > 0 ? 1.0 : 0.5;
    return course.evenness() * course.fresh() * course.steady() * certain * enough * rising;
}

/// For a buffer that is no longer growing, or was not observed for long. Nothing: its rows are better evidence.
std::optional<LeakVerdict> verdictOfBuffer(const LeakEvidence& evidence, const SizeCourse& course, bool isSeenLong) {
    if (evidence.freedCount == 0) return std::nullopt; // its blocks do not replace each other
    if (isSawtooth(evidence)) return LeakVerdict::Sawtooth;
    const bool isSteady = course.steady() > kSuspicious;
    if (!isSeenLong && isSteady) return LeakVerdict::TooEarly;
    if (!course.isQuiet() || evidence.keptCount > evidence.freedCount) return std::nullopt;
    constexpr double kSilent = 1 / 3.0;
    if (evidence.freedCount >= kFewSteps && course.silence() > kSilent) return LeakVerdict::LevelledOff;
    return isSteady ? std::optional(LeakVerdict::Kept) : std::nullopt;
}

/// Judges by size if the number of rows does not grow.
void judgeBySize(const LeakEvidence& evidence, const LeakPeriod& period, bool isSeenLong, LeakJudgement& judgement) {
    const SizeCourse course(evidence, period);
    if (!course.hasGrowingBlocks() || judgement.certain < kSuspicious) return;
    const auto confidence = confidenceOf(course, judgement.certain);
    const bool isGrowing = isSeenLong && course.steps() >= kFewSteps && confidence >= kSuspicious;
    const auto verdict =
        isGrowing ? std::optional(LeakVerdict::Growing) : verdictOfBuffer(evidence, course, isSeenLong);
    if (!verdict) return;
    judgement.verdict = *verdict;
    judgement.isBySize = true;
    judgement.evenness = course.evenness();
    judgement.fresh = course.fresh();
    if (!isGrowing) return;
    judgement.confidence = confidence;
    judgement.growth = course.growth();
}

} // namespace

std::string_view verdictWord(LeakVerdict verdict) {
    constexpr std::array kWords{std::string_view("growing"),   std::string_view("kept"),
                                std::string_view("too_early"), std::string_view("levelled_off"),
                                std::string_view("renewed"),   std::string_view("sawtooth"),
                                std::string_view("start_up"),  std::string_view("lost_frees")};
    return kWords[static_cast<std::size_t>(verdict)];
}

LeakJudgement judge(const LeakEvidence& evidence, const LeakPeriod& period, const LeakCircumstances& circumstances) {
    LeakJudgement judgement;
    const auto kept = static_cast<double>(evidence.keptCount);
    const auto firstSlice = period.sliceOf(evidence.firstMade);
    const KeptRows rows{keptByThirds(evidence, firstSlice), burstsOf(evidence), firstSlice, period.end};
    judgement.since = evidence.firstMade;
    judgement.usualLifetime = evidence.lifetimes.quantile(0.95);
    judgement.evenness = evennessOf(rows.thirds, kept, rows.bursts);
    judgement.overdue = overdueShare(evidence);
    judgement.certain = certainShare(evidence, period, circumstances.lostFrees);
    judgement.growth = growthSince(evidence, period, firstSlice);
    judgement.fresh = freshnessOf(evidence, period, rows.bursts);
    const auto enough = 1 - std::exp(-kept / 4);
    const auto rising = judgement.growth.low > 0 ? 1.0 : 0.5;
    judgement.confidence =
        judgement.evenness * judgement.overdue * judgement.certain * judgement.fresh * enough * rising;
    const bool isSeenLong = LeakPeriod::kSlices - firstSlice >= kShortestSlices;
    judgement.verdict = isSeenLong && evidence.keptCount > kFew && judgement.confidence >= kSuspicious
                            ? LeakVerdict::Growing
                            : reasonAgainst(evidence, judgement, rows, circumstances);
    if (judgement.verdict != LeakVerdict::Growing) judgeBySize(evidence, period, isSeenLong, judgement);
    return judgement;
}

} // namespace highwater::analysis
