#include "core/analysis/table/grouped_table.h"

#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/query/annotations.h"
#include "core/analysis/rows/key_reader.h"
#include "core/analysis/rows/wrapper_search.h"
#include "core/analysis/table/grouped_table_impl.h"
#include "core/analysis/table/peak_sweep.h"

#include <algorithm>
#include <tuple>

namespace highwater::analysis {
namespace {

/// Removes repeated columns: below the first occurrence, all rows share the key.
void dropRepetitions(std::vector<Column>& keys) {
    for (auto key = keys.begin(); key != keys.end();) {
        key = std::find(keys.begin(), key, *key) == key ? key + 1 : keys.erase(key);
    }
}

} // namespace

Result<std::shared_ptr<GroupedTable>> GroupedTable::compute(std::shared_ptr<const store::PublishedTrace> trace,
                                                            std::shared_ptr<FrameLabels> labels, Query query,
                                                            std::stop_token stop) {
    dropRepetitions(query.keys);
    auto impl = std::make_unique<Impl>(std::move(trace), std::move(labels), std::move(query));
    if (auto refusal = impl->refusal()) return *std::move(refusal);
    impl->used = impl->usedColumns();
    const auto& asked = impl->query;
    const SelectionQuery selection{asked.table,
                                   asked.interval,
                                   Membership::Table,
                                   impl->used,
                                   &asked.filter,
                                   asked.processExitFreesHeap,
                                   asked.allocatorFrames.get(),
                                   asked.marks,
                                   asked.annotations.get(),
                                   asked.instances};
    impl->selection = TRY(RowSelection::make(*impl->trace, *impl->labels, selection, stop));
    if (!impl->collectRowColumns(stop)) return cancelled();
    impl->tree = std::make_unique<NodeTree>(impl->query, *impl->selection);
    impl->leafRows = std::make_unique<LeafRows>(*impl->tree, *impl->selection);
    if (stop.stop_requested()) return cancelled();
    return std::shared_ptr<GroupedTable>(new GroupedTable(std::move(impl)));
}

GroupedTable::GroupedTable(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GroupedTable::~GroupedTable() = default;

const Query& GroupedTable::query() const { return impl_->query; }
const store::PublishedTrace& GroupedTable::trace() const { return *impl_->trace; }

const std::vector<GroupedTable::NodeId>& GroupedTable::children(NodeId node, std::stop_token stop) {
    auto& tree = *impl_->tree;
    if (!tree.node(node).canOpen) return impl_->noChildren; // there may be millions of nodes
    if (tree.node(node).isOpen) {
        return impl_->sortAgain(node, stop) ? tree.node(node).children : impl_->noChildren;
    }
    if (!tree.open(node, stop)) return impl_->noChildren;
    if (!impl_->compute(tree.node(node).children, impl_->sortingValues(), stop).hasValue()) {
        tree.close(node);
        impl_->forgetFrom(tree.size());
        return impl_->noChildren;
    }
    impl_->sortChildren(node);
    return tree.node(node).children;
}

bool GroupedTable::open(std::span<const NodeId> nodes, std::stop_token stop) {
    auto& tree = *impl_->tree;
    std::vector<NodeId> opened, children;
    bool isWhole = true;
    for (const auto node : nodes) {
        if (!tree.node(node).canOpen || tree.node(node).isOpen) continue;
        isWhole = tree.open(node, stop);
        if (!isWhole) break;
        opened.push_back(node);
        children.insert(children.end(), tree.node(node).children.begin(), tree.node(node).children.end());
    }
    if (!isWhole || !impl_->compute(children, impl_->sortingValues(), stop).hasValue()) {
        for (; !opened.empty(); opened.pop_back()) // in reverse order because the last nodes are removed first
            tree.close(opened.back());
        impl_->forgetFrom(tree.size());
        return false;
    }
    for (const auto node : opened)
        impl_->sortChildren(node);
    return true;
}

std::vector<GroupedTable::NodeId> GroupedTable::rows(NodeId leaf, std::size_t first, std::size_t count,
                                                     std::stop_token stop) {
    if (rowCount(leaf) == 0) return {};
    return impl_->leafRows->rows(leaf, first, count, impl_->rowOrder(), stop);
}

std::uint64_t GroupedTable::rowCount(NodeId node) const {
    const auto& of = impl_->tree->node(node);
    return node == kRoot || of.canOpen || of.column == Column::Allocation ? 0 : of.sums.rows;
}

RowNumbers GroupedTable::numbersOf(NodeId row) const { return impl_->selection->population().numbersOf(key(row)); }

std::optional<std::uint64_t> GroupedTable::threadOf(NodeId row) const {
    const auto facts = impl_->selection->population().facts(key(row));
    const auto thread = reader().key(Column::Thread, facts.key);
    return KeyReader::exists(Column::Thread, thread) ? std::optional(thread) : std::nullopt;
}

std::optional<RowOrder> GroupedTable::Impl::rowOrder() const {
    if (query.sort.empty()) return RowOrder{};
    for (const auto& key : query.sort) {
        const auto by = normalized(key.value());
        const bool isOfNumbers = by.aggregation == Aggregation::Count || by.aggregation == Aggregation::UniqueCount;
        const auto column = RowValues::rowColumn(by.column);
        if (column && !isOfNumbers && !isOfOneLevel(key)) return RowOrder{*column, key.descending};
    }
    return std::nullopt;
}

bool GroupedTable::hasChildren(NodeId node) const { return impl_->tree->node(node).canOpen; }
GroupedTable::NodeId GroupedTable::parent(NodeId node) const { return impl_->tree->node(node).parent; }
Column GroupedTable::column(NodeId node) const { return impl_->tree->node(node).column; }
std::uint64_t GroupedTable::key(NodeId node) const { return impl_->tree->node(node).key; }

std::string GroupedTable::keyText(NodeId node) const {
    if (node == kRoot) return {};
    const auto& reader = impl_->selection->reader();
    if (column(node) == Column::Allocation) {
        const auto named = hasColumn(impl_->query.table, Column::Address) ? Column::Address : Column::BeginTime;
        return reader.text(named, reader.key(named, numbersOf(node)));
    }
    return reader.text(column(node), key(node));
}

KeyPath GroupedTable::renewed(const KeyPath& path) const {
    KeyPath renewed;
    for (std::size_t i = 0; i < path.size();) {
        const auto first = path.begin() + static_cast<std::ptrdiff_t>(i);
        const auto last = isStack(first->column)
                              ? std::find_if(first, path.end(), [&](auto& s) { return s.column != first->column; })
                              : first + 1;
        if (isStack(first->column)) {
            impl_->addRenewed({first, last}, last != path.end(), renewed);
        } else {
            renewed.push_back(*first);
        }
        i = static_cast<std::size_t>(last - path.begin());
    }
    return renewed;
}

void GroupedTable::Impl::addRenewed(std::span<const KeyStep> steps, bool isWhole, KeyPath& path) const {
    const auto column = steps.front().column;
    const auto* skipped = isBottomUp(column) ? skippedIn(query.table, query.allocatorFrames.get()) : nullptr;
    const auto frames = selection->reader().renewedFrames(steps, isWhole, LabelHistory::Wanted::First);
    bool isLeaf = true;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const auto& rows = frames[i].alternatives.front();
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const bool isLast = i + 1 == frames.size() && row + 1 == rows.size();
            const bool isLeftOut = isLeaf && !isLast && skipped != nullptr && frames[i].isRenewed &&
                                   labels->isAllocatorFrame(rows[row], *skipped);
            if (isLeftOut) continue;
            isLeaf = false;
            path.push_back({column, rows[row].value});
        }
    }
}

