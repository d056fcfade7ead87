#include "core/analysis/difference/difference_impl.h"
#include "core/analysis/flames/flame_amounts.h"
#include "core/analysis/flames/flame_tree_builder.h"

namespace highwater::analysis {
namespace {

/// Outstanding has no column; any column that is fast to compute works.
Column columnOf(Measure measure) {
    switch (measure) {
    case Measure::Size:
        return Column::Size;
    case Measure::ImpactingSize:
        return Column::ImpactingSize;
    case Measure::PeakSize:
        return Column::PeakSize;
    case Measure::Allocated:
        return Column::Allocated;
    default:
        return Column::Count;
    }
}

std::optional<FlameAmounts> amountsOf(const RowSelection& selection, const DifferenceQuery& query,
                                      const std::stop_token& stop) {
    auto amounts = flameAmountsOf(selection, query.table, columnOf(query.decides), stop);
    if (!amounts || query.decides != Measure::Outstanding) return amounts;
    for (std::size_t cell = 0; cell < amounts->cells.size(); ++cell) {
        const auto& sums = amounts->cells[cell].sums;
        amounts->amounts[cell] = static_cast<SignedByteCount>(sums.opening + sums.impacting);
    }
    return amounts;
}

/// Equal in every difference (FNV-1a), unlike place numbers, which depend on the order of first use.
std::uint64_t keyOfText(std::string_view text) {
    std::uint64_t key = 0xCBF29CE484222325u;
    for (const auto c : text)
        key = (key ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return key;
}

} // namespace

Result<FlameTree> Difference::flames(std::uint64_t mostFrames, const std::stop_token& stop) {
    const auto& query = impl_->query;
    if (impl_->traces != 2)
        return Error{
            ErrorKind::Usage,
            "A flame graph can compare only one trace with one other because medians of several traces do not add up."};
    FlameTree tree;
    FlamePaths paths(query.keys);
    std::vector<DifferenceEntries::Step> path;
    std::vector<std::uint32_t> steps;
    for (std::uint32_t trace = 0; trace < 2; ++trace) {
        const auto amounts = amountsOf(*impl_->selections[trace], query, stop);
        if (!amounts) return cancelled();
        const auto numbers = [&](const CellKey& cell, std::size_t key) {
            if (key == 0) impl_->findPath(trace, cell, path);
            steps.clear();
            for (const auto step : path)
                if (keyOfStep(step) == key) steps.push_back(placeOfStep(step));
            return std::span<const std::uint32_t>(steps);
        };
        paths.add(numbers, *amounts, trace == 0 ? FlamePaths::Of::Before : FlamePaths::Of::Now);
        tree.peakTime = amounts->peakTime;
        if (stop.stop_requested()) return cancelled();
    }
    tree.hasBefore = true;
    tree.valueName = measureName(query.decides);
    if (!paths.finish(stop)) return cancelled();
    const auto textOf = [&](const KeyStep& step) { return impl_->texts.text(static_cast<std::uint32_t>(step.key)); };
    if (!FlameTreeBuilder(paths, textOf, mostFrames).build(tree, stop)) return cancelled();
    for (auto& label : tree.labels)
        label.key = keyOfText(label.text);
    return tree;
}

} // namespace highwater::analysis
