#pragma once

#include "core/event/resident_sample.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace highwater::analysis {

/// Numbers of pages of kResidentPageBytes.
using PageNumber = std::uint64_t;

/// The last address at which a mapping can end: ends are multiples of a page.
inline constexpr Address kLastMappingEnd = std::numeric_limits<Address>::max() - (kResidentPageBytes - 1);

/// Pages [first, last).
struct PageRange {
    PageNumber first = 0;
    PageNumber last = 0;
    [[nodiscard]] bool isEmpty() const { return last <= first; }
    friend auto operator<=>(const PageRange&, const PageRange&) = default;
};
/// Whether it is known which pages of the mapping are resident.
[[nodiscard]] bool arePagesKnown(const Mapping& mapping);
/// Visits the resident pages of such a mapping, in order.
template <typename Visit>
void eachResidentRun(const Mapping& mapping, Visit visit) {
    const auto first = mapping.begin / kResidentPageBytes;
    if ((mapping.flags & mapping_flag::kPages) == 0) return visit(PageRange{first, mapping.end / kResidentPageBytes});
    mapping.pages.each([&](std::uint64_t skipped, std::uint64_t pages) {
        visit(PageRange{first + skipped, first + skipped + pages});
    });
}

/// Ascending, not empty, without overlap.
using PageRanges = std::vector<PageRange>;

/// The pages that contain any of these bytes. Bytes past the last page that a mapping can have are cut off.
[[nodiscard]] PageRange pagesOf(Address address, ByteCount size);
/// The union of ranges in any order.
[[nodiscard]] PageRanges unionOf(PageRanges ranges);
/// The union of two lists.
[[nodiscard]] PageRanges unionOf(const PageRanges& a, const PageRanges& b);

/// Ranges that come and go, and may overlap. Its memory depends on their number, not on their size.
class ChangingRanges {
  public:
    void add(PageRange range);
    /// A range that was added; others are ignored.
    void remove(PageRange range);
    /// Their union. Fast if nothing has changed.
    [[nodiscard]] const PageRanges& merged();

  private:
    std::multiset<PageRange> ranges_;
    PageRanges merged_;
    bool isStale_ = false;
};

/// Goes through a list of ranges in one direction, so that a sample needs one pass over it.
class RangeCursor {
  public:
    /// The list must outlive it.
    explicit RangeCursor(const PageRanges& ranges) : ranges_(ranges) {}

    /// Visits the parts of `range` that are inside and outside of the list, in order. Ranges must ascend from call to
    /// call.
    template <typename Inside, typename Outside>
    void split(PageRange range, Inside inside, Outside outside) {
        while (next_ < ranges_.size() && ranges_[next_].last <= range.first)
            ++next_;
        auto at = range.first;
        for (auto i = next_; i < ranges_.size() && ranges_[i].first < range.last; ++i) {
            if (ranges_[i].first > at) outside(PageRange{at, ranges_[i].first});
            const PageRange part{std::max(at, ranges_[i].first), std::min(range.last, ranges_[i].last)};
            inside(part);
            at = part.last;
        }
        if (at < range.last) outside(PageRange{at, range.last});
    }

  private:
    const PageRanges& ranges_;
    std::size_t next_ = 0;
};

} // namespace highwater::analysis