KeyPath GroupedTable::path(NodeId node) const {
    KeyPath path;
    for (; node != kRoot; node = parent(node)) {
        path.push_back(KeyStep{column(node), key(node)});
    }
    std::reverse(path.begin(), path.end());
    return path;
}

std::optional<std::size_t> ownerStepIn(const KeyPath& path, ProcessIndex process, OwnerFrames& owners) {
    const auto last =
        std::find_if(path.rbegin(), path.rend(), [](const KeyStep& step) { return isStack(step.column); });
    if (last == path.rend()) return std::nullopt;
    const auto first =
        std::find_if(last, path.rend(), [&](const KeyStep& step) { return step.column != last->column; });
    std::vector<std::uint32_t> frames; // innermost first
    std::transform(last, first, std::back_inserter(frames),
                   [](const KeyStep& step) { return static_cast<std::uint32_t>(step.key); });
    const bool isLeafFirst = isBottomUp(last->column);
    if (isLeafFirst) std::reverse(frames.begin(), frames.end());
    const auto owner = owners.ownerOf(process, frames);
    const auto begin = static_cast<std::size_t>(path.rend() - first);
    return begin + (isLeafFirst ? owner : frames.size() - 1 - owner);
}

std::optional<GroupedTable::NodeId> GroupedTable::ownerOnWayTo(NodeId node, const std::stop_token& stop) const {
    ProcessIndex process;
    (void)anyCell(node, [&](const Cell& cell) {
        process.value = static_cast<std::uint32_t>(reader().key(Column::Process, cell.key));
        return true;
    });
    const auto& [table, allocators] = std::tie(impl_->query.table, impl_->query.allocatorFrames);
    OwnerFrames owners(*impl_->trace->processes, *impl_->labels, allocators.get());
    std::shared_ptr<const Wrappers> wrappers;
    if (hasWrappers(table)) {
        wrappers = findWrappers(*impl_->trace, *impl_->labels, {table, allocators}, stop);
        if (!wrappers) return std::nullopt;
        owners.setWrappers(wrappers.get());
    }
    const auto way = path(node);
    const auto step = ownerStepIn(way, process, owners);
    if (!step) return std::nullopt;
    for (auto above = way.size() - 1 - *step; above > 0; --above)
        node = parent(node);
    return node;
}

