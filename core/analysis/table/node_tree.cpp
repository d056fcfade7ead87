#include "core/analysis/table/node_tree.h"

#include "core/analysis/rows/stop_interval.h"
#include "core/analysis/table/row_statistics.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace highwater::analysis {
namespace {

constexpr std::uint32_t kNoGroup = 0xFFFFFFFFu;

/// Groups of one level: (key index, key).
struct GroupKey {
    std::int16_t keyIndex;
    std::uint64_t key;
    friend bool operator==(const GroupKey&, const GroupKey&) = default;
};
struct GroupKeyHash {
    std::size_t operator()(const GroupKey& k) const noexcept {
        return static_cast<std::size_t>(seededHash(k.key, static_cast<std::uint64_t>(k.keyIndex)));
    }
};

} // namespace

NodeTree::NodeTree(const Query& query, const RowSelection& selection) : query_(query), selection_(selection) {
    std::vector<Element> all;
    TreeNode root;
    if (selection.singleRows()) {
        all = *selection.singleRows();
        for (auto& element : all) {
            element |= kRow;
        }
    } else {
        all.resize(selection.cells().size());
        std::iota(all.begin(), all.end(), Element{0});
    }
    for (const auto element : all) {
        root.sums += factsOf(element).sums;
    }
    root.last = static_cast<std::uint32_t>(all.size());
    root.canOpen = !query.keys.empty() && !all.empty();
    lists_.push_back(std::move(all));
    nodes_.push_back(std::move(root));
}

std::span<const NodeTree::Element> NodeTree::elements(NodeId id) const {
    const auto& n = nodes_[id];
    return std::span(lists_[n.list]).subspan(n.first, n.last - n.first);
}

CellKey NodeTree::keyOf(Element element) const {
    if ((element & kRow) == 0) return selection_.cells()[element].key;
    return selection_.population().facts(element & ~kRow).key;
}

NodeTree::ElementFacts NodeTree::factsOf(Element element) const {
    if ((element & kRow) == 0) {
        const auto& cell = selection_.cells()[element];
        return {cell.key, cell.sums, std::nullopt};
    }
    auto row = selection_.population().facts(element & ~kRow);
    return {row.key, row.sums, row};
}

bool NodeTree::goesOnInStack(const TreeNode& node, const CellKey& key) const {
    return node.depth > 0 && selection_.reader().stack(node.column, key).size() > node.depth;
}

bool NodeTree::needsRows(const TreeNode& node, const CellKey& key) const {
    const auto next = static_cast<std::size_t>(node.keyIndex + 1);
    return next < query_.keys.size() && isOfSingleRows(query_.keys[next]) && !goesOnInStack(node, key);
}

std::optional<NodeTree::Step> NodeTree::step(const TreeNode& node, const ElementFacts& facts) const {
    const auto& reader = selection_.reader();
    Step step{node.keyIndex, node.depth + 1, 0, false};
    auto column = node.column;
    if (!goesOnInStack(node, facts.key)) {
        ++step.keyIndex;
        if (static_cast<std::size_t>(step.keyIndex) >= query_.keys.size()) return std::nullopt;
        column = query_.keys[static_cast<std::size_t>(step.keyIndex)];
        step.depth = isStack(column) ? 1 : 0;
    }
    step.canOpen = static_cast<std::size_t>(step.keyIndex) + 1 < query_.keys.size();
    if (isStack(column)) {
        const auto frames = reader.stack(column, facts.key);
        step.key = frames[step.depth - 1];
        step.canOpen = step.canOpen || frames.size() > step.depth;
    } else {
        step.key = isOfSingleRows(column) ? reader.key(column, *facts.row) : reader.key(column, facts.key);
    }
    return step;
}

/// Each pass over all rows has the same cost, regardless of how many are needed. The first call uses a pass for its own
/// rows; later calls use the rows of all cells.
std::optional<std::vector<RowRef>> NodeTree::rowsOf(std::span<const Element> cells, const std::stop_token& stop) {
    if (!std::exchange(hasDistinguishedRows_, true)) {
        std::vector<std::uint8_t> wanted(selection_.cells().size(), 0);
        std::for_each(cells.begin(), cells.end(), [&](auto cell) { wanted[cell] = 1; });
        return selection_.rowsOf(wanted, stop);
    }
    if (!rowsOfCells_) rowsOfCells_ = CellRows::collect(selection_.population(), stop);
    if (!rowsOfCells_) return std::nullopt;
    std::vector<RowRef> rows;
    for (const auto cell : cells) {
        const auto own = rowsOfCells_->of(static_cast<std::uint32_t>(cell));
        rows.insert(rows.end(), own.begin(), own.end());
    }
    if (cells.size() > 1) std::sort(rows.begin(), rows.end());
    return rows;
}

