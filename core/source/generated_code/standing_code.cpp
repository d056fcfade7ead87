#include "core/source/generated_code/standing_code.h"

#include <iterator>

namespace highwater::source {

bool StandingCode::isKnown(Address start, std::uint32_t size, std::string_view name) const {
    const auto found = pieces_.find(start);
    return found != pieces_.end() && found->second.size == size && found->second.name == name;
}

std::optional<Occasion> StandingCode::add(Address start, std::uint32_t size, std::string_view name) {
    const auto end = start + size; // callers have checked for overflow
    if (isKnown(start, size, name)) return std::nullopt;
    auto next = pieces_.lower_bound(start);
    if (next != pieces_.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second.size > start) next = before;
    }
    bool hasReplaced = false;
    while (next != pieces_.end() && next->first < end) {
        nameBytes_ -= next->second.name.size();
        next = pieces_.erase(next);
        hasReplaced = true;
    }
    if (pieces_.size() >= mostPieces_ || name.size() > mostNameBytes_ - nameBytes_) {
        ++dropped_;
        return std::nullopt;
    }
    nameBytes_ += name.size();
    pieces_.emplace_hint(next, start, Piece{size, std::string(name)});
    return hasReplaced ? Occasion::Start : Occasion::RundownEnd;
}

std::optional<std::string> StandingCode::nameAt(Address start) const {
    const auto found = pieces_.find(start);
    return found == pieces_.end() ? std::nullopt : std::optional(found->second.name);
}

} // namespace highwater::source
