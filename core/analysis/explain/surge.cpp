#include "core/analysis/explain/surge.h"

#include "core/analysis/explain/rises.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/rows/wrapper_search.h"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <tuple>

namespace highwater::analysis {
namespace {

Result<std::unique_ptr<RowSelection>> select(const store::PublishedTrace& trace, FrameLabels& labels,
                                             const SurgeQuery& query, TimeRange interval, ColumnSet columns,
                                             const std::stop_token& stop) {
    const SelectionQuery selection{query.table,   interval, Membership::Table,           columns,
                                   &query.filter, false,    query.allocatorFrames.get(), query.marks};
    return RowSelection::make(trace, labels, selection, stop);
}

using Frames = std::span<const std::uint32_t>;
struct FramesLess {
    bool operator()(Frames a, Frames b) const {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    }
};

struct Part {
    CellKey example;
    std::uint64_t bytes = 0; ///< signed, as two's complement
};

/// The Impacting Size of each cell; if the filter distinguishes rows, only of the rows that match.
std::vector<std::uint64_t> impactsOf(const RowSelection& selection) {
    std::vector<std::uint64_t> bytes(selection.cells().size());
    if (!selection.singleRows()) {
        for (std::size_t cell = 0; cell < bytes.size(); ++cell)
            bytes[cell] = selection.cells()[cell].sums.impacting;
        return bytes;
    }
    const auto& population = dynamic_cast<const RowPopulation&>(selection.population());
    for (const auto row : *selection.singleRows())
        bytes[population.cellOf(static_cast<RowId>(row))] += population.facts(row).sums.impacting;
    return bytes;
}

/// By stack, largest rise first.
std::vector<Part> partsOf(const RowSelection& selection, ProcessIndex process, std::uint64_t& total) {
    std::map<Frames, Part, FramesLess> byStack;
    const auto impacts = impactsOf(selection);
    for (std::size_t cell = 0; cell < impacts.size(); ++cell) {
        const auto& key = selection.cells()[cell].key;
        if (selection.reader().key(Column::Process, key) != process.value) continue;
        const auto frames = selection.reader().stack(Column::StackBottomUp, key);
        auto& part = byStack.try_emplace(frames, Part{key}).first->second;
        part.bytes += impacts[cell];
        total += impacts[cell];
    }
    std::vector<Part> parts;
    for (const auto& [frames, part] : byStack) {
        if (static_cast<SignedByteCount>(part.bytes) > 0) parts.push_back(part);
    }
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return static_cast<SignedByteCount>(a.bytes) > static_cast<SignedByteCount>(b.bytes);
    });
    return parts;
}

/// Adds the stacks that caused the surge, with their names. False: nothing rose in the part after all because the
/// filter depends on the interval.
bool addStacks(FrameLabels& labels, const SurgeQuery& query, const RowSelection& selection, OwnerFrames& owners,
               Surge& surge) {
    std::uint64_t total = 0;
    const auto parts = partsOf(selection, surge.process, total);
    surge.bytes = static_cast<SignedByteCount>(total);
    surge.endBytes = static_cast<SignedByteCount>(static_cast<std::uint64_t>(surge.startBytes) + total);
    surge.stackCount = parts.size();
    for (std::size_t i = 0; i < std::min(query.most, parts.size()); ++i) {
        SurgeStack stack;
        const auto whole = selection.reader().wholeStack(Column::StackBottomUp, parts[i].example).frames;
        for (const auto frame : whole)
            stack.stack.emplace_back(labels.text(LabelId{frame}));
        stack.path = {{Column::Process, surge.process.value}};
        for (const auto frame : selection.reader().stack(Column::StackBottomUp, parts[i].example))
            stack.path.push_back({Column::StackBottomUp, frame});
        stack.ownerFrame = owners.ownerOf(surge.process, whole);
        stack.owner = stack.stack[stack.ownerFrame];
        stack.bytes = static_cast<SignedByteCount>(parts[i].bytes);
        stack.share = surge.bytes > 0 ? static_cast<double>(stack.bytes) / static_cast<double>(surge.bytes) : 0;
        surge.stacks.push_back(std::move(stack));
    }
    return surge.bytes > 0;
}

struct Candidate {
    const ProcessRise* process = nullptr;
    const Rise* rise = nullptr;
    SurgeKind kind = SurgeKind::Gradual;

