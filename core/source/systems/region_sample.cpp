#include "core/source/systems/region_sample.h"

#include "core/event/mapping_names.h"
#include "core/source/systems/run_joiner.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

namespace highwater::source {
namespace {

using namespace mapping_flag;
using Kind = MemoryRegion::Kind;

constexpr std::size_t kPagesAtOnce = 4096;
/// Where the system has its own memory, of which the process has page tables in its working set.
constexpr Address kSystemMemory = Address{0xFFFF'8000} << 32;

/// In ascending order, without overlap, whatever the process does meanwhile.
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

/// Windows extends a stack downwards: its guard is directly below the part in use.
bool isAboveGuard(const MemoryRegion& guard, const MemoryRegion& region) {
    return guard.isGuard && guard.kind == Kind::Private && guard.end == region.begin &&
           guard.allocation == region.allocation && region.isCommitted && !region.isGuard &&
           (region.access & kWrite) != 0;
}

/// Starts of the allocations that are stacks, in ascending order.
std::vector<Address> stacksIn(const std::vector<MemoryRegion>& regions) {
    std::vector<Address> stacks;
    for (std::size_t i = 1; i < regions.size(); ++i)
        if (isAboveGuard(regions[i - 1], regions[i])) stacks.push_back(regions[i].allocation);
    std::ranges::sort(stacks);
    return stacks;
}

class SampleBuilder {
  public:
    SampleBuilder(MemoryRegions& memory, const std::vector<MemoryRegion>& regions)
        : memory_(memory), stacks_(stacksIn(regions)) {}

    /// False: its pages cannot be read.
    bool add(const MemoryRegion& region) {
        auto& mapping = sample_.mappings.emplace_back();
        mapping.begin = region.begin;
        mapping.end = region.end;
        const auto name = nameOf(region);
        mapping.name = numberOf(name);
        mapping.flags = flagsOf(region, !name.empty());
        const auto pages = (region.end - region.begin) / kResidentPageBytes;
        if (!region.isCommitted || pages > pagesLeft_) return true;
        pagesLeft_ -= pages;
        return readPages(mapping);
    }
    [[nodiscard]] ResidentSample take() {
        addRest(memory_.workingSet());
        return std::move(sample_);
    }

  private:
    static std::uint32_t flagsOf(const MemoryRegion& region, bool hasFile) {
        const auto access = region.isGuard || !region.isCommitted ? 0 : region.access;
        if (region.kind == Kind::Private) return access;
        if (region.kind == Kind::Image) return access | kFile;
        return access | kShared | (hasFile ? kFile : 0);
    }
    [[nodiscard]] std::string nameOf(const MemoryRegion& region) {
        if (region.kind == Kind::Private)
            return std::string(std::ranges::binary_search(stacks_, region.allocation) ? kStackMemory : kPrivateMemory);
        if (region.allocation != named_) {
            named_ = region.allocation;
            file_ = memory_.fileAt(region.begin);
        }
        return file_.empty() && region.kind == Kind::Image ? std::string(kUnnamedImage) : file_;
    }
    [[nodiscard]] std::uint32_t numberOf(std::string_view name) {
        if (const auto known = names_.find(name); known != names_.end()) return known->second;
        const auto number = static_cast<std::uint32_t>(sample_.names.size());
        names_.emplace(name, number);
        sample_.names.emplace_back(name);
        return number;
    }

    bool readPages(Mapping& mapping) {
        const bool arePagesListed = isPrivateAnonymous(mapping);
        RunJoiner runs(mapping.begin);
        for (auto at = mapping.begin; at < mapping.end;) {
            const auto pages = std::min<std::uint64_t>((mapping.end - at) / kResidentPageBytes, kPagesAtOnce);
            const std::span facts(facts_.data(), pages);
            if (!memory_.readPages(at, facts)) return false;
            for (const auto& page : facts) {
                if (page.isResident) addPage(page, mapping);
                if (page.isResident && arePagesListed) runs.add(at, at + kResidentPageBytes);
                at += kResidentPageBytes;
            }
        }
        if (!arePagesListed) return true;
        mapping.pages = runs.take();
        mapping.flags |= kPages;
        return true;
    }
    static void addPage(const PageFacts& page, Mapping& mapping) {
        mapping.resident += kResidentPageBytes;
        mapping.proportional +=
            page.isShared ? kResidentPageBytes / std::max<ByteCount>(page.sharedBy, 1) : kResidentPageBytes;
        if (!page.isShared) mapping.privateDirty += kResidentPageBytes;
    }

    void addRest(ByteCount workingSet) {
        constexpr ByteCount kMost = kResidentPageBytes * (std::numeric_limits<std::uint32_t>::max() - 1ULL);
        const auto known = sample_.resident();
        if (workingSet <= known || sample_.mappings.empty()) return;
        const auto rest = std::min(workingSet - known, kMost) / kResidentPageBytes * kResidentPageBytes;
        if (rest == 0) return;
        auto& mapping = sample_.mappings.emplace_back();
        mapping.begin = kSystemMemory;
        mapping.end = kSystemMemory + rest;
        mapping.resident = mapping.proportional = mapping.privateDirty = rest;
        mapping.name = numberOf(kRestOfWorkingSet);
    }

    MemoryRegions& memory_;
    std::vector<Address> stacks_;
    std::array<PageFacts, kPagesAtOnce> facts_{};
    std::uint64_t pagesLeft_ = kMostSampledPages;
    std::optional<Address> named_; ///< allocation whose file is `file_`
    std::string file_;
    std::map<std::string, std::uint32_t, std::less<>> names_; ///< to their numbers
    ResidentSample sample_;
};

} // namespace

std::optional<ResidentSample> sampleOf(MemoryRegions& memory) {
    const auto regions = regionsOf(memory);
    SampleBuilder builder(memory, regions);
    for (const auto& region : regions)
        if (!builder.add(region)) return std::nullopt;
    return builder.take();
}

} // namespace highwater::source
