#include "core/analysis/leaks/leak_verdict.h"

#include "core/analysis/leaks/kept_rows.h"
#include "core/analysis/leaks/size_course.h"
#include "core/base/enum_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace highwater::analysis {
namespace {

constexpr double kSuspicious = 0.5;        ///< threshold of confidence
constexpr int kFew = 3;                    ///< too few rows for a statement about growth
constexpr std::uint64_t kFewSteps = 3;     ///< enough steps of a buffer to show growth
constexpr std::size_t kShortestSlices = 4; ///< minimum observation of a stack
constexpr double kLevelled = 0.5;          ///< share of the first third; chance and the end of a process reduce it less
constexpr double kStart = 0.15;            ///< share of a period for rows allocated at process start

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
double certainShare(double kept, const LeakEvidence& evidence, const LeakPeriod& period, const LostFrees& lostFrees) {
    const auto lost = lostOf(evidence, period, lostFrees);
    return std::clamp((kept - lost - 2 * std::sqrt(lost)) / kept, 0.0, 1.0);
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

LeakVerdict reasonAgainst(const LeakEvidence& evidence, const LeakJudgement& judgement, const KeptRows& rows,
                          const LeakCircumstances& circumstances) {
    const auto& thirds = rows.thirds;
    if (judgement.certain < kSuspicious) return LeakVerdict::LostFrees;
    if (isOfStartUp(evidence, circumstances)) return LeakVerdict::StartUp;
    const bool isRenewed =
        evidence.freedCount > 0 && (judgement.overdue < kSuspicious || thirds[0] <= 0.1 * rows.count);
    if (isRenewed && evidence.freedCount * 2 > evidence.keptCount)
        return isSawtooth(evidence) ? LeakVerdict::Sawtooth : LeakVerdict::Renewed;
    if (evidence.keptCount <= kFew) return LeakVerdict::Kept;
    if (rows.endSlice - rows.firstSlice < kShortestSlices) return LeakVerdict::TooEarly;
    const bool mayGoOn = rows.bursts.count > 0 && secondsBetween(evidence.lastKept, rows.end) <= 2 * rows.bursts.rhythm;
    if (thirds[2] < thirds[0] * kLevelled && !mayGoOn) return LeakVerdict::LevelledOff;
    return LeakVerdict::Kept;
}

/// By these rows alone. `floors`: the level that is never freed at each edge of the slices.
LeakJudgement judgementOf(const KeptRows& rows, const std::vector<double>& floors, const LeakEvidence& evidence,
                          const LeakPeriod& period, const LostFrees& lostFrees) {
    LeakJudgement judgement;
    judgement.since = rows.begin;
    judgement.usualLifetime = evidence.lifetimes.quantile(0.95);
    judgement.evenness = rows.evenness();
    judgement.overdue = 1;
    judgement.certain = certainShare(rows.count, evidence, period, lostFrees);
    judgement.growth = growthOf(std::span(floors).subspan(rows.firstSlice, rows.endSlice - rows.firstSlice + 1),
                                period.seconds() / LeakPeriod::kSlices);
    judgement.fresh = rows.fresh();
    const auto rising = judgement.growth.low > 0 ? 1.0 : 0.5;
    judgement.confidence = judgement.evenness * judgement.certain * judgement.fresh * rows.enough() * rising;
    return judgement;
}

bool isOfGrowth(const LeakJudgement& judgement, const KeptRows& rows) {
    return rows.endSlice - rows.firstSlice >= kShortestSlices && rows.count > kFew &&
           judgement.confidence >= kSuspicious;
}

/// By all kept rows.
LeakJudgement judgementByRows(const LeakEvidence& evidence, const LeakPeriod& period,
                              const LeakCircumstances& circumstances) {
    const auto rows = keptRowsUntil(LeakPeriod::kSlices, evidence, period);
    auto judgement = judgementOf(rows, floorsOf(evidence.levels()), evidence, period, circumstances.lostFrees);
    judgement.overdue = overdueShare(evidence);
    judgement.confidence *= judgement.overdue;
    judgement.verdict =
        isOfGrowth(judgement, rows) ? LeakVerdict::Growing : reasonAgainst(evidence, judgement, rows, circumstances);
    return judgement;
}

/// The slice before which rows are older than any freed row became. Nothing: none was freed, or the stack was not
/// observed for this number of its longest lives.
std::optional<std::size_t> sliceOfLowPoint(const LeakEvidence& evidence, const LeakPeriod& period, double lives) {
    const auto longest = static_cast<double>(evidence.longestLife) / 1e9;
    if (longest <= 0 || longest * lives > secondsBetween(evidence.firstMade, period.end)) return std::nullopt;
    return period.sliceOf(TraceTime{period.end.ns - evidence.longestLife});
}

LowPoint lowPointAt(std::size_t slice, const LeakEvidence& evidence, const LeakPeriod& period) {
    LowPoint point{period.startOf(slice)};
    for (const auto& before : std::span(evidence.slices).first(slice)) {
        point.madeCount += before.madeCount;
        point.keptCount += before.kept;
        point.keptBytes += before.keptBytes;
    }
    return point;
}

/// By the kept rows that are older than any freed row became. What was allocated since a queue was last emptied is not
/// among them, so the judgement does not depend on the time since then. Nothing: they do not show growth, or the stack
/// was not observed for long enough.
std::optional<LeakJudgement> judgementByLowPoints(const LeakEvidence& evidence, const LeakPeriod& period,
                                                  const LostFrees& lostFrees) {
    constexpr double kLives = 3;
    constexpr double kMany = 0.1; ///< share of younger rows
    const auto slice = sliceOfLowPoint(evidence, period, kLives);
    if (!slice) return std::nullopt;
    const auto rows = keptRowsUntil(*slice, evidence, period);
    if (rows.count <= kFew) return std::nullopt;
    auto judgement = judgementOf(rows, evidence.lowPoints(), evidence, period, lostFrees);
    if (!isOfGrowth(judgement, rows)) return std::nullopt;
    judgement.verdict = LeakVerdict::Growing;
    const auto kept = static_cast<double>(evidence.keptCount);
    if (kept - rows.count > kMany * kept) judgement.lowPoint = lowPointAt(*slice, evidence, period);
    return judgement;
}

/// Nothing: all kept rows may be of the last tooth.
std::optional<LowPoint> leftByEmptyings(const LeakEvidence& evidence, const LeakPeriod& period) {
    const auto slice = sliceOfLowPoint(evidence, period, 1);
    if (!slice) return std::nullopt;
    const auto point = lowPointAt(*slice, evidence, period);
    return point.keptCount > 0 ? std::optional(point) : std::nullopt;
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
void judgeBySize(const LeakEvidence& evidence, const LeakPeriod& period, LeakJudgement& judgement) {
    const bool isSeenLong = LeakPeriod::kSlices - period.sliceOf(evidence.firstMade) >= kShortestSlices;
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
    constexpr std::array kWords{
        std::string_view("growing"),   std::string_view("unreachable"),  std::string_view("kept"),
        std::string_view("too_early"), std::string_view("levelled_off"), std::string_view("renewed"),
        std::string_view("sawtooth"),  std::string_view("start_up"),     std::string_view("lost_frees")};
    return kWords[static_cast<std::size_t>(verdict)];
}

LeakJudgement judge(const LeakEvidence& evidence, const LeakPeriod& period, const LeakCircumstances& circumstances) {
    if (auto growing = judgementByLowPoints(evidence, period, circumstances.lostFrees)) return *growing;
    auto judgement = judgementByRows(evidence, period, circumstances);
    if (judgement.verdict != LeakVerdict::Growing) judgeBySize(evidence, period, judgement);
    if (judgement.verdict == LeakVerdict::Sawtooth) judgement.lowPoint = leftByEmptyings(evidence, period);
    return judgement;
}

} // namespace highwater::analysis
