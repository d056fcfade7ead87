#include "core/source/systems/region_names.h"

#include "core/event/mapping_names.h"

#include <algorithm>

namespace highwater::source {
namespace {

using namespace mapping_flag;
using Kind = MemoryRegion::Kind;

/// Windows extends a stack downwards: its guard is directly below the part in use.
bool isAboveGuard(const MemoryRegion& guard, const MemoryRegion& region) {
    return guard.isGuard && guard.kind == Kind::Private && guard.end == region.begin &&
           guard.allocation == region.allocation && region.isCommitted && !region.isGuard &&
           (region.access & kWrite) != 0;
}

std::vector<Address> stacksIn(const std::vector<MemoryRegion>& regions) {
    std::vector<Address> stacks;
    for (std::size_t i = 1; i < regions.size(); ++i)
        if (isAboveGuard(regions[i - 1], regions[i])) stacks.push_back(regions[i].allocation);
    std::ranges::sort(stacks);
    return stacks;
}

std::uint32_t flagsOf(const MemoryRegion& region, bool hasFile) {
    const auto access = region.isGuard || !region.isCommitted ? 0 : region.access;
    if (region.kind == Kind::Private) return access;
    if (region.kind == Kind::Image || (region.isCopiedOnWrite && hasFile)) return access | kFile;
    return access | kShared | (hasFile ? kFile : 0);
}

} // namespace

std::vector<MemoryRegion> regionsOf(MemoryRegions& memory) {
    std::vector<MemoryRegion> regions;
    Address reached = 0;
    while (regions.size() < kMostSampledRegions) {
        auto region = memory.regionAfter(reached);
        if (!region) break;
        region->begin = std::max(region->begin, reached);
        if (region->end <= region->begin || region->end > kSystemMemory) break;
        reached = region->end;
        regions.push_back(*region);
    }
    return regions;
}

RegionNames::RegionNames(MemoryRegions& memory, const std::vector<MemoryRegion>& regions)
    : memory_(memory), stacks_(stacksIn(regions)) {}

bool RegionNames::isOfStack(const MemoryRegion& region) const {
    return std::ranges::binary_search(stacks_, region.allocation);
}

Mapping RegionNames::mappingOf(const MemoryRegion& region) {
    Mapping mapping;
    mapping.begin = region.begin;
    mapping.end = region.end;
    const auto name = nameOf(region);
    mapping.name = numberOf(name);
    mapping.flags = flagsOf(region, !name.empty());
    return mapping;
}

std::string RegionNames::nameOf(const MemoryRegion& region) {
    if (region.kind == Kind::Private) return std::string(isOfStack(region) ? kStackMemory : kPrivateMemory);
    if (region.allocation != named_) {
        named_ = region.allocation;
        file_ = memory_.fileAt(region.begin);
    }
    return file_.empty() && region.kind == Kind::Image ? std::string(kUnnamedImage) : file_;
}

std::uint32_t RegionNames::numberOf(std::string_view name) {
    if (const auto known = names_.find(name); known != names_.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(list_.size());
    names_.emplace(name, number);
    list_.emplace_back(name);
    return number;
}

} // namespace highwater::source
