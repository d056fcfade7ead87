#include "core/analysis/columns/column_specs.h"
#include "core/analysis/table/grouped_table_impl.h"

#include <algorithm>
#include <compare>
#include <optional>
#include <span>
#include <utility>

namespace highwater::analysis {
namespace {

std::strong_ordering compareNumbers(ValueOrder order, std::uint64_t a, std::uint64_t b) {
    if (order == ValueOrder::Signed) return static_cast<std::int64_t>(a) <=> static_cast<std::int64_t>(b);
    return a <=> b;
}

/// Two existing values of one column. Addresses are unsigned.
std::strong_ordering compareValues(ValueColumn column, const CellValue& a, const CellValue& b) {
    if (const auto* text = std::get_if<std::string>(&a)) return text->compare(std::get<std::string>(b)) <=> 0;
    if (const auto* time = std::get_if<TraceTime>(&a)) return *time <=> std::get<TraceTime>(b);
    const auto x = std::get<std::int64_t>(a);
    const auto y = std::get<std::int64_t>(b);
    if (valueKind(column) != ValueKind::Hex) return x <=> y;
    return static_cast<std::uint64_t>(x) <=> static_cast<std::uint64_t>(y);
}

/// A number with the order of the column's values; nothing: not numeric.
std::optional<std::uint64_t> rankOf(ValueColumn column, const CellValue& value) {
    constexpr auto kSign = std::uint64_t{1} << 63;
    if (const auto* time = std::get_if<TraceTime>(&value)) return static_cast<std::uint64_t>(time->ns) ^ kSign;
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr) return std::nullopt;
    return static_cast<std::uint64_t>(*number) ^ (valueKind(column) == ValueKind::Hex ? 0 : kSign);
}

/// The position of a child among its siblings.
struct Place {
    GroupedTable::NodeId node = 0;
    std::vector<CellValue> values; ///< by sort key
    std::string text;              ///< for keys that are ordered by text
};

} // namespace

bool GroupedTable::Impl::isOfOneLevel(const SortKey& key) const {
    return key.aggregation == Aggregation::Own &&
           std::find(query.keys.begin(), query.keys.end(), key.column) != query.keys.end();
}

CellValue GroupedTable::Impl::sortValue(NodeId id, const SortKey& key) const {
    const auto& node = tree->node(id);
    if (key.column == Column::Trend) return value(id, Column::Slope); // lines have no order of their own
    if (!isOfOneLevel(key)) return value(id, key.value());
    if (node.column != key.column) return {};
    // For a stack, the frame at this level.
    return isStack(key.column) ? selection->reader().text(key.column, node.key)
                               : selection->reader().value(key.column, node.key);
}

std::vector<SortKey> GroupedTable::Impl::sortOf(const std::vector<NodeId>& siblings) const {
    std::vector<SortKey> sort;
    std::copy_if(query.sort.begin(), query.sort.end(), std::back_inserter(sort), [&](const SortKey& key) {
        return !isOfOneLevel(key) || std::any_of(siblings.begin(), siblings.end(), [&](NodeId sibling) {
            return tree->node(sibling).column == key.column;
        });
    });
    if (sort.empty()) sort.push_back(SortKey{Column::Size, true});
    return sort;
}

std::vector<ValueColumn> GroupedTable::Impl::sortingValues() const {
    std::vector<ValueColumn> values;
    for (const auto& key : query.sort) {
        if (!isOfOneLevel(key)) values.push_back(normalized(key.value()));
    }
    return values;
}

bool GroupedTable::Impl::canSortBy(const std::vector<SortKey>& sort) const {
    const auto known = requestedValues();
    return leafRows->isEmpty() && std::ranges::all_of(sort, [&](const SortKey& key) {
               const auto value = normalized(key.value());
               // The sums of groups are always available.
               const bool isSum = isAggregate(value.column) && value.aggregation == Aggregation::Own;
               return isSum || isOfOneLevel(key) || std::ranges::find(known, value) != known.end();
           });
}

bool GroupedTable::sortBy(std::vector<SortKey> sort) {
    if (sort == impl_->query.sort) return true;
    if (!impl_->canSortBy(sort)) return false;
    impl_->query.sort = std::move(sort);
    ++impl_->sorts;
    return true;
}

bool GroupedTable::Impl::sortAgain(NodeId id, const std::stop_token& stop) {
    const auto* sorted = sortedWith.find(id);
    if (sorted != nullptr && *sorted == sorts) return true;
    if (!compute(tree->node(id).children, sortingValues(), stop).hasValue()) return false;
    sortChildren(id);
    return true;
}

