#pragma once

#include "core/store/matching/page_range.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::store {

/// A set of pages, stored as runs without gaps. Counting the pages in a range takes as many steps as a look-up
/// regardless of the number of runs in it. Adding and removing a range takes additional steps for the runs that it
/// removes, each of which an earlier call created. Pipeline thread only.
class PageRuns {
  public:
    PageRuns();
    ~PageRuns();
    PageRuns(PageRuns&&) noexcept;
    PageRuns& operator=(PageRuns&&) noexcept;

    void add(PageRange range);
    void remove(PageRange range);
    void clear();

    [[nodiscard]] std::uint64_t pagesIn(PageRange range) const;
    /// Appends the parts of `range` that are not in the set, in order, up to this number of pages.
    void findGaps(PageRange range, std::uint64_t mostPages, std::vector<PageRange>& gaps) const;

  private:
    class Tree;
    std::unique_ptr<Tree> tree_;
};

} // namespace highwater::store
