#include "core/analysis/leaks/leak_suspects.h"

#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/leaks/leak_groups.h"
#include "core/analysis/leaks/leak_sentence.h"
#include "core/analysis/leaks/owner_places.h"
#include "core/analysis/leaks/wrapper_search.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace highwater::analysis {
namespace {

/// Groups that are examined row by row, by bytes and by rows. Users do not read more.
constexpr std::size_t kMostGroups = 512;

struct Judged {
    std::size_t group = 0;
    LeakJudgement judgement;
};

/// Based on the losses that the trace contains.
LostFrees lostFreesIn(const store::PublishedTrace& trace, const LeakGroups& groups) {
    LostFrees lost;
    const auto& totals = groups.totals();
    const auto share = [](std::uint64_t part, std::uint64_t all) {
        return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
    };
    const auto eventsLost = trace.health[Loss::EventsLost];
    lost.byRecorder = share(eventsLost, eventsLost + trace.heap.events + trace.virtualAlloc.events);
    lost.seen = share(totals.lost, totals.freed);
    Durations untilSeen;
    for (const auto& group : groups.groups())
        untilSeen += group.evidence.lostLifetimes;
    lost.secondsUntilSeen = static_cast<double>(untilSeen.quantile(0.95)) / 1e9;
    return lost;
}

/// The factor by which a verdict reduces the weight of its bytes.
double weightOf(LeakVerdict verdict) {
    switch (verdict) {
    case LeakVerdict::Growing:
    case LeakVerdict::Kept:
        return 1;
    case LeakVerdict::TooEarly:
    case LeakVerdict::LevelledOff:
        return 0.5;
    case LeakVerdict::Renewed:
    case LeakVerdict::Sawtooth:
    case LeakVerdict::StartUp:
    case LeakVerdict::LostFrees:
        break;
    }
    return 0.05;
}

double shareOf(ByteCount part, ByteCount all) {
    return all > 0 ? std::min(1.0, static_cast<double>(part) / static_cast<double>(all)) : 0;
}

bool isMoreSuspicious(const Judged& a, const Judged& b, const std::vector<LeakGroup>& groups, ByteCount keptByAll) {
    const auto rank = [&](const Judged& judged) {
        const auto& evidence = groups[judged.group].evidence;
        const bool isGrowing = judged.judgement.verdict == LeakVerdict::Growing;
        const auto amount = isGrowing ? judged.judgement.growth.perSecond * judged.judgement.confidence
                                      : static_cast<double>(evidence.keptBytes) * weightOf(judged.judgement.verdict);
        const int others = isSuspect(judged.judgement.verdict, shareOf(evidence.keptBytes, keptByAll)) ? 2 : 3;
        const int order = !isGrowing ? others : judged.judgement.confidence < kSureConfidence ? 1 : 0;
        return std::tuple(order, -amount, -static_cast<double>(evidence.keptCount), judged.group);
    };
    return rank(a) < rank(b);
}

bool beginsProcess(const store::PublishedTrace& trace, const LeakGroup& group) {
    const auto start = (*trace.processes)[group.process].start;
    return group.period.start == start || (start == kBeforeTrace && group.period.start == trace.wholeRange().start);
}

/// Constructors of libraries, called by the glibc loader. Libraries that dlopen() loads later have frames of the
/// program outside.
bool isBeforeMain(const FrameLabels& labels, const LeakGroup& group) {
    return !group.frames.empty() && labels.text(LabelId{group.frames.back()}).starts_with("ld-linux");
}

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

/// Whether the filter restricts rows to those allocated between certain marks. No rows follow these, regardless of what
/// the stack does later.
bool isOfGenerations(const RowFilter& filter) {
    if (filter.hasConditions() && filter.query->columns().contains(Column::Generation)) return true;
    return std::any_of(filter.clauses.begin(), filter.clauses.end(), [](const RowFilter::Clause& clause) {
        return std::any_of(clause.anyOf.begin(), clause.anyOf.end(), [](const KeyPath& path) {
            return std::any_of(path.begin(), path.end(),
                               [](const KeyStep& step) { return step.column == Column::Generation; });
        });
    });
}

/// In time order.
std::vector<TraceTime> marksIn(const SharedMarks& marks, TimeRange interval) {
    std::vector<TraceTime> times;
    if (!marks) return times;
    for (const auto& mark : *marks) {
        if (interval.contains(mark.time)) times.push_back(mark.time);
    }
    std::sort(times.begin(), times.end());
    return times;
}

/// The fields that do not need names.
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
    suspect.share = shareOf(evidence.keptBytes, allKept);
    suspect.growth = judgement.growth;
    const auto seen = static_cast<double>(group.period.end.ns - evidence.firstMade.ns) / 1e9;
    suspect.rowsPerSecond = seen > 0 ? static_cast<double>(evidence.keptCount) / seen : 0;
    suspect.first = evidence.firstKept;
    suspect.last = evidence.lastKept;
    suspect.mostBefore = timeOfShare(evidence, group.period, 0.9);
    suspect.period = group.period;
    for (const auto level : evidence.levels())
        suspect.levels.push_back(static_cast<SignedByteCount>(level));
    countSurvivors(evidence, suspect);
    suspect.path = pathOf(group);
    return suspect;
}

