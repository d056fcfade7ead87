#include "core/analysis/heaps/heap_list.h"

#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/frames/stack_paths.h"
#include "core/analysis/heaps/heap_lives.h"
#include "core/analysis/heaps/heap_slack.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/table/grouped_table.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace highwater::analysis {
namespace {

/// Sums over the rows of a heap.
struct BlockSums {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    std::uint64_t growth = 0; ///< signed, as two's complement
    std::uint64_t peak = 0;
    std::optional<std::int64_t> bytesPerSecond;
    std::uint64_t rows = 0;
};
using SumsOfHeaps = std::map<HeapKey, BlockSums>;

void add(const CellKey& key, const Sums& sums, const store::PublishedTrace& trace, SumsOfHeaps& heaps) {
    const auto& heap = trace.heapOf(trace.heap.columns->sites[SiteId{key.site}]);
    auto& into = heaps[{heap.process, heap.handle}];
    into.rows += sums.rows;
    into.growth += sums.impacting;
    if (key.type != RowType::AIFO && key.type != RowType::AOFO) return;
    into.count += sums.count;
    into.bytes += sums.opening + sums.impacting;
}

Result<SumsOfHeaps> sumBlocks(const store::PublishedTrace& trace, FrameLabels& labels, const HeapsQuery& query,
                              const std::stop_token& stop) {
    const SelectionQuery selectionQuery{Table::Heap,
                                        query.interval,
                                        Membership::Table,
                                        {Column::Process, Column::Handle, Column::Type},
                                        &query.filter,
                                        query.processExitFreesHeap,
                                        query.allocatorFrames.get(),
                                        query.marks,
                                        query.annotations.get()};
    const auto selection = TRY(RowSelection::make(trace, labels, selectionQuery, stop));
    SumsOfHeaps heaps;
    if (const auto& rows = selection->singleRows()) {
        for (std::size_t i = 0; i < rows->size(); ++i) {
            if (i % 4096 == 0 && stop.stop_requested()) return cancelled();
            const auto facts = selection->population().facts((*rows)[i]);
            add(facts.key, facts.sums, trace, heaps);
        }
        return heaps;
    }
    for (const auto& cell : selection->cells())
        add(cell.key, cell.sums, trace, heaps);
    return heaps;
}

/// Peaks and slopes, as in tables. Both come from one sweep over the events: the peak is the highest of the parts of
/// the trend.
Result<void> addCourses(const store::PublishedTrace& trace, FrameLabels& labels, const HeapsQuery& query,
                        SumsOfHeaps& heaps, const std::stop_token& stop) {
    Query question;
    question.table = Table::Heap;
    question.interval = query.interval;
    question.keys = {Column::Process, Column::Handle};
    question.columns = {Column::Trend, Column::Slope};
    question.filter = query.filter;
    question.processExitFreesHeap = query.processExitFreesHeap;
    question.allocatorFrames = query.allocatorFrames;
    question.marks = query.marks;
    question.annotations = query.annotations;
    // The table does not outlive this function, and the caller owns both.
    const std::shared_ptr<const store::PublishedTrace> borrowedTrace(std::shared_ptr<void>(), &trace);
    const std::shared_ptr<FrameLabels> borrowedLabels(std::shared_ptr<void>(), &labels);
    const auto made = TRY(GroupedTable::compute(borrowedTrace, borrowedLabels, std::move(question), stop));
    auto& table = *made;
    const auto processes = table.children(GroupedTable::kRoot, stop); // a copy, because opening nodes moves the list
    std::vector<GroupedTable::NodeId> nodes;
    for (const auto process : processes) {
        const auto& ofProcess = table.children(process, stop);
        nodes.insert(nodes.end(), ofProcess.begin(), ofProcess.end());
    }
    // One pass over the events for all nodes.
    TRY(table.computeValues(nodes, stop));
    for (const auto node : nodes) {
        const ProcessIndex process{static_cast<std::uint32_t>(table.key(table.parent(node)))};
        const auto found = heaps.find({process, table.key(node)});
        if (found == heaps.end()) continue;
        const auto trend = table.value(node, Column::Trend);
        if (const auto* parts = std::get_if<Series>(&trend); parts != nullptr && !parts->amounts->empty())
            found->second.peak =
                static_cast<std::uint64_t>(*std::max_element(parts->amounts->begin(), parts->amounts->end()));
        const auto slope = table.value(node, Column::Slope);
        if (const auto* speed = std::get_if<std::int64_t>(&slope)) found->second.bytesPerSecond = *speed;
    }
    if (stop.stop_requested()) return cancelled();
    return {};
}

/// Builds HeapFacts.
class HeapWriter {
  public:
    HeapWriter(const store::PublishedTrace& trace, FrameLabels& labels, const HeapsQuery& query)
        : trace_(trace),
          labels_(labels),
          query_(query),
          paths_(trace, labels, labels.labelsOf(trace), StackPaths::Order::LeafFirst, nullptr),
          owners_(*trace.processes, labels, query.allocatorFrames.get()) {}

    HeapFacts factsOf(const HeapKey& key, const BlockSums& sums, const HeapLife& life, const RangeUse* use) {
        HeapFacts heap;
        const bool isKnown = key.process.value < trace_.processes->processes().size();
        heap.process = isKnown ? trace_.processes->key(key.process) : "Unknown";
        heap.handle = key.handle;
        heap.count = sums.count;
        heap.bytes = sums.bytes;
        heap.peak = sums.peak;
        heap.growth = static_cast<SignedByteCount>(sums.growth);
        heap.bytesPerSecond = sums.bytesPerSecond;
        heap.path = {{Column::Process, key.process.value}, {Column::Handle, key.handle}};
        setOrigin(key, life, heap);
        setRanges(life, isKnown && (*trace_.processes)[key.process].end < query_.interval.end, use, heap);
        return heap;
    }

