#pragma once

#include "core/event/resident_sample.h"
#include "core/source/systems/memory_regions.h"
#include "core/source/systems/region_names.h"

#include <cstdint>
#include <optional>

namespace highwater::source {

/// Most pages of a sample: 64 GB of committed memory. Later regions have none, so that their resident pages are in the
/// rest of the working set.
inline constexpr std::uint64_t kMostSampledPages = std::uint64_t{1} << 24;

/// Makes a sample of resident memory, without time and process, from the regions and pages that a system like Windows
/// reports (docs/numbers.md 25). Each of the first kMostSampledRegions regions becomes a mapping, whose resident size
/// is the number of its pages in the working set. The rest of the working set becomes a mapping of its own, so that the
/// sum is not too small. Nothing if readPages() fails. Empty if there are no regions: the process has ended.
[[nodiscard]] std::optional<ResidentSample> sampleOf(MemoryRegions& memory);

} // namespace highwater::source