    /// If rises are equal, the first one remains.
    void takeLarger(const ProcessRise& other, const Rise& otherRise) {
        if (rise != nullptr && otherRise.bytes <= rise->bytes) return;
        process = &other;
        rise = &otherRise;
    }
    /// At least this share of another rise.
    [[nodiscard]] bool has(double share, const Rise& of) const {
        return rise != nullptr && static_cast<double>(rise->bytes) >= share * static_cast<double>(of.bytes);
    }
};

/// `rises` are sorted by the largest rise and not empty.
Candidate surgeOf(const std::vector<ProcessRise>& rises) {
    Candidate largest{&rises.front(), &rises.front().largest, SurgeKind::Gradual};
    Candidate startUp{.kind = SurgeKind::StartUp};
    Candidate steep{.kind = SurgeKind::Steep};
    for (const auto& rise : rises) {
        if (rise.isStartUp) startUp.takeLarger(rise, rise.steepest);
        steep.takeLarger(rise, rise.isStartUp ? rise.later : rise.steepest);
    }
    const bool isNotable = steep.has(0.25, *largest.rise);
    if (isNotable && (startUp.rise == nullptr || steep.has(0.5, *startUp.rise))) return steep;
    return startUp.has(0.5, *largest.rise) ? startUp : largest;
}

} // namespace

Result<void> addPictures(const store::PublishedTrace& trace, FrameLabels& labels, const SurgeQuery& query,
                         PicturedStacks& pictures, Surge& surge, const std::stop_token& stop) {
    const auto all = TRY(
        select(trace, labels, query, query.interval, {Column::Process, Column::StackBottomUp, Column::FreeType}, stop));
    const auto numberOf = [&](const CellKey& key) {
        const auto frames = all->reader().stack(Column::StackBottomUp, key);
        const auto isThis = [&](const SurgeStack& stack) {
            const auto path = std::span(stack.path).subspan(1);
            return std::ranges::equal(path, frames, {}, &KeyStep::key);
        };
        const auto found = std::ranges::find_if(surge.stacks, isThis);
        const bool isOf = all->reader().key(Column::Process, key) == surge.process.value && !isFreedInside(key);
        return isOf && found != surge.stacks.end() ? static_cast<std::uint32_t>(found - surge.stacks.begin())
                                                   : PicturedStacks::kNoGroup;
    };
    std::vector<std::uint32_t> groups;
    for (const auto& cell : all->cells())
        groups.push_back(numberOf(cell.key));
    if (!pictures.assign(*all, groups, stop)) return cancelled();
    for (std::uint32_t i = 0; i < surge.stacks.size(); ++i)
        surge.stacks[i].picture = pictures.of(i);
    return {};
}

Result<SurgeReport> findSurge(const store::PublishedTrace& trace, FrameLabels& labels, const SurgeQuery& query,
                              const std::stop_token& stop) {
    if (!isOfAllocations(query.table))
        return Error{ErrorKind::Usage, "Cannot explain growth in this table. Use virtualalloc or heap."};
    SurgeReport report;
    const TimeRange interval{query.interval.start,
                             std::min(query.interval.end, std::max(trace.horizon, query.interval.start))};
    if (interval.isEmpty()) return report;
    const auto whole = TRY(select(trace, labels, query, interval, {Column::Process}, stop));
    auto rises = findRises(*whole, stop);
    if (!rises) return cancelled();
    std::stable_sort(rises->begin(), rises->end(), [](const ProcessRise& a, const ProcessRise& b) {
        return std::tuple(b.largest.bytes, b.rows) < std::tuple(a.largest.bytes, a.rows);
    });
    for (const auto& rise : *rises) {
        if (rise.rows == 0) continue; // no row of its cell matched
        report.programs.push_back({whole->reader().text(Column::Process, rise.process.value), rise.rows});
    }
    if (rises->empty() || rises->front().largest.bytes <= 0) return report;
    const auto found = surgeOf(*rises);
    Surge surge;
    surge.kind = found.kind;
    surge.process = found.process->process;
    surge.processText = whole->reader().text(Column::Process, surge.process.value);
    surge.part = found.rise->part;
    surge.startBytes = found.rise->startBytes;
    surge.lastBytes = found.process->lastBytes;
    const auto part = TRY(select(trace, labels, query, surge.part, {Column::Process, Column::StackBottomUp}, stop));
    OwnerFrames owners(*trace.processes, labels, query.allocatorFrames.get(), query.owners);
    const auto wrappers = findWrappers(trace, labels, {query.table, query.allocatorFrames, query.owners}, stop);
    if (!wrappers) return cancelled();
    owners.setWrappers(wrappers.get());
    if (addStacks(labels, query, *part, owners, surge)) report.surge = std::move(surge);
    return report;
}

} // namespace highwater::analysis
