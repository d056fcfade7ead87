#include "core/analysis/peak_pass.h"

#include "core/analysis/parallel_spans.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

using store::EventOrder;

constexpr std::uint64_t kEventsPerPart = 1u << 18;

} // namespace

PeakPass::PeakPass(const RowPopulation& population, const GroupOfRow& groupOfRow, std::size_t groups,
                   RowSweep::Measure measure)
    : population_(population), groupOfRow_(groupOfRow), groups_(groups), measure_(measure) {}

std::optional<std::vector<std::int64_t>> PeakPass::run(const std::vector<std::uint64_t>& opening,
                                                       const std::stop_token& stop) const {
    const auto& rows = population_.rows();
    const auto first = EventReader::firstFrom(rows.view(), TraceTime{rows.bounds().t0});
    const auto last = EventReader::firstFrom(rows.view(), TraceTime{rows.bounds().t1});
    const auto events = std::max(first, last) - first;
    // Parts are swept as if nothing was before them, and joined.
    const auto parts = std::max<std::uint64_t>(1, std::min<std::uint64_t>(events / kEventsPerPart, 64));
    std::vector<std::vector<Level>> levels(parts);
    const bool finished = forEachSpan(parts, workersFor(parts), stop, [&](unsigned, std::uint64_t part) {
        levels[part] = sweep(first + events * part / parts, first + events * (part + 1) / parts, stop);
    });
    if (!finished) return std::nullopt;
    std::vector<std::int64_t> peaks;
    for (std::size_t group = 0; group < groups_; ++group) {
        auto level = opening[group];
        auto peak = static_cast<std::int64_t>(level);
        for (const auto& part : levels) {
            const auto& own = part[group + 1];
            peak = std::max(peak, static_cast<std::int64_t>(level + static_cast<std::uint64_t>(own.peak)));
            level += own.level;
        }
        peaks.push_back(peak);
    }
    return peaks;
}

std::vector<PeakPass::Level> PeakPass::sweep(std::uint64_t first, std::uint64_t last,
                                             const std::stop_token& stop) const {
    constexpr std::uint64_t kAhead = 16; // rows end in no order: without fetching ahead every end waits for memory
    const auto& rows = population_.rows().view().columns->rows;
    const auto& order = rows.order();
    const auto& sizes = rows.narrowSizes();
    const auto endCount = order.ends().size();
    const bool bytes = measure_ == RowSweep::Measure::Bytes;
    std::vector<Level> levels(groups_ + 1); // of group 0 too: no branch
    std::uint64_t bits = 0, row = 0, end = 0;
    for (auto event = first & ~(EventOrder::kBlockEvents - 1); event < last; ++event, bits >>= 1) {
        if (event % EventOrder::kBlockEvents == 0) {
            const auto block = event >> EventOrder::kBlockShift;
            if (block % 1024 == 0 && stop.stop_requested()) break;
            bits = order.bits(block);
            row = order.blocks()[block].firstRow;
            end = order.blocks()[block].firstEnd;
        }
        std::uint64_t of = 0, delta = 0;
        if ((bits & 1) != 0) {
            while (rows.begins()[row] == kBeforeTrace.ns)
                ++row;
            of = row++;
            delta = bytes ? rows.size(static_cast<RowId>(of)) : 1;
        } else {
            const auto entry = order.ends()[end++];
            if (end + kAhead < endCount) {
                const auto ahead = order.ends()[end + kAhead];
                if ((ahead & EventOrder::kPartial) == 0 && ahead < groupOfRow_.size()) {
                    __builtin_prefetch(&groupOfRow_[ahead]);
                    __builtin_prefetch(&sizes[ahead]);
                }
            }
            of = entry;
            if ((entry & EventOrder::kPartial) == 0) {
                delta = std::uint64_t{0} - (bytes ? rows.size(entry) : 1);
            } else {
                const auto& partial = rows.partials()[entry & ~EventOrder::kPartial];
                of = partial.row;
                delta = std::uint64_t{0} - (bytes ? partial.bytes : partial.isFinal);
            }
        }
        if (event < first) continue;
        auto& level = levels[groupOfRow_[of]];
        level.level += delta;
        level.peak = std::max(level.peak, static_cast<std::int64_t>(level.level));
    }
    return levels;
}

} // namespace highwater::analysis