  private:
    void setOrigin(const HeapKey& key, const HeapLife& life, HeapFacts& heap) {
        heap.destroyed = life.destroyed;
        heap.creations = life.creations;
        if (!life.creation) {
            const bool isKnown = key.process.value < trace_.processes->processes().size();
            const bool isOld = !isKnown || (*trace_.processes)[key.process].start == kBeforeTrace;
            heap.origin = key.handle == kMallocHandle   ? HeapOrigin::Malloc
                          : isOld || trace_.isTrimmed() ? HeapOrigin::BeforeTrace
                                                        : HeapOrigin::NotRecorded;
            return;
        }
        heap.origin = HeapOrigin::Recorded;
        heap.created = life.creation->time;
        paths_.add(life.creation->stack);
        const auto frames = paths_.of(life.creation->stack);
        if (life.creation->stack.value == 0) return;
        for (const auto frame : frames)
            heap.stack.emplace_back(labels_.text(LabelId{frame}));
        heap.ownerFrame = owners_.ownerOf(key.process, frames);
    }
    void setRanges(const HeapLife& life, bool hasProcessEnded, const RangeUse* use, HeapFacts& heap) const {
        if (trace_.heapEvents >= store::kMostHeapEvents) {
            heap.gap = SlackGap::TooManyHeaps;
        } else if (life.destroyed) {
            heap.gap = SlackGap::Gone;
        } else if (!life.hasRanges) {
            heap.gap = SlackGap::NoRanges;
        } else if (hasProcessEnded) {
            heap.gap = SlackGap::Ended;
        } else {
            heap.reserved = life.ranges.bytes();
            if (use != nullptr) heap.liveInRanges = use->live;
            if (use == nullptr || !use->hasCommits) {
                heap.gap = SlackGap::NoCommits;
                return;
            }
            heap.committed = use->committed;
            if (use->committed < use->live)
                heap.gap = SlackGap::MoreLive;
            else
                heap.slack = use->committed - use->live;
        }
    }

    const store::PublishedTrace& trace_;
    FrameLabels& labels_;
    const HeapsQuery& query_;
    StackPaths paths_;
    OwnerFrames owners_;
};

/// Whether a heap without blocks in the interval is listed.
bool wasThere(const HeapLife& life, TimeRange interval) {
    const bool isThere = !life.destroyed && (life.creation || life.hasRanges);
    return isThere || (life.destroyed && *life.destroyed >= interval.start);
}

} // namespace

std::string_view originWord(HeapOrigin origin) {
    constexpr std::array<std::string_view, 4> kWords{"recorded", "before", "not-recorded", "malloc"};
    return kWords.at(static_cast<std::size_t>(origin));
}

std::string_view slackGapText(SlackGap gap) {
    constexpr std::array<std::string_view, 7> kTexts{
        "",
        "The address ranges of this heap were not recorded.",
        "No page commits in the address ranges of this heap were recorded.",
        "The address ranges of this heap have more live bytes than known committed bytes because some commits were not "
        "recorded.",
        "The heap was destroyed.",
        "The process of the heap has ended.",
        "This trace has more heap events than Highwater stores."};
    return kTexts.at(static_cast<std::size_t>(gap));
}

std::string unknownSlackText(SlackGap gap) {
    std::string reason(slackGapText(gap));
    if (!reason.empty()) reason.front() = lowered(reason.front());
    return "Slack is unknown because " + reason;
}

std::string creatorText(const HeapFacts& heap) {
    switch (heap.origin) {
    case HeapOrigin::Recorded:
        return heap.stack.empty() ? "(no stack)" : heap.stack[heap.ownerFrame];
    case HeapOrigin::BeforeTrace:
        return "(before the recording)";
    case HeapOrigin::Malloc:
        return "(malloc)";
    case HeapOrigin::NotRecorded:
        break;
    }
    return "(not recorded)";
}

Result<HeapList> findHeaps(const store::PublishedTrace& trace, FrameLabels& labels, const HeapsQuery& query,
                           const std::stop_token& stop) {
    if (auto refused = whyNoAnswer(AnswerKind::Heaps, trace.lacks)) return *std::move(refused);
    auto asked = query;
    asked.interval.end = std::min(query.interval.end, std::max(trace.horizon, query.interval.start));
    HeapList list;
    list.interval = asked.interval;
    if (asked.interval.isEmpty()) return list;
    auto heaps = TRY(sumBlocks(trace, labels, asked, stop));
    TRY(addCourses(trace, labels, asked, heaps, stop));
    const auto lives = heapLivesAt(trace, asked.interval.end);
    const auto uses = usesOfRanges(trace, lives, {asked.interval, Membership::Table, query.processExitFreesHeap}, stop);
    if (!uses) return cancelled();
    if (query.filter.isEmpty()) {
        for (const auto& [key, life] : lives) {
            if (wasThere(life, asked.interval)) heaps.try_emplace(key);
        }
    }
    HeapWriter writer(trace, labels, asked);
    for (const auto& [key, counted] : heaps) {
        const auto life = lives.find(key);
        const auto use = uses->find(key);
        list.heaps.push_back(writer.factsOf(key, counted, life == lives.end() ? HeapLife{} : life->second,
                                            use == uses->end() ? nullptr : &use->second));
        list.count += counted.count;
        list.bytes += counted.bytes;
    }
    std::stable_sort(list.heaps.begin(), list.heaps.end(),
                     [](const HeapFacts& a, const HeapFacts& b) { return a.bytes > b.bytes; });
    return list;
}

} // namespace highwater::analysis
