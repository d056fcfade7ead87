#include "core/store/matching/page_runs.h"

#include <algorithm>
#include <ext/pb_ds/assoc_container.hpp>
#include <ext/pb_ds/tree_policy.hpp>
#include <functional>
#include <utility>

namespace highwater::store {
namespace {

/// Stores in every node of a tree of (first page, end) the number of pages at and below it.
template <typename ConstNodeIterator, typename NodeIterator, typename Compare, typename Allocator>
class PagesBelow {
  public:
    using metadata_type = std::uint64_t;

    void operator()(NodeIterator node, ConstNodeIterator end) {
        const auto& [first, last] = **node;
        auto pages = last - first;
        if (const auto left = node.get_l_child(); left != end) pages += left.get_metadata();
        if (const auto right = node.get_r_child(); right != end) pages += right.get_metadata();
        const_cast<metadata_type&>(node.get_metadata()) = pages;
    }

    /// The number of pages in runs below this one.
    [[nodiscard]] std::uint64_t pagesBefore(std::uint64_t page) const {
        std::uint64_t pages = 0;
        for (auto node = node_begin(); node != node_end();) {
            const auto& [first, last] = **node;
            const auto left = node.get_l_child();
            if (page <= first) {
                node = left;
                continue;
            }
            if (left != node_end()) pages += left.get_metadata();
            pages += std::min(page, last) - first;
            if (page <= last) break;
            node = node.get_r_child();
        }
        return pages;
    }
    virtual ~PagesBelow() = default;

  private:
    [[nodiscard]] virtual ConstNodeIterator node_begin() const = 0;
    [[nodiscard]] virtual ConstNodeIterator node_end() const = 0;
};

using RunTree = __gnu_pbds::tree<std::uint64_t, std::uint64_t, std::less<>, __gnu_pbds::rb_tree_tag, PagesBelow>;

} // namespace

/// Runs by first page. Nodes also sum up the ends, so a run that changes is removed and inserted again.
class PageRuns::Tree {
  public:
    RunTree runs;

    /// The first run that ends at or after this page, so that it touches or overlaps a range that starts there.
    [[nodiscard]] RunTree::const_iterator firstTouching(std::uint64_t page) const {
        const auto after = runs.upper_bound(page);
        if (after == runs.begin()) return after;
        auto before = after;
        --before;
        return before->second >= page ? before : after;
    }
    void put(PageRange range) {
        if (!range.isEmpty()) runs.insert(std::make_pair(range.first, range.end));
    }
};

PageRuns::PageRuns() : tree_(std::make_unique<Tree>()) {}
PageRuns::~PageRuns() = default;
PageRuns::PageRuns(PageRuns&&) noexcept = default;
PageRuns& PageRuns::operator=(PageRuns&&) noexcept = default;

void PageRuns::add(PageRange range) {
    if (range.isEmpty()) return;
    for (auto run = tree_->firstTouching(range.first); run != tree_->runs.end() && run->first <= range.end;
         run = tree_->firstTouching(range.first)) {
        const PageRange touched{run->first, run->second};
        range = {std::min(range.first, touched.first), std::max(range.end, touched.end)};
        tree_->runs.erase(touched.first);
    }
    tree_->put(range);
}

void PageRuns::remove(PageRange range) {
    if (range.isEmpty()) return;
    for (;;) {
        const auto run = tree_->firstTouching(range.first + 1);
        if (run == tree_->runs.end() || run->first >= range.end) return;
        const PageRange cut{run->first, run->second};
        tree_->runs.erase(cut.first);
        tree_->put({cut.first, std::min(cut.end, range.first)});
        tree_->put({std::max(cut.first, range.end), cut.end});
    }
}

void PageRuns::clear() { tree_->runs.clear(); }

std::uint64_t PageRuns::pagesIn(PageRange range) const {
    if (range.isEmpty()) return 0;
    return tree_->runs.pagesBefore(range.end) - tree_->runs.pagesBefore(range.first);
}

void PageRuns::findGaps(PageRange range, std::uint64_t mostPages, std::vector<PageRange>& gaps) const {
    auto from = range.first;
    const auto addGap = [&](std::uint64_t end) {
        const PageRange gap{from, end - from > mostPages ? from + mostPages : end};
        gaps.push_back(gap);
        mostPages -= gap.pages();
    };
    for (auto run = tree_->firstTouching(from); run != tree_->runs.end() && run->first < range.end && mostPages > 0;
         ++run) {
        if (run->first > from) addGap(run->first);
        from = std::max(from, run->second);
    }
    if (from < range.end && mostPages > 0) addGap(range.end);
}

} // namespace highwater::store
