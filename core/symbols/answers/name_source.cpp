#include "core/symbols/answers/name_source.h"

#include <algorithm>

namespace highwater::symbols {

ModuleNames::ModuleNames(std::vector<Rva> addresses, ResolvedAddresses names)
    : addresses_(std::move(addresses)), names_(std::move(names)) {}

NameView NameView::joined(const NameView& first, const NameView& second) {
    NameView both = first;
    both.revision_ += second.revision_;
    both.modules_.resize(std::max(first.modules_.size(), second.modules_.size()));
    for (std::size_t i = 0; i < second.modules_.size(); ++i) {
        if (both.modules_[i] == nullptr) both.modules_[i] = second.modules_[i];
    }
    return both;
}

std::optional<std::span<const ResolvedFrame>> ModuleNames::framesAt(Rva address) const {
    const auto found = std::lower_bound(addresses_.begin(), addresses_.end(), address);
    if (found == addresses_.end() || *found != address) return std::nullopt;
    const auto index = static_cast<std::size_t>(found - addresses_.begin());
    const auto first = names_.firstFrame[index];
    return std::span(names_.frames).subspan(first, names_.firstFrame[index + 1] - first);
}

const ResolvedFunction* ModuleNames::functionAt(Rva address) const {
    const auto frames = framesAt(address);
    return frames && !frames->empty() ? &function(frames->back()) : nullptr;
}

} // namespace highwater::symbols