bool GroupedTable::Impl::comesBefore(NodeId a, NodeId b, std::span<const SortKey> sort) const {
    for (const auto& key : sort) {
        const auto x = sortValue(a, key);
        const auto y = sortValue(b, key);
        const bool hasX = x.index() != 0;
        const bool hasY = y.index() != 0;
        if (hasX != hasY) return hasX;
        const auto order = hasX ? compareValues(key.value(), x, y) : std::strong_ordering::equal;
        if (order != 0) return key.descending ? order > 0 : order < 0;
    }
    const auto& nodeA = tree->node(a);
    const auto& nodeB = tree->node(b);
    if (nodeA.keyIndex != nodeB.keyIndex) return nodeA.keyIndex < nodeB.keyIndex;
    return compareNumbers(specOf(nodeA.column).order, nodeA.key, nodeB.key) < 0;
}

bool GroupedTable::Impl::sortByNumbers(std::span<NodeId> nodes, std::span<const SortKey> sort) const {
    struct Ranked {
        std::uint64_t rank = 0;
        NodeId node = 0;
        bool lacks = false; ///< no value: last in both directions
    };
    const auto& first = sort.front();
    std::vector<Ranked> ranked;
    ranked.reserve(nodes.size());
    for (const auto node : nodes) {
        const auto value = sortValue(node, first);
        const bool lacks = value.index() == 0;
        const auto rank = lacks ? std::optional(std::uint64_t{0}) : rankOf(first.value(), value);
        if (!rank) return false;
        ranked.push_back({first.descending ? ~*rank : *rank, node, lacks});
    }
    const auto placeOf = [](const Ranked& of) { return std::pair(of.lacks, of.rank); };
    std::ranges::sort(ranked, {}, placeOf);
    std::ranges::transform(ranked, nodes.begin(), &Ranked::node);
    for (std::size_t i = 0; i < ranked.size();) {
        auto last = i + 1;
        while (last < ranked.size() && placeOf(ranked[last]) == placeOf(ranked[i]))
            ++last;
        if (last - i > 1) sortEquals(nodes.subspan(i, last - i), sort.subspan(1));
        i = last;
    }
    return true;
}

void GroupedTable::Impl::sortEquals(std::span<NodeId> nodes, std::span<const SortKey> sort) const {
    const auto isText = [&](NodeId node) { return specOf(tree->node(node).column).order == ValueOrder::Text; };
    if (std::ranges::any_of(nodes, isText)) return sortByTexts(nodes, sort);
    std::ranges::sort(nodes, [&](NodeId a, NodeId b) { return comesBefore(a, b, sort); });
}

void GroupedTable::Impl::sortChildren(NodeId id) {
    sortedWith.set(id, sorts);
    auto& children = tree->node(id).children;
    const auto sort = sortOf(children);
    if (!sortByNumbers(children, sort)) sortByTexts(children, sort);
}

void GroupedTable::Impl::sortByTexts(std::span<NodeId> nodes, std::span<const SortKey> sort) const {
    const auto& reader = selection->reader();
    std::vector<Place> places;
    places.reserve(nodes.size());
    for (const auto id : nodes) {
        const auto& node = tree->node(id);
        Place place{id, {}, {}};
        for (const auto& key : sort) {
            place.values.push_back(sortValue(id, key));
        }
        if (specOf(node.column).order == ValueOrder::Text) place.text = reader.text(node.column, node.key);
        places.push_back(std::move(place));
    }
    const auto before = [&](const Place& a, const Place& b) {
        for (std::size_t i = 0; i < sort.size(); ++i) {
            const bool hasA = a.values[i].index() != 0;
            const bool hasB = b.values[i].index() != 0;
            if (hasA != hasB) return hasA; // without a value: last in both directions
            const auto order =
                hasA ? compareValues(sort[i].value(), a.values[i], b.values[i]) : std::strong_ordering::equal;
            if (order != 0) return sort[i].descending ? order > 0 : order < 0;
        }
        const auto& nodeA = tree->node(a.node);
        const auto& nodeB = tree->node(b.node);
        if (nodeA.keyIndex != nodeB.keyIndex) return nodeA.keyIndex < nodeB.keyIndex;
        if (const auto order = a.text.compare(b.text); order != 0) return order < 0;
        return compareNumbers(specOf(nodeA.column).order, nodeA.key, nodeB.key) < 0;
    };
    std::sort(places.begin(), places.end(), before);
    std::transform(places.begin(), places.end(), nodes.begin(), [](const Place& place) { return place.node; });
}

} // namespace highwater::analysis
