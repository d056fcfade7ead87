#include "core/analysis/timeline/line_tree.h"

#include "core/analysis/columns/column_specs.h"

#include <algorithm>
#include <tuple>

namespace highwater::analysis {
namespace {

/// The keys of the tree without repetitions: below the first occurrence, all rows share the key.
std::vector<Column> keysOf(const TimelineQuery& query) {
    if (!query.by) return {};
    const auto& asked = query.opening.keys;
    if (asked.empty() || asked.front() != *query.by) return {*query.by};
    std::vector<Column> keys;
    for (const auto column : asked) {
        if (std::find(keys.begin(), keys.end(), column) == keys.end()) keys.push_back(column);
    }
    return keys;
}

bool comesBefore(const KeyStep& a, const KeyStep& b) {
    return std::tuple(static_cast<int>(a.column), a.key) < std::tuple(static_cast<int>(b.column), b.key);
}

} // namespace

LineTree::LineTree(const RowSelection& selection, const TimelineQuery& query)
    : selection_(selection), keys_(keysOf(query)), opening_(query.opening), turned_(query.opening.turned) {
    opening_.keys = keys_;
    std::sort(turned_.begin(), turned_.end(), [](const KeyPath& a, const KeyPath& b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), comesBefore);
    });
    Node root;
    root.isOpen = root.canOpen = !keys_.empty();
    root.lastTurned = turned_.size();
    nodes_.push_back(std::move(root));
}

ColumnSet LineTree::columnsOf(const TimelineQuery& query) {
    auto opening = query.opening;
    opening.keys = keysOf(query);
    ColumnSet columns;
    for (std::size_t i = 0; i < opening.keysRead(); ++i)
        columns.add(opening.keys[i]);
    return columns;
}

KeyPath LineTree::pathOf(NodeId id) const {
    KeyPath path;
    for (; id != kRoot; id = nodes_[id].parent) {
        if (!nodes_[id].isOwn) path.push_back(nodes_[id].step);
    }
    std::reverse(path.begin(), path.end());
    return path;
}

std::optional<LineTree::NodeId> LineTree::walk(const CellKey& cell, const RowNumbers* row) {
    auto node = kRoot;
    while (nodes_[node].isOpen) {
        const auto next = stepBelow(nodes_[node], cell, row);
        if (!next) return std::nullopt;
        node = childOf(node, *next);
    }
    return node;
}

std::optional<LineTree::Step> LineTree::stepBelow(const Node& node, const CellKey& cell, const RowNumbers* row) const {
    const auto& reader = selection_.reader();
    const bool isDeeper = goesOn(node, cell);
    Step step;
    step.keyIndex = isDeeper ? node.keyIndex : node.keyIndex + 1;
    const auto key = static_cast<std::size_t>(step.keyIndex);
    step.isOwn = key >= keys_.size();
    if (step.isOwn) return step;
    const auto column = step.step.column = keys_[key];
    step.canOpen = key + 1 < keys_.size();
    if (isStack(column)) {
        const auto frames = reader.stack(column, cell);
        step.frames = isDeeper ? node.frames + 1 : 1;
        step.step.key = frames[step.frames - 1];
        step.canOpen = step.canOpen || frames.size() > step.frames;
    } else if (isOfSingleRows(column)) {
        if (row == nullptr) return std::nullopt;
        step.step.key = reader.key(column, *row);
    } else {
        step.step.key = reader.key(column, cell);
    }
    return step;
}

LineTree::NodeId LineTree::childOf(NodeId parent, const Step& step) {
    const auto [entry, isNew] = children_.try_emplace(Edge{parent, step.keyIndex, step.step.key}, 0u);
    if (isNew) {
        const auto id = static_cast<NodeId>(nodes_.size());
        entry.value() = id;
        Node child;
        child.step = step.step;
        child.parent = parent;
        child.depth = nodes_[parent].depth + 1;
        child.frames = step.frames;
        child.keyIndex = step.keyIndex;
        child.isOwn = step.isOwn;
        if (!step.isOwn) decideOpening(child);
        nodes_.push_back(std::move(child));
        nodes_[parent].children.push_back(id);
    }
    auto& child = nodes_[entry->second];
    child.canOpen = child.canOpen || step.canOpen;
    return entry->second;
}

/// Equivalent to GroupOpening::isOpen, without creating a path for each of possibly millions of groups.
void LineTree::decideOpening(Node& child) const {
    const auto& parent = nodes_[child.parent];
    const auto begin = turned_.begin() + static_cast<std::ptrdiff_t>(parent.firstToggled);
    const auto end = turned_.begin() + static_cast<std::ptrdiff_t>(parent.lastTurned);
    const auto place = parent.depth;
    const auto first = std::partition_point(
        begin, end, [&](const KeyPath& path) { return path.size() <= place || comesBefore(path[place], child.step); });
    const auto last = std::partition_point(first, end, [&](const KeyPath& path) { return path[place] == child.step; });
    child.firstToggled = static_cast<std::size_t>(first - turned_.begin());
    child.lastTurned = static_cast<std::size_t>(last - turned_.begin());
    const bool isTurned = first != last && first->size() == place + 1;
    const bool isLast = static_cast<std::size_t>(child.keyIndex) + 1 == keys_.size() && child.frames == 0;
    child.isOpen = !isLast && opening_.isInitiallyOpen({child.step}) != isTurned;
}

} // namespace highwater::analysis
