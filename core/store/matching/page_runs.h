#pragma once

#include "core/store/matching/page_range.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::store {

/// A set of pages, kept as runs without gaps between them. Counting the pages in a range takes as many steps as a
/// look-up, however many runs lie in it; adding and removing a range takes steps for the runs that vanish by it, which
/// somebody had to make first. Pipeline thread only.
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
    /// Appends what of `range` is not in the set, in order, up to so many pages.
    void findGaps(PageRange range, std::uint64_t mostPages, std::vector<PageRange>& gaps) const;

  private:
    class Tree;
    std::unique_ptr<Tree> tree_;
};

} // namespace highwater::store
