#pragma once

#include "core/base/units.h"
#include "core/event/resident_sample.h"

#include <algorithm>

namespace highwater::references {

/// The mapping that contains the address; null: none.
[[nodiscard]] inline const Mapping* mappingAt(const ResidentSample& sample, Address address) {
    const auto next = std::ranges::upper_bound(sample.mappings, address, {}, &Mapping::end);
    return next != sample.mappings.end() && next->begin <= address ? &*next : nullptr;
}

/// Where the module begins whose code is in a mapping of `sample`: the first of successive mappings of its file. Memory
/// without a file may be between them.
[[nodiscard]] inline Address moduleBegin(const ResidentSample& sample, const Mapping& mapping) {
    auto begin = mapping.begin;
    if ((mapping.flags & mapping_flag::kFile) == 0) return begin;
    for (const auto* before = &mapping; before != sample.mappings.data();) {
        --before;
        if ((before->flags & mapping_flag::kFile) == 0) continue;
        if (before->name != mapping.name) break;
        begin = before->begin;
    }
    return begin;
}

} // namespace highwater::references
