#include "core/analysis/grouped_table_impl.h"

#include <algorithm>
#include <compare>

namespace highwater::analysis {
namespace {

std::strong_ordering compareNumbers(KeyReader::Order order, std::uint64_t a, std::uint64_t b) {
    if (order == KeyReader::Order::Signed) return static_cast<std::int64_t>(a) <=> static_cast<std::int64_t>(b);
    return a <=> b;
}

/// Two values of one column that are there. Addresses are unsigned.
std::strong_ordering compareValues(Column column, const CellValue& a, const CellValue& b) {
    if (const auto* text = std::get_if<std::string>(&a)) return text->compare(std::get<std::string>(b)) <=> 0;
    if (const auto* time = std::get_if<TraceTime>(&a)) return *time <=> std::get<TraceTime>(b);
    const auto x = std::get<std::int64_t>(a);
    const auto y = std::get<std::int64_t>(b);
    if (valueKind(column) != ValueKind::Hex) return x <=> y;
    return static_cast<std::uint64_t>(x) <=> static_cast<std::uint64_t>(y);
}

/// What decides the place of a child among its siblings.
struct Place {
    GroupedTable::NodeId node = 0;
    std::vector<CellValue> values; ///< by sort key
    std::string text;              ///< of keys that are ordered by text
};

} // namespace

CellValue GroupedTable::Impl::sortValue(NodeId id, Column column) const {
    return isAggregate(column) ? aggregate(tree->node(id), column) : sharedValue(id, column);
}

void GroupedTable::Impl::sortChildren(NodeId id) {
    static const std::vector<SortKey> kDefaultSort{SortKey{Column::Size, true}};
    const auto& sort = query.sort.empty() ? kDefaultSort : query.sort;
    const auto& reader = selection->reader();
    auto& children = tree->node(id).children;
    std::vector<Place> places;
    places.reserve(children.size());
    for (const auto child : children) {
        const auto& node = tree->node(child);
        Place place{child, {}, {}};
        for (const auto& key : sort) {
            place.values.push_back(sortValue(child, key.column));
        }
        if (KeyReader::order(node.column) == KeyReader::Order::Text) place.text = reader.text(node.column, node.key);
        places.push_back(std::move(place));
    }
    const auto before = [&](const Place& a, const Place& b) {
        for (std::size_t i = 0; i < sort.size(); ++i) {
            const bool hasA = a.values[i].index() != 0;
            const bool hasB = b.values[i].index() != 0;
            if (hasA != hasB) return hasA; // without a value: last, either way round
            const auto order =
                hasA ? compareValues(sort[i].column, a.values[i], b.values[i]) : std::strong_ordering::equal;
            if (order != 0) return sort[i].descending ? order > 0 : order < 0;
        }
        const auto& nodeA = tree->node(a.node);
        const auto& nodeB = tree->node(b.node);
        if (nodeA.keyIndex != nodeB.keyIndex) return nodeA.keyIndex < nodeB.keyIndex;
        if (const auto order = a.text.compare(b.text); order != 0) return order < 0;
        return compareNumbers(KeyReader::order(nodeA.column), nodeA.key, nodeB.key) < 0;
    };
    std::sort(places.begin(), places.end(), before);
    std::transform(places.begin(), places.end(), children.begin(), [](const Place& place) { return place.node; });
}

} // namespace highwater::analysis
