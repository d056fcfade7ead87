#include "core/analysis/flames/flame_paths.h"

#include "core/analysis/rows/stop_interval.h"

#include <algorithm>
#include <limits>

namespace highwater::analysis {

FlamePaths::Segment FlamePaths::idOf(std::size_t key, std::uint64_t value) {
    auto& of = idsOfKey_[key];
    const auto [entry, isNew] = of.idOf.try_emplace(value, static_cast<std::uint32_t>(of.keyOf.size()));
    if (isNew) {
        of.ids.push_back(entry->second);
        of.keyOf.push_back(value);
    }
    return {&of.ids[entry->second], 1};
}

void FlamePaths::addPath(const Cell& cell, SignedByteCount amount, Of of) {
    Path path;
    path.segments = static_cast<std::uint32_t>(segments_.size());
    (of == Of::Now ? path.now : path.before) = static_cast<std::uint64_t>(amount);
    if (of == Of::Now) path.count = cell.sums.count;
    paths_.push_back(path);
}

void FlamePaths::add(const RowSelection& selection, const FlameAmounts& amounts, Of of) {
    const auto& reader = selection.reader();
    for (std::size_t cell = 0; cell < amounts.cells.size(); ++cell) {
        const auto& key = amounts.cells[cell].key;
        addPath(amounts.cells[cell], amounts.amounts[cell], of);
        for (std::size_t k = 0; k < keys_.size(); ++k)
            segments_.push_back(isStack(keys_[k]) ? reader.stack(keys_[k], key) : idOf(k, reader.key(keys_[k], key)));
    }
}

void FlamePaths::add(const Numbers& numbers, const FlameAmounts& amounts, Of of) {
    for (std::size_t cell = 0; cell < amounts.cells.size(); ++cell) {
        addPath(amounts.cells[cell], amounts.amounts[cell], of);
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            const auto steps = numbers(amounts.cells[cell].key, k);
            if (isStack(keys_[k]))
                segments_.push_back(ownSegments_.emplace_back(steps.begin(), steps.end()));
            else
                segments_.push_back(idOf(k, steps.front()));
        }
    }
}

/// A stack that is a prefix of another comes first, so that the rows that end in a frame precede its nested frames.
int FlamePaths::compare(const Path& a, const Path& b) const {
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        const auto left = segments_[a.segments + k];
        const auto right = segments_[b.segments + k];
        if (left.data() == right.data() && left.size() == right.size()) continue;
        const auto [l, r] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
        if (l == left.end() && r == right.end()) continue;
        if (l == left.end()) return -1;
        if (r == right.end()) return 1;
        return *l < *r ? -1 : 1;
    }
    return 0;
}

std::uint32_t FlamePaths::lengthOf(const Path& path) const {
    std::size_t length = 0;
    for (std::size_t k = 0; k < keys_.size(); ++k)
        length += segments_[path.segments + k].size();
    return static_cast<std::uint32_t>(length);
}

std::uint32_t FlamePaths::sharedSteps(const Path& a, const Path& b) const {
    std::size_t shared = 0;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        const auto left = segments_[a.segments + k];
        const auto right = segments_[b.segments + k];
        const auto [l, r] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
        shared += static_cast<std::size_t>(l - left.begin());
        if (l != left.end() || r != right.end()) break;
    }
    return static_cast<std::uint32_t>(shared);
}

std::uint64_t FlamePaths::widthOf(const Path& path) {
    const auto most = std::max(static_cast<SignedByteCount>(path.now), static_cast<SignedByteCount>(path.before));
    return static_cast<std::uint64_t>(std::max<SignedByteCount>(most, 0));
}

bool FlamePaths::finish(const std::stop_token& stop) {
    if (stop.stop_requested()) return false;
    std::sort(paths_.begin(), paths_.end(), [&](const Path& a, const Path& b) { return compare(a, b) < 0; });
    joinEqual();
    if (stop.stop_requested()) return false;
    sumUp();
    return true;
}

