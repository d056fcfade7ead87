#include "core/analysis/leaks/leak_suspects.h"

#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/leaks/heap_memory.h"
#include "core/analysis/leaks/leak_groups.h"
#include "core/analysis/leaks/leak_sentence.h"
#include "core/analysis/leaks/owner_places.h"
#include "core/analysis/leaks/suspect_numbers.h"
#include "core/analysis/rows/wrapper_search.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace highwater::analysis {
namespace {

/// Groups that are examined row by row, by bytes and by rows. Users do not read more.
constexpr std::size_t kMostGroups = 512;

struct Judged {
    std::size_t group = 0;
    LeakJudgement judgement;
    BlockSum unreachable = {};
};

/// The sources of a search, which outlive it.
struct LeakSources {
    const store::PublishedTrace& trace;
    FrameLabels& labels;
    const LeakQuery& query;
    TimeRange interval;
    HeapMemory* heapMemory = nullptr;   ///< null: only one table is searched
    PicturedStacks* pictures = nullptr; ///< of Heap; null: the interval contains none
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
    case LeakVerdict::Unreachable:
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

bool beginsProcess(const store::PublishedTrace& trace, const LeakGroup& group) {
    const auto start = (*trace.processes)[group.process].start;
    return group.period.start == start || (start == kBeforeTrace && group.period.start == trace.wholeRange().start);
}

/// Constructors of libraries, called by the glibc loader. Libraries that dlopen() loads later have frames of the
/// program outside.
bool isBeforeMain(const FrameLabels& labels, const LeakGroup& group) {
    return !group.frames.empty() && labels.text(LabelId{group.frames.back()}).starts_with("ld-linux");
}

/// Whether the filter selects only rows that were allocated between certain marks. Then later rows are never selected,
/// even if the stack continues to allocate.
bool isOfGenerations(const RowFilter& filter) {
    if (filter.hasConditions() && filter.query->columns().contains(Column::Generation)) return true;
    return std::any_of(filter.clauses.begin(), filter.clauses.end(), [](const RowFilter::Clause& clause) {
        return std::any_of(clause.anyOf.begin(), clause.anyOf.end(), [](const KeyPath& path) {
            return std::any_of(path.begin(), path.end(),
                               [](const KeyStep& step) { return step.column == Column::Generation; });
        });
    });
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

std::vector<Judged> judgeAll(const store::PublishedTrace& trace, const FrameLabels& labels, bool isCut,
                             const LeakGroups& groups, const PicturedStacks* pictures) {
    const auto lostFrees = lostFreesIn(trace, groups);
    const bool isTimed = hasRates(trace.lacks, trace.horizon);
    std::vector<Judged> judged;
    for (std::size_t i = 0; i < groups.groups().size(); ++i) {
        const auto& group = groups.groups()[i];
        const bool isKept = group.evidence.keptCount > 0;
        const auto unreachable = pictures == nullptr ? BlockSum() : pictures->unreachableOf(group.pictured);
        if (!isKept && unreachable.count == 0) continue;
        judged.push_back({i, {}, unreachable});
        auto& judgement = judged.back().judgement;
        if (!isKept) continue; // the times of its rows are not in the interval
        if (isTimed)
            judgement = judge(group.evidence, group.period,
                              {lostFrees, beginsProcess(trace, group), isBeforeMain(labels, group)});
        else
            judgement.verdict = LeakVerdict::TooEarly;
    }
    if (isTimed) judgeFamilies(groups, {lostFrees, false, false}, judged);
    for (auto& one : judged)
        if (isCut && one.judgement.verdict == LeakVerdict::LevelledOff) one.judgement.verdict = LeakVerdict::Kept;
    return judged;
}

/// The stacks of one table that keep memory, judged.
class TableSearch {
  public:
    static Result<std::unique_ptr<TableSearch>> make(const LeakSources& sources, Table table,
                                                     const std::stop_token& stop) {
        const auto& filter = *filterIn(sources.query, table);
        const SelectionQuery query{table,
                                   sources.interval,
                                   Membership::Table,
                                   {Column::Process, Column::StackBottomUp, Column::FreeType},
                                   &filter,
                                   false,
                                   sources.query.allocatorFrames.get(),
                                   sources.query.marks};
        auto selection = TRY(RowSelection::make(sources.trace, sources.labels, query, stop));
        std::unique_ptr<TableSearch> search(new TableSearch(sources, table, std::move(selection)));
        if (!search->run(isOfGenerations(filter), stop)) return cancelled();
        return search;
    }

    [[nodiscard]] Table table() const { return table_; }
    [[nodiscard]] const LeakGroups& groups() const { return groups_; }
    [[nodiscard]] const std::vector<Judged>& judged() const { return judged_; }
    [[nodiscard]] const LeakEvidence& evidenceOf(const Judged& judged) const {
        return groups_.groups()[judged.group].evidence;
    }
    /// For the suspects that are made afterwards. False: stopped.
    [[nodiscard]] bool findHeldPages(const std::stop_token& stop);
    [[nodiscard]] LeakSuspect suspectOf(const Judged& judged);

  private:
    TableSearch(const LeakSources& sources, Table table, std::unique_ptr<RowSelection> selection)
        : sources_(sources),
          table_(table),
          selection_(std::move(selection)),
          owners_(*sources.trace.processes, sources.labels, sources.query.allocatorFrames.get(), sources.query.owners),
          places_(sources.trace, sources.labels, selection_->reader(), owners_),
          suppressed_(sources.trace, sources.labels, sources.query.suppressions.get()),
          groups_(*selection_, *dynamic_cast<const RowPopulation*>(&selection_->population()), sources.interval,
                  marksIn(sources.query.marks, sources.interval), places_,
                  {&suppressed_, table == Table::VirtualAlloc ? sources.heapMemory : nullptr}) {}

    /// False: stopped.
    bool run(bool isCut, const std::stop_token& stop) {
        isCut_ = isCut;
        wrappers_ = findWrappers(sources_.trace, sources_.labels,
                                 {table_, sources_.query.allocatorFrames, sources_.query.owners}, stop);
        if (!wrappers_) return false;
        owners_.setWrappers(wrappers_.get());
        if (!groups_.collect(kMostGroups, pictures(), stop)) return false;
        judged_ = judgeAll(sources_.trace, sources_.labels, isCut_, groups_, pictures());
        return true;
    }
    [[nodiscard]] PicturedStacks* pictures() const { return table_ == Table::Heap ? sources_.pictures : nullptr; }

    LeakSources sources_;
    Table table_;
    std::unique_ptr<RowSelection> selection_;
    OwnerFrames owners_;
    std::shared_ptr<const Wrappers> wrappers_;
    OwnerPlaces places_;
    SuppressedStacks suppressed_;
    LeakGroups groups_;
    std::vector<Judged> judged_;
    std::optional<HeldMemoryCounter> heldPages_;
    std::vector<std::vector<NodeTree::Element>> elements_; ///< by group; none: no process has a sample
    bool isCut_ = false;
};

bool TableSearch::findHeldPages(const std::stop_token& stop) {
    heldPages_ = HeldMemoryCounter::make(*selection_, table_, sources_.interval, stop);
    if (heldPages_ && !heldPages_->samples().empty()) elements_ = groups_.elements();
    return heldPages_.has_value();
}

LeakSuspect TableSearch::suspectOf(const Judged& judged) {
    const auto& group = groups_.groups()[judged.group];
    const bool isTimed = hasRates(sources_.trace.lacks, sources_.trace.horizon);
    auto suspect = numbersOf(group, judged.judgement, groups_.totals().kept);
    suspect.table = table_;
    if (!isTimed) suspect.rowsPerSecond = 0;
    setSuspectNames(sources_.labels, selection_->reader(), owners_, *wrappers_, group, suspect);
    if (!elements_.empty()) suspect.held = heldPages_->count(elements_[judged.group]);
    const bool isKept = suspect.keptCount > 0;
    if (isKept) suspect.why = whySuspected(suspect, judged.judgement);
    if (isKept && !isTimed)
        suspect.why += " Its growth rate, and whether it keeps growing, are unknown because the file ends before the "
                       "first tick of its clock.";
    if (isKept && isCut_ && suspect.verdict != LeakVerdict::Growing)
        suspect.why += " Whether it keeps growing cannot be judged from the generations in the filter alone.";
    if (pictures() != nullptr) addPicture(pictures()->of(group.pictured), suspect);
    return suspect;
}

using Searches = std::vector<std::unique_ptr<TableSearch>>;

/// A stack of one of the searches.
struct Ranked {
    std::size_t search = 0;
    const Judged* judged = nullptr;
};

/// Smaller for stacks that precede others.
std::pair<int, double> rankOfGrowth(double confidence, const Growth& growth) {
    return {confidence < kSureConfidence ? 1 : 0, -growth.perSecond * confidence};
}

bool isMoreSuspicious(const Ranked& a, const Ranked& b, const Searches& searches) {
    const auto byTime = [](const Judged& judged, std::pair<int, double> others) {
        const auto& judgement = judged.judgement;
        return judgement.verdict == LeakVerdict::Growing ? rankOfGrowth(judgement.confidence, judgement.growth)
                                                         : others;
    };
    const auto rank = [&](const Ranked& ranked) {
        const auto& search = *searches[ranked.search];
        const auto& evidence = search.evidenceOf(*ranked.judged);
        const auto& judgement = ranked.judged->judgement;
        const auto& unreachable = ranked.judged->unreachable;
        const auto weight = static_cast<double>(evidence.keptBytes) * weightOf(judgement.verdict);
        const auto share = shareOf(evidence.keptBytes, search.groups().totals().kept);
        const auto others = std::pair(isSuspect(judgement.verdict, share) ? 2 : 3, -weight);
        return std::tuple(unreachable.count == 0, -static_cast<double>(unreachable.bytes),
                          byTime(*ranked.judged, others), -static_cast<double>(evidence.keptCount), ranked.search,
                          ranked.judged->group);
    };
    return rank(a) < rank(b);
}

std::vector<Ranked> ranked(const Searches& searches, std::size_t most) {
    std::vector<Ranked> all;
    for (std::size_t i = 0; i < searches.size(); ++i) {
        for (const auto& judged : searches[i]->judged())
            all.push_back({i, &judged});
    }
    const auto shown = std::min(most, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), all.end(),
                      [&](const Ranked& a, const Ranked& b) { return isMoreSuspicious(a, b, searches); });
    all.resize(shown);
    return all;
}

void add(const LeftOutStacks& part, LeftOutStacks& sum) {
    sum.stacks += part.stacks;
    sum.keptCount += part.keptCount;
    sum.keptBytes += part.keptBytes;
}

void addTotals(const TableSearch& search, LeakReport& report) {
    const auto& totals = search.groups().totals();
    report.tables.push_back({search.table(), totals.keptStacks, totals.kept});
    report.count += totals.keptStacks;
    report.keptBytes += totals.kept;
    report.keptUntilExit += totals.keptUntilExit;
    add(search.groups().suppressed(), report.suppressed);
    add(search.groups().heapMemory(), report.heapMemory);
}

/// Heap first. A table without rows is only searched if the other has none either.
std::vector<Table> tablesOf(const store::PublishedTrace& trace, const LeakQuery& query) {
    const auto other = otherAllocations(query.table);
    const bool hasOther = query.otherFilter && trace.table(rowsOf(other)).rows > 0;
    if (!hasOther) return {query.table};
    if (trace.table(rowsOf(query.table)).rows == 0) return {other};
    return {Table::Heap, Table::VirtualAlloc};
}

TimeRange intervalOf(const store::PublishedTrace& trace, const LeakQuery& query) {
    return {query.interval.start, std::min(query.interval.end, std::max(trace.horizon, query.interval.start))};
}

/// Blocks without a row match no filter.
std::vector<UntracedBlocks> untracedOf(const store::PublishedTrace& trace, const LeakQuery& query,
                                       const PicturedStacks& pictures) {
    std::vector<UntracedBlocks> untraced;
    if (!filterIn(query, Table::Heap)->isEmpty()) return untraced;
    const auto& all = pictures.pictures().all();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& picture = *all[i].picture;
        const auto unreachable = pictures.untracedUnreachableOf(i);
        if (unreachable.count == 0 && trace.heap.rows > 0) continue;
        untraced.push_back({trace.processes->key(all[i].process), picture.time, picture.blocks.size(), unreachable,
                            !picture.blocks.empty() || !picture.hasUnknownBlocks});
    }
    return untraced;
}

} // namespace

