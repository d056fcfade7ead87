#include "core/source/systems/region_sample.h"

#include "core/event/mapping_names.h"
#include "core/source/systems/region_names.h"
#include "core/source/systems/run_joiner.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace highwater::source {
namespace {

using namespace mapping_flag;

constexpr std::size_t kPagesAtOnce = 4096;
class SampleBuilder {
  public:
    SampleBuilder(MemoryRegions& memory, const std::vector<MemoryRegion>& regions)
        : memory_(memory), names_(memory, regions) {}

    /// False: its pages cannot be read.
    bool add(const MemoryRegion& region) {
        auto& mapping = sample_.mappings.emplace_back(names_.mappingOf(region));
        const auto pages = (region.end - region.begin) / kResidentPageBytes;
        if (!region.isCommitted || pages > pagesLeft_) return true;
        pagesLeft_ -= pages;
        return readPages(mapping);
    }
    [[nodiscard]] ResidentSample take() {
        addRest(memory_.workingSet());
        sample_.names = names_.takeNames();
        return std::move(sample_);
    }

  private:
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
        mapping.name = names_.numberOf(kRestOfWorkingSet);
    }

    MemoryRegions& memory_;
    RegionNames names_;
    std::array<PageFacts, kPagesAtOnce> facts_{};
    std::uint64_t pagesLeft_ = kMostSampledPages;
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
