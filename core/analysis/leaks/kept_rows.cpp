#include "core/analysis/leaks/kept_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace highwater::analysis {
namespace {

/// Kept rows by thirds of the time since the stack's first row. A leak has its share in each.
std::array<double, 3> keptByThirds(const LeakEvidence& evidence, std::size_t firstSlice, std::size_t endSlice) {
    const auto length = static_cast<double>(endSlice - firstSlice);
    const auto first = keptBefore(evidence, static_cast<double>(firstSlice) + length / 3);
    const auto second = keptBefore(evidence, static_cast<double>(firstSlice) + length * 2 / 3);
    return {first, second - first, keptBefore(evidence, static_cast<double>(endSlice)) - second};
}

KeptRows::Bursts burstsOf(const LeakEvidence& evidence, std::size_t endSlice, TraceTime last) {
    constexpr double kAlike = 2; ///< the largest burst relative to the mean
    std::vector<double> runs;
    bool isInRun = false;
    for (const auto& slice : std::span(evidence.slices).first(endSlice)) {
        if (slice.kept > 0 && !isInRun) runs.push_back(0);
        isInRun = slice.kept > 0;
        if (isInRun) runs.back() += static_cast<double>(slice.kept);
    }
    const auto count = static_cast<double>(runs.size());
    if (runs.size() < 3) return {};
    const auto mean = std::accumulate(runs.begin(), runs.end(), 0.0) / count;
    if (*std::max_element(runs.begin(), runs.end()) > kAlike * mean) return {};
    return {count, secondsBetween(evidence.firstKept, last) / (count - 1)};
}

} // namespace

double keptBefore(const LeakEvidence& evidence, double slices) {
    double sum = 0;
    for (std::size_t i = 0; i < evidence.slices.size(); ++i) {
        const auto part = std::clamp(slices - static_cast<double>(i), 0.0, 1.0);
        sum += part * static_cast<double>(evidence.slices[i].kept);
    }
    return sum;
}

KeptRows keptRowsUntil(std::size_t endSlice, const LeakEvidence& evidence, const LeakPeriod& period) {
    const auto firstSlice = period.sliceOf(evidence.firstMade);
    auto lastSlice = endSlice;
    while (lastSlice > firstSlice && evidence.slices[lastSlice - 1].kept == 0)
        --lastSlice;
    const auto last = std::min(evidence.lastKept, period.startOf(lastSlice));
    return {firstSlice,
            endSlice,
            evidence.firstMade,
            period.startOf(endSlice),
            evidence.firstKept,
            last,
            keptBefore(evidence, static_cast<double>(endSlice)),
            keptByThirds(evidence, firstSlice, endSlice),
            burstsOf(evidence, endSlice, last)};
}

double KeptRows::seconds() const { return secondsBetween(begin, end); }

double KeptRows::fresh() const {
    if (count < 2) return 1;
    const auto spacing = secondsBetween(first, last) / (count - 1);
    const auto silence = secondsBetween(last, end) - std::max(3 * spacing, bursts.rhythm);
    return silence <= 0 || seconds() <= 0 ? 1 : std::max(0.0, 1 - 3 * silence / seconds());
}

double KeptRows::enough() const { return 1 - std::exp(-count / 4); }

double KeptRows::evenness() const {
    const auto least = *std::min_element(thirds.begin(), thirds.end());
    if (least <= 0) return 0;
    const auto ofRows = std::sqrt(count / 3) / 2;
    const auto chance =
        bursts.count > 0 ? std::max(ofRows, count / bursts.count * std::sqrt(bursts.count / 3) / 2) : ofRows;
    return std::min(1.0, 3 * (least + chance) / count);
}

} // namespace highwater::analysis