CellValue GroupedTable::value(NodeId node, ValueColumn column) const { return impl_->value(node, column); }

CellValue GroupedTable::shownValue(NodeId node, ValueColumn column) const {
    auto found = value(node, column);
    if (normalized(column) != ValueColumn(Column::Annotation) || !std::holds_alternative<std::monostate>(found))
        return found;
    // Rows may have several labels, so their value is unknown.
    const auto shared = sharedValue(node, Column::Annotation);
    return shared ? CellValue(std::string(kNoAnnotation)) : found;
}

Result<void> GroupedTable::computeValues(std::span<const NodeId> nodes, std::stop_token stop) {
    return impl_->compute(nodes, impl_->requestedValues(), stop);
}

std::optional<CellValue> GroupedTable::sharedValue(NodeId node, Column column) const {
    const bool isFrame = impl_->tree->node(node).depth > 0;
    return column == Column::SourceLine && isFrame ? impl_->sourceOfFrame(node) : impl_->sharedKey(node, column);
}

std::optional<FrameFacts> GroupedTable::frameFacts(NodeId node) const {
    if (node == kRoot || !showsFrames(column(node))) return std::nullopt;
    auto facts = factsOf(*impl_->trace->processes, impl_->codeOf(node));
    if (key(node) == FrameLabels::kNotResolved.value) facts.kind = FrameFacts::Kind::NotResolved;
    return facts;
}

bool GroupedTable::anyCell(NodeId node, const std::function<bool(const Cell&)>& visit) const {
    const auto elements = impl_->tree->elements(node);
    const auto& selection = *impl_->selection;
    return std::any_of(elements.begin(), elements.end(), [&](auto element) {
        if ((element & NodeTree::kRow) == 0) return visit(selection.cells()[element]);
        const auto row = selection.population().facts(element & ~NodeTree::kRow);
        return visit(Cell{row.key, row.sums});
    });
}

std::size_t GroupedTable::cellCount() const { return impl_->selection->cells().size(); }

const KeyReader& GroupedTable::reader() const { return impl_->selection->reader(); }

std::uint64_t GroupedTable::rowsOnUnknownPages() const { return impl_->rowsOnUnknownPages; }

Result<void> GroupedTable::computePeaks(std::span<const NodeId> nodes, std::stop_token stop) {
    return sweepPeaks(*impl_->selection, *impl_->tree, nodes, RowSweep::Measure::Bytes, stop);
}

} // namespace highwater::analysis
