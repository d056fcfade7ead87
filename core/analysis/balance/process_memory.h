#pragma once

#include "core/analysis/balance/balance_point.h"
#include "core/analysis/balance/block_pages.h"
#include "core/analysis/balance/mapping_kinds.h"
#include "core/analysis/balance/page_ranges.h"
#include "core/event/resident_sample.h"

#include <vector>

namespace highwater::analysis {

/// Live blocks and pages of one process as they change over time, which divide its samples into layers. One thread.
class ProcessMemory {
  public:
    /// The pages that its blocks use at some time.
    explicit ProcessMemory(std::vector<UsedPage> pages) : blocks_(std::move(pages)) {}

    void addBlock(Address address, ByteCount size) { blocks_.add(extentOf(address, size)); }
    void removeBlock(Address address, ByteCount size) { blocks_.remove(extentOf(address, size)); }
    /// A row of VirtualAlloc.
    void addPages(PageRange range) { mapped_.add(range); }
    void removePages(PageRange range) { mapped_.remove(range); }
    /// The same for a row of which an unknown part has been released.
    void addPartly(PageRange range) { partlyMapped_.add(range); }
    void removePartly(PageRange range) { partlyMapped_.remove(range); }

    enum class Free : std::uint8_t {
        Known,
        Unknown, ///< memory that seems to be free may have blocks that were not recorded
    };
    /// Divides the pages of the sample into layers.
    [[nodiscard]] BalancePoint pointAt(const ResidentSample& sample, const ImagePages& images, Free free);
    /// The same, with its parts, largest first.
    [[nodiscard]] BalancePoint pointAt(const ResidentSample& sample, const ImagePages& images, Free free,
                                       std::vector<BalancePart>& parts);

  private:
    template <typename Visit>
    BalancePoint divide(const ResidentSample& sample, const ImagePages& images, Free free, Visit visit);

    BlockPages blocks_;
    ChangingRanges mapped_;
    ChangingRanges partlyMapped_;
};

} // namespace highwater::analysis
