#include "core/analysis/held/holders.h"

#include "core/analysis/balance/balance.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/held/owner_path.h"
#include "core/analysis/held/stack_owners.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/rows/wrapper_search.h"
#include "core/analysis/table/table_health.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/event/trace_health.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace highwater::analysis {
namespace {

using CellsOfOwners = std::map<std::uint32_t, std::vector<NodeTree::Element>>; ///< by label of the owner

/// Sorts the cells of a selection by process and owner.
class OwnerGroups {
  public:
    OwnerGroups(const store::PublishedTrace& trace, const RowSelection& selection, OwnerFrames& owners)
        : selection_(selection), ofStacks_(trace, selection, owners) {}

    [[nodiscard]] std::map<std::uint32_t, CellsOfOwners> byProcess() {
        std::map<std::uint32_t, CellsOfOwners> groups;
        for (NodeTree::Element cell = 0; cell < selection_.cells().size(); ++cell) {
            const auto& key = selection_.cells()[cell].key;
            const auto process = static_cast<std::uint32_t>(selection_.reader().key(Column::Process, key));
            groups[process][ofStacks_.of(ProcessIndex{process}, key)].push_back(cell);
        }
        return groups;
    }

    [[nodiscard]] KeyPath pathToOwner(ProcessIndex process, NodeTree::Element cell) const {
        return ofStacks_.pathToOwner({{Column::Process, process.value}}, process, selection_.cells()[cell].key);
    }

  private:
    const RowSelection& selection_;
    StackOwners ofStacks_;
};

/// The cell whose rows have the most bytes in RAM.
NodeTree::Element largestOf(const std::vector<NodeTree::Element>& cells, HeldMemoryCounter& counter) {
    auto largest = cells.front();
    ByteCount most = 0;
    for (const auto cell : cells) {
        const auto memory = cells.size() == 1 ? std::nullopt : counter.count({&cell, 1});
        if (!memory || memory->resident <= most) continue;
        most = memory->resident;
        largest = cell;
    }
    return largest;
}

std::string_view doubtAbout(const store::PublishedTrace& trace, Effect ofLosses, ProcessIndex process) {
    if (hasUnrecordedBlocks(trace, process)) return kUnrecordedOnPages;
    if (ofLosses == Effect::None) return {};
    return "Held Pages may be too high or too low because allocations or frees are missing in the trace.";
}

/// The holders of one process, and all of them together. Returns the cells of the first holder; null: there is none.
const std::vector<NodeTree::Element>* countHolders(const CellsOfOwners& owners, const FrameLabels& labels,
                                                   HeldMemoryCounter& counter, ProcessHolders& process) {
    const auto isBefore = [](const Holder& a, const Holder& b) {
        return std::tuple(b.heldPages, b.resident, a.owner) < std::tuple(a.heldPages, a.resident, b.owner);
    };
    const std::vector<NodeTree::Element>* first = nullptr;
    std::size_t firstIndex = 0;
    std::vector<NodeTree::Element> all;
    for (const auto& [label, cells] : owners) {
        all.insert(all.end(), cells.begin(), cells.end());
        const auto memory = counter.count(cells);
        if (!memory || memory->rows == 0) continue;
        process.holders.push_back({*memory, std::string(labels.text(LabelId{label})), {}});
        if (first == nullptr || isBefore(process.holders.back(), process.holders[firstIndex])) {
            first = &cells;
            firstIndex = process.holders.size() - 1;
        }
    }
    std::ranges::sort(process.holders, isBefore);
    process.all = counter.count(all).value_or(HeldMemory{.rowsOnUnknownPages = counter.countUnknown(all)});
    return first;
}

} // namespace

std::string meaningOf(const ProcessHolders& holders) {
    std::vector<std::string> sentences;
    if (!holders.holders.empty() && holdsMuchMore(holders.holders.front())) {
        const auto& first = holders.holders.front();
        sentences.push_back(fmt::format("{} in {} {} of {} hold {} of pages that contain no other heap blocks.",
                                        bytesText(first.resident), thousands(first.rows),
                                        first.rows == 1 ? "block" : "blocks", printable(first.owner),
                                        bytesText(first.heldPages)));
    }
    if (!holders.doubt.empty() && !holders.holders.empty()) sentences.emplace_back(holders.doubt);
    if (const auto rows = holders.all.rowsOnUnknownPages; rows > 0)
        sentences.push_back(fmt::format("The numbers leave out {} because it is unknown which of {} pages are in RAM.",
                                        counted(rows, "block"), byNumber(rows, "its", "their")));
    return fmt::format("{}", fmt::join(sentences, " "));
}

Result<std::vector<ProcessHolders>> findHolders(const store::PublishedTrace& trace, FrameLabels& labels,
                                                const HolderQuery& query, const std::stop_token& stop) {
    if (auto refused = whyNoBalance(trace)) return *std::move(refused);
    SelectionQuery wanted;
    wanted.table = query.table;
    wanted.interval = query.samples.interval;
    wanted.columns = {Column::Process, Column::StackBottomUp};
    wanted.allocatorFrames = query.allocatorFrames.get();
    const auto selection = TRY(RowSelection::make(trace, labels, wanted, stop));
    OwnerFrames owners(*trace.processes, labels, query.allocatorFrames.get(), query.owners);
    const auto wrappers = findWrappers(trace, labels, {query.table, query.allocatorFrames, query.owners}, stop);
    if (!wrappers) return cancelled();
    owners.setWrappers(wrappers.get());
    auto counter = HeldMemoryCounter::make(*selection, query.table, query.samples.interval, stop);
    if (!counter) return cancelled();
    OwnerGroups groups(trace, *selection, owners);
    auto cells = groups.byProcess();
    const auto ofLosses = healthOf(trace, query.table).effect();
    std::vector<ProcessHolders> found;
    for (const auto& [process, time, rss] : counter->samples()) {
        if (stop.stop_requested()) return cancelled();
        if (!isMeant(trace, query.samples, process)) continue;
        ProcessHolders holders{
            process, trace.processes->key(process), time, rss, doubtAbout(trace, ofLosses, process), {}, {}};
        const auto* first = countHolders(cells[process.value], labels, *counter, holders);
        if (query.asksPath && first != nullptr)
            holders.holders.front().path = groups.pathToOwner(process, largestOf(*first, *counter));
        found.push_back(std::move(holders));
    }
    return found;
}

Result<std::optional<ProcessHolders>> findLargestHolder(const store::PublishedTrace& trace, FrameLabels& labels,
                                                        const HolderQuery& query, const std::stop_token& stop) {
    std::optional<ProcessHolders> largest;
    if (whyNoBalance(trace)) return largest;
    auto found = TRY(findHolders(trace, labels, query, stop));
    for (auto& process : found) {
        std::erase_if(process.holders, [](const Holder& holder) { return !holdsMuchMore(holder); });
        if (process.holders.empty()) continue;
        process.holders.resize(1);
        if (!largest || process.holders.front().heldPages > largest->holders.front().heldPages)
            largest = std::move(process);
    }
    return largest;
}

} // namespace highwater::analysis
