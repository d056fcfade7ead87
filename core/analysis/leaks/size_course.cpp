#include "core/analysis/leaks/size_course.h"

#include <algorithm>
#include <cmath>

namespace highwater::analysis {
namespace {

constexpr auto kSlices = LeakPeriod::kSlices;

double meanSize(const LeakEvidence::Slice& slice) {
    return static_cast<double>(slice.made) / static_cast<double>(slice.madeCount);
}

/// Compares the mean size of the rows in the last nonempty slice with that of the first half of all rows, or, if small
/// rows are also allocated, the mean of the kept rows with that of all rows.
bool blocksGrow(const LeakEvidence& evidence) {
    constexpr double kLarger = 1.2;
    const auto made = static_cast<double>(evidence.madeCount);
    double all = 0;
    double bytes = 0;
    double rows = 0;
    double last = 0;
    for (const auto& slice : evidence.slices) {
        if (slice.madeCount == 0) continue;
        last = meanSize(slice);
        all += static_cast<double>(slice.made);
        if (rows * 2 >= made) continue;
        bytes += static_cast<double>(slice.made);
        rows += static_cast<double>(slice.madeCount);
    }
    if (rows > 0 && last * rows > kLarger * bytes) return true;
    return static_cast<double>(evidence.keptBytes) * made > kLarger * all * static_cast<double>(evidence.keptCount);
}

/// The largest fall from a peak to a later level. A level that is higher at a single edge is a buffer being copied,
/// when its old and its new block coexist.
double largestFall(const std::vector<double>& levels) {
    double top = levels.front();
    double fall = 0;
    for (std::size_t i = 1; i < levels.size(); ++i) {
        const auto level =
            i + 1 < levels.size() ? std::min(levels[i], std::max(levels[i - 1], levels[i + 1])) : levels[i];
        top = std::max(top, level);
        fall = std::max(fall, top - level);
    }
    return fall;
}

} // namespace

SizeCourse::SizeCourse(const LeakEvidence& evidence, const LeakPeriod& period)
    : first_(period.sliceOf(evidence.firstMade)), hasGrowingBlocks_(blocksGrow(evidence)) {
    const auto levels = evidence.levels();
    const auto floors = floorsOf(levels);
    findSteps(floors);
    if (steps_.empty()) return;
    silence_ = static_cast<double>(kSlices - steps_.back().edge) / static_cast<double>(kSlices - first_);
    isQuiet_ = std::all_of(evidence.slices.begin() + static_cast<std::ptrdiff_t>(steps_.back().edge),
                           evidence.slices.end(), [](const auto& slice) { return slice.madeCount == 0; });
    const auto rise = floors.back() - floors[first_];
    if (rise > 0) steady_ = std::max(0.0, 1 - 1.5 * largestFall(levels) / rise);
    measureUse(floors, period);
}

void SizeCourse::findSteps(const std::vector<double>& floors) {
    // Steps below a thousandth of the rise belong to other allocations of the stack.
    const auto least = (floors.back() - floors[first_]) / 1000;
    for (auto edge = first_ + 1; edge < floors.size(); ++edge) {
        if (floors[edge] - floors[edge - 1] > least) steps_.push_back({edge, floors[edge - 1]});
    }
}

/// The time until the current block is full, estimated from how fast the previous blocks were filled: all of them or
/// the last one, whichever is slower.
double SizeCourse::slicesUntilNext(const std::vector<double>& floors) const {
    const auto& last = steps_.back();
    const auto room = floors.back() - last.before;
    const auto slicesBy = [&](const Step& from) {
        const auto filled = last.before - from.before;
        return filled > 0 ? static_cast<double>(last.edge - from.edge) * room / filled : 0.0;
    };
    return std::max(slicesBy(steps_.front()), slicesBy(steps_[steps_.size() - 2]));
}

void SizeCourse::measureUse(const std::vector<double>& floors, const LeakPeriod& period) {
    if (steps_.size() < 2) return;
    constexpr double kSlack = 1.25;
    const auto seen = static_cast<double>(kSlices - first_);
    const auto silence = static_cast<double>(kSlices - steps_.back().edge);
    const auto due = slicesUntilNext(floors);
    fresh_ = std::clamp(1 - 3 * (silence - kSlack * due - 1) / seen, 0.0, 1.0);

    // From edge to edge: at a step, the previous block is full.
    std::vector<double> use{floors[first_]};
    for (const auto& step : steps_) {
        const auto from = use.back();
        const auto slices = step.edge - first_ + 1 - use.size();
        for (std::size_t i = 1; i <= slices; ++i)
            use.push_back(from + (step.before - from) * static_cast<double>(i) / static_cast<double>(slices));
        use.back() = step.before;
    }
    const auto room = floors.back() - steps_.back().before;
    for (double slices = 1; use.size() < floors.size() - first_; ++slices)
        use.push_back(steps_.back().before + room * std::min(1.0, slices / std::max(due, 1.0)));
    growth_ = growthOf(use, period.seconds() / kSlices);

    const auto at = [&](double share) {
        return use[static_cast<std::size_t>(std::lround(share * static_cast<double>(use.size() - 1)))];
    };
    const auto all = use.back() - use.front();
    if (all <= 0) return;
    const std::array thirds{at(1 / 3.0) - use.front(), at(2 / 3.0) - at(1 / 3.0), use.back() - at(2 / 3.0)};
    constexpr double kFirst = 6; // accelerating growth has a small share in the first third
    evenness_ = std::clamp(3 * std::min({kFirst * thirds[0], thirds[1], thirds[2]}) / all, 0.0, 1.0);
}

} // namespace highwater::analysis
