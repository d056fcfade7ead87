#include "core/references/object_types.h"

#include "core/references/root_areas.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace highwater::references {
namespace {

/// More would make places reach over memory of others, less would make many places.
constexpr Address kLargestGap = 64 * 1024;

/// A damaged file, or memory that is not readable, has no address point in the table.
bool hasPoint(VirtualTable& table, const ReadMemory& read) {
    if (table.isStored) {
        Address point = 0;
        const auto bytes = std::as_writable_bytes(std::span(&point, 1));
        if (read(table.point, bytes) < bytes.size()) return false;
        table.point = point;
    }
    return table.point >= table.begin && table.point <= table.end && table.point % kWord == 0;
}

} // namespace

ObjectTypes::ObjectTypes(std::vector<VirtualTable> tables, const ReadMemory& read) : tables_(std::move(tables)) {
    std::erase_if(tables_, [&](VirtualTable& table) { return !hasPoint(table, read); });
    std::ranges::sort(tables_, [](const VirtualTable& a, const VirtualTable& b) {
        return std::tuple(a.point, a.type.size(), std::string_view(a.type)) <
               std::tuple(b.point, b.type.size(), std::string_view(b.type));
    });
    const auto same = std::ranges::unique(tables_, {}, &VirtualTable::point);
    tables_.erase(same.begin(), same.end());
    points_.reserve(tables_.size());
    for (const auto& table : tables_)
        points_.push_back(table.point);
    addPlaces();
}

void ObjectTypes::addPlaces() {
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
        if (i == 0 || points_[i] - points_[i - 1] > kLargestGap) places_.push_back({points_[i], i});
        places_.back().last = points_[i];
    }
    places_.push_back({~Address{0}, static_cast<std::uint32_t>(points_.size())});
}

std::uint32_t ObjectTypes::find(Address word) const {
    const auto place = std::ranges::lower_bound(places_, word, {}, &Place::last);
    if (place->first == points_.size() || points_[place->first] > word) return 0;
    const auto first = points_.begin() + place->first, end = points_.begin() + std::next(place)->first;
    const auto point = std::lower_bound(first, end, word);
    return point != end && *point == word ? static_cast<std::uint32_t>(point - points_.begin()) + 1 : 0;
}

} // namespace highwater::references
