#include "core/source/generated_code/standing_code.h"

#include <iterator>

namespace highwater::source {

std::optional<Occasion> StandingCode::add(Address start, std::uint32_t size, std::string_view name) {
    const auto end = start + size; // who reads it has looked that it fits
    auto next = pieces_.lower_bound(start);
    if (next != pieces_.end() && next->first == start && next->second.size == size && next->second.name == name)
        return std::nullopt;
    if (next != pieces_.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second.size > start) next = before;
    }
    bool hasReplaced = false;
    while (next != pieces_.end() && next->first < end) {
        next = pieces_.erase(next);
        hasReplaced = true;
    }
    if (pieces_.size() >= mostPieces_) {
        ++dropped_;
        return std::nullopt;
    }
    pieces_.emplace_hint(next, start, Piece{size, std::string(name)});
    return hasReplaced ? Occasion::Start : Occasion::RundownEnd;
}

std::optional<std::string> StandingCode::nameAt(Address start) const {
    const auto found = pieces_.find(start);
    return found == pieces_.end() ? std::nullopt : std::optional(found->second.name);
}

} // namespace highwater::source