/// Sets the names and the wrappers.
void setSuspectNames(FrameLabels& labels, const KeyReader& reader, OwnerFrames& owners, const Wrappers& wrappers,
                     const LeakGroup& group, LeakSuspect& suspect) {
    suspect.process = reader.text(Column::Process, group.process.value);
    const auto whole = reader.wholeStack(Column::StackBottomUp, group.example).frames;
    for (const auto frame : whole)
        suspect.stack.emplace_back(labels.text(LabelId{frame}));
    suspect.ownerFrame = group.owner;
    suspect.owner = suspect.stack[suspect.ownerFrame];
    if (group.place != FrameLabels::kNoStack) suspect.place = labels.text(group.place);
    for (const auto frame : owners.wrappersBelow(whole, group.owner)) {
        const auto* found = wrappers.of(LabelId{whole[frame]});
        suspect.wrappers.push_back({suspect.stack[frame], frame, found == nullptr ? 0 : found->callers});
    }
}

/// A buffer that several stacks of one family resize is one object. The verdict on the family is assigned to the stack
/// that keeps most of it, unless one of its stacks is growing itself.
void judgeFamilies(const LeakGroups& groups, const LeakCircumstances& circumstances, std::vector<Judged>& judged) {
    struct Members {
        std::size_t largest = 0; ///< index in `judged`
        bool isAny = false;
        bool isAnyGrowing = false;
    };
    const auto bytesOf = [&](std::size_t i) { return groups.groups()[judged[i].group].evidence.keptBytes; };
    std::vector<Members> members(groups.families().size());
    for (std::size_t i = 0; i < judged.size(); ++i) {
        auto& family = members[groups.groups()[judged[i].group].family];
        family.isAnyGrowing |= judged[i].judgement.verdict == LeakVerdict::Growing;
        if (!family.isAny || bytesOf(i) > bytesOf(family.largest)) family.largest = i;
        family.isAny = true;
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
        const auto& family = groups.families()[i];
        if (family.stacks < 2 || !members[i].isAny || members[i].isAnyGrowing) continue;
        const auto most = bytesOf(members[i].largest);
        if (family.evidence.keptCount == 0 || most * 2 < family.evidence.keptBytes) continue;
        const auto judgement = judge(family.evidence, family.period, circumstances);
        if (!judgement.isBySize) continue;
        judged[members[i].largest].judgement = judgement;
    }
}

std::vector<Judged> judgeAll(const store::PublishedTrace& trace, const FrameLabels& labels, const LeakQuery& query,
                             const LeakGroups& groups) {
    const auto lostFrees = lostFreesIn(trace, groups);
    const bool isCut = isOfGenerations(query.filter);
    const bool isTimed = hasRates(trace.lacks, trace.horizon);
    std::vector<Judged> judged;
    for (std::size_t i = 0; i < groups.groups().size(); ++i) {
        const auto& group = groups.groups()[i];
        if (group.evidence.keptCount == 0) continue;
        judged.push_back({i, {}});
        auto& judgement = judged.back().judgement;
        if (isTimed)
            judgement = judge(group.evidence, group.period,
                              {lostFrees, beginsProcess(trace, group), isBeforeMain(labels, group)});
        else
            judgement.verdict = LeakVerdict::TooEarly;
    }
    if (isTimed) judgeFamilies(groups, {lostFrees, false, false}, judged);
    for (auto& [group, judgement] : judged)
        if (isCut && judgement.verdict == LeakVerdict::LevelledOff) judgement.verdict = LeakVerdict::Kept;
    return judged;
}

} // namespace

