#pragma once

#include "core/analysis/flames/flame_amounts.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace highwater::analysis {

/// The distinct paths of the rows, from the root to the end of each, sorted, so that paths with the same prefix are
/// adjacent. A frame of the graph is therefore a range of paths, and its amount is the difference of two running sums.
/// One thread.
class FlamePaths {
  public:
    explicit FlamePaths(std::vector<Column> keys) : keys_(std::move(keys)), idsOfKey_(keys_.size()) {}

    enum class Of : std::uint8_t { Now, Before };
    /// The selection must outlive it, and must have the keys as columns.
    void add(const RowSelection& selection, const FlameAmounts& amounts, Of of);
    /// The same for groups with numbers from the caller: groups with the same text in several selections, of several
    /// traces, have one number. numbers(cell, key): for a stack, its frames; for another column, one number. Valid
    /// until the next call.
    using Numbers = std::function<std::span<const std::uint32_t>(const CellKey& cell, std::size_t key)>;
    void add(const Numbers& numbers, const FlameAmounts& amounts, Of of);
    /// Sorts and sums up. Call it after the last add(). False: stopped.
    bool finish(const std::stop_token& stop);

    /// A frame: its paths, and the length of their common prefix.
    struct Range {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        std::uint32_t key = 0;   ///< key column of the next step
        std::uint32_t place = 0; ///< and its index in the stack
        std::uint32_t depth = 0; ///< steps so far
    };
    struct Values {
        std::uint64_t width = 0;
        SignedByteCount now = 0;
        SignedByteCount before = 0;
        SignedByteCount ownNow = 0; ///< amount of the path that ends in the range's last step
        SignedByteCount ownBefore = 0;
        std::uint64_t count = 0;
        std::uint64_t frames = 0; ///< frames with a width, including the range's own
    };
    [[nodiscard]] Range all() const { return {0, static_cast<std::uint32_t>(paths_.size()), 0, 0, 0}; }
    [[nodiscard]] Values valuesOf(const Range& range) const;
    [[nodiscard]] std::uint64_t widthOf(const Range& range) const {
        return sums_[range.last].width - sums_[range.first].width;
    }
    /// Calls visit(Range) for each frame below that has a width.
    template <typename Visit>
    void visitChildren(const Range& range, Visit visit) const {
        for (auto first = range.first; first < range.last;) {
            const auto step = stepOf(first, range);
            if (!step) { // the path that ends here: at most one
                ++first;
                continue;
            }
            const auto last = endOf(first, range, *step);
            const Range child{first, last, step->key, step->place + 1, range.depth + 1};
            if (widthOf(child) > 0) visit(child);
            first = last;
        }
    }
    /// The key column and the key of the last step of the range.
    [[nodiscard]] KeyStep lastStep(const Range& range) const;
    /// Sum of the paths without a width.
    [[nodiscard]] SignedByteCount notDrawn() const { return static_cast<SignedByteCount>(notDrawn_); }

  private:
    using Segment = std::span<const std::uint32_t>; ///< for one key column: the frames of a stack, or one number
    struct Path {
        std::uint32_t segments = 0; ///< the first of keys_.size() in segments_
        std::uint64_t now = 0;
        std::uint64_t before = 0;
        std::uint64_t count = 0;
    };
    /// Over all paths before this one.
    struct RunningSums {
        std::uint64_t width = 0;
        std::uint64_t now = 0;
        std::uint64_t before = 0;
        std::uint64_t count = 0;
        std::uint64_t frames = 0;   ///< new frames of each path with a width, compared with the previous such path
        std::uint32_t nextWide = 0; ///< the next path, starting here, that has a width
    };
    struct Step {
        std::uint32_t key = 0;
        std::uint32_t place = 0;
        std::uint32_t id = 0;
        friend bool operator==(const Step&, const Step&) = default;
    };
    /// Maps the keys of one column to small numbers.
    struct Ids {
        tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> idOf;
        std::vector<std::uint64_t> keyOf;
        std::deque<std::uint32_t> ids; ///< referenced by segments, so elements must not move
    };

    [[nodiscard]] Segment segment(std::uint32_t path, std::uint32_t key) const {
        return segments_[paths_[path].segments + key];
    }
    Segment idOf(std::size_t key, std::uint64_t value);
    void addPath(const Cell& cell, SignedByteCount amount, Of of);
    [[nodiscard]] int compare(const Path& a, const Path& b) const;
    [[nodiscard]] std::uint32_t lengthOf(const Path& path) const;
    /// The number of common steps of two paths.
    [[nodiscard]] std::uint32_t sharedSteps(const Path& a, const Path& b) const;
    [[nodiscard]] std::optional<Step> stepOf(std::uint32_t path, const Range& range) const;
    [[nodiscard]] std::uint32_t endOf(std::uint32_t first, const Range& range, const Step& step) const;
    void joinEqual();
    void sumUp();
    [[nodiscard]] unsigned shiftThatFits() const;
    static std::uint64_t widthOf(const Path& path);

    std::vector<Column> keys_;
    std::vector<Ids> idsOfKey_;
    std::vector<Segment> segments_;
    std::deque<std::vector<std::uint32_t>> ownSegments_; ///< for stacks with numbers from the caller
    std::vector<Path> paths_;
    std::vector<RunningSums> sums_; ///< one more than paths
    std::uint64_t notDrawn_ = 0;
};

} // namespace highwater::analysis