void FlamePaths::joinEqual() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        if (kept > 0 && compare(paths_[kept - 1], paths_[i]) == 0) {
            paths_[kept - 1].now += paths_[i].now;
            paths_[kept - 1].before += paths_[i].before;
            paths_[kept - 1].count += paths_[i].count;
        } else {
            paths_[kept++] = paths_[i];
        }
    }
    paths_.resize(kept);
}

/// Sizes come from files. If the sum of widths would overflow, all are drawn at a smaller scale.
unsigned FlamePaths::shiftThatFits() const {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    for (unsigned shift = 0;; ++shift) {
        std::uint64_t sum = 0;
        const bool fits = std::all_of(paths_.begin(), paths_.end(), [&](const Path& path) {
            const auto width = widthOf(path) >> shift;
            if (width > kMost - sum) return false;
            sum += width;
            return true;
        });
        if (fits) return shift;
    }
}

void FlamePaths::sumUp() {
    const auto shift = shiftThatFits();
    sums_.assign(1, {});
    sums_.reserve(paths_.size() + 1);
    const Path* wide = nullptr; // the last one with a width
    for (const auto& path : paths_) {
        auto next = sums_.back();
        next.now += path.now;
        next.before += path.before;
        next.count += path.count;
        const auto width = widthOf(path) >> shift;
        next.width += width;
        if (width > 0) {
            next.frames += lengthOf(path) - (wide == nullptr ? 0 : sharedSteps(*wide, path));
            wide = &path;
        } else {
            notDrawn_ += path.now;
        }
        sums_.push_back(next);
    }
    auto nextWide = static_cast<std::uint32_t>(paths_.size());
    for (auto path = nextWide; path-- > 0;) {
        if (sums_[path + 1].width > sums_[path].width) nextWide = path;
        sums_[path].nextWide = nextWide;
    }
}

FlamePaths::Values FlamePaths::valuesOf(const Range& range) const {
    const auto& first = sums_[range.first];
    const auto& last = sums_[range.last];
    Values values;
    values.width = last.width - first.width;
    values.now = static_cast<SignedByteCount>(last.now - first.now);
    values.before = static_cast<SignedByteCount>(last.before - first.before);
    values.count = last.count - first.count;
    if (range.first < range.last && !stepOf(range.first, range)) {
        values.ownNow = static_cast<SignedByteCount>(paths_[range.first].now);
        values.ownBefore = static_cast<SignedByteCount>(paths_[range.first].before);
    }
    if (values.width == 0) return values;
    // The first path in a range adds all its steps below the range's own, regardless of steps shared with an earlier
    // path.
    const auto wide = first.nextWide;
    values.frames = last.frames - sums_[wide + 1].frames + lengthOf(paths_[wide]) - range.depth + 1;
    return values;
}

std::optional<FlamePaths::Step> FlamePaths::stepOf(std::uint32_t path, const Range& range) const {
    if (range.key >= keys_.size()) return std::nullopt;
    const auto here = segment(path, range.key);
    if (range.place < here.size()) return Step{range.key, range.place, here[range.place]};
    const auto key = range.key + 1;
    if (key >= keys_.size()) return std::nullopt;
    return Step{key, 0, segment(path, key).front()};
}

/// Paths with the same step are adjacent. Searches for their end, starting near the first.
std::uint32_t FlamePaths::endOf(std::uint32_t first, const Range& range, const Step& step) const {
    std::uint32_t reach = 1;
    auto low = first;
    while (low + reach < range.last && stepOf(low + reach, range) == step) {
        low += reach;
        reach *= 2;
    }
    auto high = std::min(low + reach, range.last);
    while (high - low > 1) {
        const auto middle = low + (high - low) / 2;
        (stepOf(middle, range) == step ? low : high) = middle;
    }
    return high;
}

KeyStep FlamePaths::lastStep(const Range& range) const {
    const auto id = segment(range.first, range.key)[range.place - 1];
    const auto column = keys_[range.key];
    return {column, isStack(column) ? id : idsOfKey_[range.key].keyOf[id]};
}

} // namespace highwater::analysis