bool isSuspect(LeakVerdict verdict, double share) {
    constexpr double kWorthNaming = 0.001;
    return verdict == LeakVerdict::Growing ||
           ((verdict == LeakVerdict::Kept || verdict == LeakVerdict::TooEarly) && share >= kWorthNaming);
}

Result<LeakReport> findLeaks(const store::PublishedTrace& trace, FrameLabels& labels, const LeakQuery& query,
                             const std::stop_token& stop) {
    if (auto refused = whyNoAnswer(AnswerKind::Leaks, trace.lacks)) return *std::move(refused);
    if (!isOfAllocations(query.table))
        return Error{ErrorKind::Usage, "Cannot search this table for leaks. Use virtualalloc or heap."};
    LeakReport report;
    report.interval = {query.interval.start,
                       std::min(query.interval.end, std::max(trace.horizon, query.interval.start))};
    if (report.interval.isEmpty()) return report;
    const SelectionQuery selectionQuery{query.table,
                                        report.interval,
                                        Membership::Table,
                                        {Column::Process, Column::StackBottomUp, Column::FreeType},
                                        &query.filter,
                                        false,
                                        query.allocatorFrames.get(),
                                        query.marks};
    const auto selection = TRY(RowSelection::make(trace, labels, selectionQuery, stop));
    const auto& reader = selection->reader();
    const auto* population = dynamic_cast<const RowPopulation*>(&selection->population());

    OwnerFrames owners(*trace.processes, labels, query.allocatorFrames.get(), query.owners);
    const auto wrappers = findWrappers(trace, labels, query.table, query.allocatorFrames.get(), owners, stop);
    if (!wrappers) return cancelled();
    owners.setWrappers(&*wrappers);
    OwnerPlaces places(trace, labels, reader, owners);
    SuppressedStacks suppressed(trace, labels, query.suppressions.get());
    LeakGroups groups(*selection, *population, report.interval, marksIn(query.marks, report.interval), places,
                      &suppressed);
    if (!groups.collect(kMostGroups, stop)) return cancelled();

    const bool isCut = isOfGenerations(query.filter);
    const bool isTimed = hasRates(trace.lacks, trace.horizon);
    auto judged = judgeAll(trace, labels, query, groups);
    report.count = groups.totals().keptStacks;
    report.keptBytes = groups.totals().kept;
    report.keptUntilExit = groups.totals().keptUntilExit;
    report.suppressed = groups.suppressed();
    report.suppressed.areAsked = query.suppressions != nullptr && !query.suppressions->isEmpty();
    const auto shown = std::min(query.most, judged.size());
    std::partial_sort(
        judged.begin(), judged.begin() + static_cast<std::ptrdiff_t>(shown), judged.end(),
        [&](const Judged& a, const Judged& b) { return isMoreSuspicious(a, b, groups.groups(), report.keptBytes); });
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& group = groups.groups()[judged[i].group];
        auto suspect = numbersOf(group, judged[i].judgement, report.keptBytes);
        if (!isTimed) suspect.rowsPerSecond = 0;
        setSuspectNames(labels, reader, owners, *wrappers, group, suspect);
        suspect.why = whySuspected(suspect, judged[i].judgement);
        if (!isTimed)
            suspect.why += " Its growth rate, and whether it keeps growing, are unknown because the file ends before "
                           "the first tick of its clock.";
        if (isCut && suspect.verdict != LeakVerdict::Growing)
            suspect.why += " Whether it keeps growing cannot be judged from the generations in the filter alone.";
        report.suspects.push_back(std::move(suspect));
    }
    return report;
}

} // namespace highwater::analysis