bool isSuspect(LeakVerdict verdict, double share) {
    constexpr double kWorthNaming = 0.001;
    return isLeak(verdict) ||
           ((verdict == LeakVerdict::Kept || verdict == LeakVerdict::TooEarly) && share >= kWorthNaming);
}

bool isWorse(const LeakSuspect& a, const LeakSuspect& b) {
    const auto rank = [](const LeakSuspect& suspect) {
        const auto unreachable = suspect.unreachable();
        return std::tuple(unreachable.count == 0, -static_cast<double>(unreachable.bytes),
                          rankOfGrowth(suspect.confidence, suspect.growth));
    };
    return rank(a) < rank(b);
}

const RowFilter* filterIn(const LeakQuery& query, Table table) {
    if (table == query.table) return &query.filter;
    return query.otherFilter ? &*query.otherFilter : nullptr;
}

Result<std::unique_ptr<PicturedStacks>> picturesOf(const store::PublishedTrace& trace, FrameLabels& labels,
                                                   const LeakQuery& query, const std::stop_token& stop) {
    if (filterIn(query, Table::Heap) == nullptr) return std::unique_ptr<PicturedStacks>();
    return PicturedStacks::make(trace, labels, {intervalOf(trace, query), query.allocatorFrames, query.owners}, stop);
}

