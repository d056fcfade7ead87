#include "core/analysis/leaks/suspect_numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace highwater::analysis {
namespace {

/// Finds the largest number of marks that at least half of the kept rows survived, and the number of those rows.
void countSurvivors(const LeakEvidence& evidence, LeakSuspect& suspect) {
    std::uint64_t sum = 0;
    for (auto marks = evidence.keptByMarks.size(); marks-- > 1;) {
        sum += evidence.keptByMarks[marks];
        if (sum == 0 || sum * 2 < evidence.keptCount) continue;
        suspect.marks = marks;
        suspect.survivors = sum;
        return;
    }
}

/// The end of the slice by which this share of the kept rows had started.
TraceTime timeOfShare(const LeakEvidence& evidence, const LeakPeriod& period, double share) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < evidence.slices.size(); ++i) {
        sum += evidence.slices[i].kept;
        if (static_cast<double>(sum) >= share * static_cast<double>(evidence.keptCount)) return period.startOf(i + 1);
    }
    return period.end;
}

KeyPath pathOf(const LeakGroup& group) {
    KeyPath path{{Column::Process, group.process.value}};
    for (const auto frame : group.frames)
        path.push_back({Column::StackBottomUp, frame});
    return path;
}

} // namespace

double shareOf(ByteCount part, ByteCount all) {
    return all > 0 ? std::min(1.0, static_cast<double>(part) / static_cast<double>(all)) : 0;
}

LeakSuspect numbersOf(const LeakGroup& group, const LeakJudgement& judgement, ByteCount allKept) {
    const auto& evidence = group.evidence;
    LeakSuspect suspect;
    suspect.verdict = judgement.verdict;
    suspect.confidence = judgement.confidence;
    suspect.outstandingCount = evidence.outstandingCount;
    suspect.outstandingBytes = evidence.outstanding;
    suspect.keptCount = evidence.keptCount;
    suspect.keptBytes = evidence.keptBytes;
    suspect.freedCount = evidence.freedCount;
    suspect.isYoung = judgement.verdict == LeakVerdict::Kept && evidence.freedCount > 0 && judgement.overdue < 0.5;
    suspect.share = shareOf(evidence.keptBytes, allKept);
    suspect.growth = judgement.growth;
    LowPoint last{group.period.end, evidence.madeCount, evidence.keptCount, evidence.keptBytes};
    if (judgement.verdict == LeakVerdict::Growing) {
        last = judgement.lowPoint.value_or(last);
        suspect.leakedCount = last.keptCount;
        suspect.leakedBytes = last.keptBytes;
    }
    const auto seen = static_cast<double>(last.time.ns - evidence.firstMade.ns) / 1e9;
    suspect.rowsPerSecond = seen > 0 ? static_cast<double>(last.keptCount) / seen : 0;
    // Unreachable blocks may be all older than the period.
    suspect.first = evidence.keptCount > 0 ? evidence.firstKept : group.period.start;
    suspect.last = evidence.keptCount > 0 ? evidence.lastKept : group.period.start;
    suspect.mostBefore = timeOfShare(evidence, group.period, 0.9);
    suspect.period = group.period;
    for (const auto level : evidence.levels())
        suspect.levels.push_back(static_cast<SignedByteCount>(level));
    countSurvivors(evidence, suspect);
    suspect.path = pathOf(group);
    return suspect;
}

void addPicture(std::optional<PicturedStack> picture, LeakSuspect& suspect) {
    if (!picture) return;
    suspect.picture = std::move(picture);
    std::vector<std::string> sentences{unreachableText(*suspect.picture), std::move(suspect.why),
                                       heldByText(*suspect.picture)};
    std::erase(sentences, std::string());
    suspect.why = fmt::format("{}", fmt::join(sentences, " "));
    if (!suspect.isProven() || suspect.verdict == LeakVerdict::Growing) return;
    suspect.verdict = LeakVerdict::Unreachable;
    suspect.leakedCount = suspect.unreachable().count;
    suspect.leakedBytes = suspect.unreachable().bytes;
}

} // namespace highwater::analysis