std::optional<std::vector<NodeTree::Range>> NodeTree::rangesToGroup(const TreeNode& node, const std::stop_token& stop) {
    const Range own{node.list, node.first, node.last};
    auto& list = lists_[node.list];
    const auto first = list.begin() + node.first;
    const auto last = list.begin() + node.last;
    if (first == last || (*first & kRow) != 0) return std::vector<Range>{own};
    // First the cells that continue with the next frame, then those whose rows must be distinguished.
    const auto rows = std::stable_partition(first, last, [&](auto e) { return !needsRows(node, keyOf(e)); });
    if (rows == last) return std::vector<Range>{own};
    auto elements = rowsOf({rows, last}, stop);
    if (!elements) return std::nullopt;
    for (auto& element : *elements) {
        element |= kRow;
    }
    lists_.push_back(std::move(*elements));
    const Range single{static_cast<std::uint32_t>(lists_.size() - 1), 0,
                       static_cast<std::uint32_t>(lists_.back().size())};
    return std::vector<Range>{{node.list, node.first, static_cast<std::uint32_t>(rows - list.begin())}, single};
}

std::optional<std::vector<NodeTree::Element>> NodeTree::rowsIn(NodeId id, const std::stop_token& stop) {
    const auto own = elements(id);
    const auto isRow = [](Element element) { return (element & kRow) != 0; };
    std::vector<Element> cells;
    std::copy_if(own.begin(), own.end(), std::back_inserter(cells), [&](auto element) { return !isRow(element); });
    std::vector<Element> rows;
    std::copy_if(own.begin(), own.end(), std::back_inserter(rows), isRow);
    if (!cells.empty()) {
        const auto told = rowsOf(cells, stop);
        if (!told) return std::nullopt;
        std::transform(told->begin(), told->end(), std::back_inserter(rows), [](RowRef row) { return row | kRow; });
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

std::uint32_t NodeTree::addList(std::vector<Element> rows) {
    lists_.push_back(std::move(rows));
    return static_cast<std::uint32_t>(lists_.size() - 1);
}

NodeTree::NodeId NodeTree::addRow(NodeId parent, std::uint32_t list, std::uint32_t position) {
    const auto element = lists_[list][position];
    TreeNode row;
    row.key = element & ~kRow;
    row.sums = factsOf(element).sums;
    row.parent = parent;
    row.list = list;
    row.first = position;
    row.last = position + 1;
    row.keyIndex = static_cast<std::int16_t>(query_.keys.size());
    row.column = Column::Allocation;
    nodes_.push_back(std::move(row));
    return static_cast<NodeId>(nodes_.size() - 1);
}

bool NodeTree::open(NodeId id, const std::stop_token& stop) {
    if (nodes_[id].isOpen || !nodes_[id].canOpen) return true;
    const auto ranges = rangesToGroup(nodes_[id], stop);
    bool finished = ranges.has_value();
    for (std::size_t i = 0; finished && i < ranges->size(); ++i) {
        finished = group(id, (*ranges)[i], stop);
    }
    nodes_[id].isOpen = true;
    if (!finished) close(id);
    return finished;
}

void NodeTree::close(NodeId id) {
    auto& node = nodes_[id];
    nodes_.resize(nodes_.size() - node.children.size());
    node.children.clear();
    node.isOpen = false;
}

bool NodeTree::group(NodeId id, Range range, const std::stop_token& stop) {
    auto& parent = nodes_[id];
    auto& list = lists_[range.list];
    const auto firstChild = static_cast<NodeId>(nodes_.size());
    tsl::robin_map<GroupKey, std::uint32_t, GroupKeyHash> groups;
    std::vector<std::uint32_t> groupOf(range.last - range.first, kNoGroup);
    for (std::uint32_t i = 0; i < groupOf.size(); ++i) {
        if (i % kStopEvery == 0 && stop.stop_requested()) return false;
        const auto facts = factsOf(list[range.first + i]);
        const auto next = step(parent, facts);
        if (!next) continue;
        const auto [entry, isNew] =
            groups.try_emplace(GroupKey{next->keyIndex, next->key}, static_cast<std::uint32_t>(groups.size()));
        groupOf[i] = entry->second;
        if (isNew) {
            TreeNode child;
            child.key = next->key;
            child.parent = id;
            child.list = range.list;
            child.depth = next->depth;
            child.keyIndex = next->keyIndex;
            child.column = query_.keys[static_cast<std::size_t>(next->keyIndex)];
            nodes_.push_back(std::move(child));
            parent.children.push_back(firstChild + groupOf[i]);
        }
        auto& child = nodes_[firstChild + groupOf[i]];
        child.sums += facts.sums;
        child.canOpen = child.canOpen || next->canOpen;
        ++child.last; // used as a count for now
    }
    placeGroups(range, firstChild, groupOf);
    return true;
}

void NodeTree::placeGroups(Range range, NodeId firstChild, const std::vector<std::uint32_t>& groupOf) {
    auto& list = lists_[range.list];
    // Elements without a group stay in front, followed by one part per group, each in its old order.
    auto position = range.first + static_cast<std::uint32_t>(std::count(groupOf.begin(), groupOf.end(), kNoGroup));
    for (auto child = firstChild; child < nodes_.size(); ++child) {
        const auto count = nodes_[child].last;
        nodes_[child].first = nodes_[child].last = position;
        position += count;
    }
    std::vector<Element> sorted(groupOf.size());
    std::uint32_t own = 0;
    for (std::uint32_t i = 0; i < groupOf.size(); ++i) {
        const auto place = groupOf[i] == kNoGroup ? own++ : nodes_[firstChild + groupOf[i]].last++ - range.first;
        sorted[place] = list[range.first + i];
    }
    std::copy(sorted.begin(), sorted.end(), list.begin() + range.first);
}

std::vector<NodeTree::NodeId> LeafRows::rows(NodeId leaf, std::size_t first, std::size_t count,
                                             std::optional<RowOrder> order, const std::stop_token& stop) {
    if (find(leaf, order, stop) == nullptr) return {};
    auto& found = rows_.at(leaf);
    const auto all = tree_.list(found.list).size();
    const auto begin = std::min(first, all);
    const auto end = begin + std::min(count, all - begin);
    while (found.nodes.size() < end)
        found.nodes.push_back(tree_.addRow(leaf, found.list, static_cast<std::uint32_t>(found.nodes.size())));
    const auto at = found.nodes.begin();
    return {at + static_cast<std::ptrdiff_t>(begin), at + static_cast<std::ptrdiff_t>(end)};
}

const LeafRows::Rows* LeafRows::find(NodeId leaf, std::optional<RowOrder> order, const std::stop_token& stop) {
    if (const auto known = rows_.find(leaf); known != rows_.end()) return &known->second;
    auto rows = tree_.rowsIn(leaf, stop);
    if (!rows) return nullptr;
    if (order) sort(*rows, *order);
    if (stop.stop_requested()) return nullptr;
    return &(rows_[leaf] = {tree_.addList(std::move(*rows)), {}});
}

/// Sorts by numbers that are read once because rows are scattered over the columns.
void LeafRows::sort(std::vector<NodeTree::Element>& rows, RowOrder order) const {
    struct Ranked {
        std::uint64_t value;
        NodeTree::Element row;
    };
    const RowValues values(selection_.reader());
    std::vector<Ranked> ranked;
    std::vector<NodeTree::Element> others;
    ranked.reserve(rows.size());
    for (const auto row : rows) {
        const auto ref = row & ~NodeTree::kRow;
        const auto value = isAggregate(order.column) ? values.of(order.column, selection_.population().facts(ref))
                                                     : values.of(order.column, selection_.population().numbersOf(ref));
        if (value)
            ranked.push_back({order.descending ? ~*value : *value, row});
        else
            others.push_back(row);
    }
    std::sort(ranked.begin(), ranked.end(),
              [](const Ranked& a, const Ranked& b) { return a.value != b.value ? a.value < b.value : a.row < b.row; });
    const auto end =
        std::transform(ranked.begin(), ranked.end(), rows.begin(), [](const Ranked& each) { return each.row; });
    std::copy(others.begin(), others.end(), end);
}

} // namespace highwater::analysis
