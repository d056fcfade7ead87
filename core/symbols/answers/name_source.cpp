#include "core/symbols/answers/name_source.h"

#include <algorithm>

namespace highwater::symbols {

ModuleNames::ModuleNames(std::vector<Rva> addresses, ResolvedAddresses names)
    : addresses_(std::move(addresses)), names_(std::move(names)) {}

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
