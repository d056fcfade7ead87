#pragma once

#include "core/analysis/balance/balance_point.h"
#include "core/analysis/balance/block_pages.h"
#include "core/analysis/balance/mapping_kinds.h"
#include "core/analysis/balance/page_ranges.h"
#include "core/analysis/balance/resident_peaks.h"
#include "core/event/resident_sample.h"

#include <vector>

namespace highwater::analysis {

/// Pages that the program got or returned while a sample was read.
struct ChangedPages {
    PageRanges blocks; ///< of blocks with their own mapping
    PageRanges rows;   ///< of rows of VirtualAlloc
};

/// Live blocks and pages of one process as they change over time, which divide its samples into layers. One thread.
class ProcessMemory {
  public:
    /// The pages that its blocks use at some time.
    explicit ProcessMemory(std::vector<UsedPage> pages, BlockRules rules = BlockRules::Glibc)
        : blocks_(std::move(pages)), rules_(rules) {}

    void addBlock(Address address, ByteCount size) { blocks_.add(extentOf(address, size, rules_)); }
    void removeBlock(Address address, ByteCount size) { blocks_.remove(extentOf(address, size, rules_)); }
    /// A row of VirtualAlloc.
    void addPages(PageRange range) { mapped_.add(range); }
    void removePages(PageRange range) { mapped_.remove(range); }
    /// The same for a row of which an unknown part has been released.
    void addPartly(PageRange range) { partlyMapped_.add(range); }
    void removePartly(PageRange range) { partlyMapped_.remove(range); }

    /// Pages that began or ended while the next sample was read. They explain what would be unknown.
    void setChanged(ChangedPages changed) { changed_ = std::move(changed); }

    enum class Free : std::uint8_t {
        Known,
        Unknown, ///< memory that seems to be free may have blocks that were not recorded
    };
    /// Results other than the layers. Null: not wanted.
    struct Details {
        std::vector<BalancePart>* parts = nullptr;   ///< by mapping, largest first
        std::vector<BalancePart>* modules = nullptr; ///< the same by module
        ResidentPeaks* peaks = nullptr;              ///< the sample is added
    };
    /// Divides the pages of the sample into layers.
    [[nodiscard]] BalancePoint pointAt(const ResidentSample& sample, const ImagePages& images, Free free,
                                       const Details& details);
    [[nodiscard]] BalancePoint pointAt(const ResidentSample& sample, const ImagePages& images, Free free) {
        return pointAt(sample, images, free, {});
    }

  private:
    BlockPages blocks_;
    BlockRules rules_;
    ChangingRanges mapped_;
    ChangingRanges partlyMapped_;
    ChangedPages changed_;
};

} // namespace highwater::analysis
