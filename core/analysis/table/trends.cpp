#include "core/analysis/table/trends.h"

#include "core/analysis/sweeps/growth.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace highwater::analysis {
namespace {

/// Every edge twice: between both is only the level at that instant.
std::vector<TraceTime> doubledEdges(TimeRange interval) {
    std::vector<TraceTime> edges;
    for (const auto edge : sliceEdges(interval, kTrendParts)) {
        edges.insert(edges.end(), 2, edge);
    }
    return edges;
}

std::optional<std::int64_t> slopeOf(std::span<const double> levels, TimeRange interval) {
    // The difference of distant times may overflow a signed number.
    const auto length = static_cast<double>(interval.end.ns) - static_cast<double>(interval.start.ns);
    if (!(length > 0)) return std::nullopt;
    constexpr double kMost = 9e18;
    const auto growth = growthOf(floorsOf(levels), length / 1e9 / kTrendParts).perSecond;
    return std::llround(std::clamp(growth, -kMost, kMost));
}

Trend trendOf(const std::vector<SignedByteCount>& slices, TimeRange interval) {
    std::vector<double> levels;
    std::vector<SignedByteCount> highest;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        if (i % 2 == 0) {
            levels.push_back(static_cast<double>(slices[i]));
        } else {
            highest.push_back(slices[i]);
        }
    }
    return {{std::make_shared<const std::vector<SignedByteCount>>(std::move(highest))}, slopeOf(levels, interval)};
}

} // namespace

Result<std::vector<Trend>> computeTrends(const SweptNodes& swept, const std::stop_token& stop) {
    const auto interval = intervalOf(swept);
    const auto slices = TRY(sweepSlices(swept, doubledEdges(interval), stop));
    std::vector<Trend> trends;
    trends.reserve(slices.size());
    for (const auto& ofNode : slices) {
        trends.push_back(trendOf(ofNode, interval));
    }
    return trends;
}

} // namespace highwater::analysis
