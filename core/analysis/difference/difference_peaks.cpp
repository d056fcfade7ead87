#include "core/analysis/difference/difference_peaks.h"

#include "core/analysis/rows/row_population.h"
#include "core/analysis/sweeps/peak_pass.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

/// One slice would be enough; several let the processors share the work.
constexpr std::uint32_t kParts = 32;

/// The peaks of one layer.
class LayerPeaks {
  public:
    LayerPeaks(const DifferenceEntries& entries, std::uint32_t trace, const RowSelection& selection)
        : entries_(entries),
          trace_(trace),
          selection_(selection),
          population_(dynamic_cast<const RowPopulation&>(selection.population())) {}

    using Slices = std::optional<std::vector<std::vector<std::int64_t>>>;
    using Edges = std::vector<TraceTime>;
    /// Several ranges count as one, or each counts by itself.
    enum class As : std::uint8_t { Each, One };

    /// By group and slice. Nothing: stopped.
    Slices slicesOf(std::span<const EntryRange> ranges, As as, const Edges& edges, const std::stop_token& stop) const {
        std::vector<std::uint64_t> openings(as == As::One ? 1 : ranges.size());
        std::vector<std::uint32_t> groupOfCell(selection_.cells().size());
        for (std::uint32_t i = 0; i < ranges.size(); ++i) {
            const auto group = as == As::One ? 0 : i;
            openings[group] += entries_.sums(ranges[i], trace_).opening;
            for (const auto& entry : entries_.of(ranges[i])) {
                if (entry.trace == trace_) groupOfCell[entry.cell] = group + 1;
            }
        }
        const bool endsByExit = !population_.rows().exits().empty();
        return endsByExit ? swept(openings, groupOfCell, edges, stop)
                          : passed(openings, std::move(groupOfCell), edges, stop);
    }
    /// By place in the layer. Nothing: stopped.
    std::optional<std::vector<std::int64_t>> of(std::span<const EntryRange> groups, const std::stop_token& stop) const {
        const auto slices = slicesOf(groups, As::Each, sliceEdges(seenInterval(selection_), kParts), stop);
        if (!slices) return std::nullopt;
        std::vector<std::int64_t> peaks;
        for (const auto& ofGroup : *slices)
            peaks.push_back(*std::max_element(ofGroup.begin(), ofGroup.end()));
        return peaks;
    }

  private:
    Slices passed(const std::vector<std::uint64_t>& openings, std::vector<std::uint32_t> groupOfCell,
                  const Edges& edges, const std::stop_token& stop) const {
        GroupsOfRows groups;
        groups.count = static_cast<std::uint32_t>(openings.size());
        if (selection_.singleRows()) {
            forEachRow(groupOfCell, [&](RowId row, std::uint32_t group) { groups.ofRows.push_back({row, group}); });
            groupOfCell.assign(groupOfCell.size(), 0);
        }
        groups.ofCells = std::move(groupOfCell);
        return PeakPass(population_, groups, RowSweep::Measure::Bytes).run(openings, edges, {}, stop);
    }

    /// For rows that end with their process, without an event of their own.
    Slices swept(const std::vector<std::uint64_t>& openings, const std::vector<std::uint32_t>& groupOfCell,
                 const Edges& edges, const std::stop_token& stop) const {
        RowGroups groups(groupOfCell.size());
        if (selection_.singleRows()) {
            forEachRow(groupOfCell, [&](RowId row, std::uint32_t group) { groups.addRow(row, group - 1); });
        } else {
            for (std::uint32_t cell = 0; cell < groupOfCell.size(); ++cell)
                if (groupOfCell[cell] != 0) groups.addCell(cell, groupOfCell[cell] - 1);
        }
        SliceLevels levels(edges, openings.size());
        for (std::uint32_t i = 0; i < openings.size(); ++i)
            levels.open(i, openings[i]);
        if (!RowSweep(population_, groups).run(edges, openings.size(), levels, stop)) return std::nullopt;
        std::vector<std::vector<std::int64_t>> slices;
        for (std::uint32_t i = 0; i < openings.size(); ++i)
            slices.push_back(std::move(levels.values(i)));
        return slices;
    }

    /// Selected rows that are in a group, in their order.
    template <typename Visit>
    void forEachRow(const std::vector<std::uint32_t>& groupOfCell, Visit visit) const {
        for (const auto row : *selection_.singleRows()) {
            const auto group = groupOfCell[population_.cellOf(static_cast<RowId>(row))];
            if (group != 0) visit(static_cast<RowId>(row), group);
        }
    }

    const DifferenceEntries& entries_;
    std::uint32_t trace_;
    const RowSelection& selection_;
    const RowPopulation& population_;
};

} // namespace

std::optional<std::vector<std::int64_t>> peaksOf(const DifferenceEntries& entries, std::span<const EntryRange> groups,
                                                 std::uint32_t trace, const RowSelection& selection,
                                                 const std::stop_token& stop) {
    // An instance is a single instant, so its amount is its peak.
    if (dynamic_cast<const RowPopulation*>(&selection.population()) == nullptr) {
        std::vector<std::int64_t> sizes;
        for (const auto& group : groups)
            sizes.push_back(static_cast<std::int64_t>(entries.sums(group, trace).size));
        return sizes;
    }
    const LayerPeaks peaks(entries, trace, selection);
    std::vector<std::int64_t> found(groups.size());
    for (const auto& layer : layersOf(groups)) {
        std::vector<EntryRange> ranges;
        for (const auto group : layer)
            ranges.push_back(groups[group]);
        const auto ofLayer = peaks.of(ranges, stop);
        if (!ofLayer) return std::nullopt;
        for (std::size_t i = 0; i < layer.size(); ++i)
            found[layer[i]] = (*ofLayer)[i];
    }
    return found;
}

std::optional<std::vector<std::int64_t>> levelsOf(const DifferenceEntries& entries, std::span<const EntryRange> groups,
                                                  std::uint32_t trace, const RowSelection& selection,
                                                  const std::vector<TraceTime>& edges, const std::stop_token& stop) {
    auto slices = LayerPeaks(entries, trace, selection).slicesOf(groups, LayerPeaks::As::One, edges, stop);
    if (!slices) return std::nullopt;
    return std::move(slices->front());
}

TimeRange seenInterval(const RowSelection& selection) {
    const auto& bounds = dynamic_cast<const RowPopulation&>(selection.population()).rows().bounds();
    return {TraceTime{bounds.t0}, TraceTime{bounds.t1}};
}

} // namespace highwater::analysis