Result<LeakReport> findLeaks(const store::PublishedTrace& trace, FrameLabels& labels, const LeakQuery& query,
                             const std::stop_token& stop, PicturedStacks* pictures) {
    if (auto refused = whyNoAnswer(AnswerKind::Leaks, trace.lacks)) return *std::move(refused);
    if (!isOfAllocations(query.table))
        return Error{ErrorKind::Usage, "Cannot search this table for leaks. Use virtualalloc or heap."};
    const auto tables = tablesOf(trace, query);
    LeakReport report;
    report.interval = intervalOf(trace, query);
    report.suppressed.areAsked = query.suppressions != nullptr && !query.suppressions->isEmpty();
    if (report.interval.isEmpty()) {
        for (const auto table : tables)
            report.tables.push_back({table});
        return report;
    }
    std::optional<HeapMemory> heapMemory;
    if (tables.size() > 1) heapMemory.emplace(trace, labels, stop);
    LeakSources sources{trace, labels, query, report.interval, heapMemory ? &*heapMemory : nullptr};
    std::unique_ptr<PicturedStacks> own;
    if (pictures == nullptr) {
        own = TRY(picturesOf(trace, labels, query, stop));
        pictures = own.get();
    }
    sources.pictures = pictures;
    report.hasPicture = pictures != nullptr;
    if (pictures != nullptr) report.untraced = untracedOf(trace, query, *pictures);
    Searches searches;
    for (const auto table : tables) {
        auto search = TRY(TableSearch::make(sources, table, stop));
        if (query.asksHeldPages && !search->findHeldPages(stop)) return cancelled();
        searches.push_back(std::move(search));
        addTotals(*searches.back(), report);
    }
    for (const auto& [search, judged] : ranked(searches, query.most))
        report.suspects.push_back(searches[search]->suspectOf(*judged));
    return report;
}

} // namespace highwater::analysis
