#include "core/analysis/histogram/histogram.h"

#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/rows/row_selection.h"
#include "core/base/seeded_hash.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <tuple>

namespace highwater::analysis {
namespace {

/// The counts of one worker. Sums wrap instead of overflowing because sizes come from files.
class BarCounts {
  public:
    explicit BarCounts(const HistogramQuery& query)
        : of_(query.of),
          keeps_(!isOfEvents(query.table)),
          countsExact_(query.exact > 0 && query.of == HistogramOf::Size),
          bars_(emptyBars(query.of)) {
        outstanding_.kind = HistogramBar::Kind::Outstanding;
        unknown_.kind = HistogramBar::Kind::Unknown;
    }

    void add(const RowFacts& row) {
        count(barOf(row), row);
        if (countsExact_) count(sizes_[row.size], row);
    }
    void add(const BarCounts& other) {
        for (std::size_t i = 0; i < bars_.size(); ++i)
            merge(bars_[i], other.bars_[i]);
        merge(outstanding_, other.outstanding_);
        merge(unknown_, other.unknown_);
        for (const auto& [size, bar] : other.sizes_)
            merge(sizes_[size], bar);
    }
    [[nodiscard]] std::vector<HistogramBar> bars() const;
    [[nodiscard]] std::vector<HistogramBar> mostFrequent(std::size_t most) const;
    [[nodiscard]] std::uint64_t sizes() const { return sizes_.size(); }

  private:
    [[nodiscard]] HistogramBar& barOf(const RowFacts& row) {
        if (of_ == HistogramOf::Size) return bars_[analysis::barOf(of_, row.size)];
        if (row.end == kNever) return outstanding_;
        if (row.begin == kBeforeTrace) return unknown_;
        const auto life = std::max<std::int64_t>(0, row.end.ns - row.begin.ns);
        return bars_[analysis::barOf(of_, static_cast<std::uint64_t>(life))];
    }
    void count(HistogramBar& bar, const RowFacts& row) const {
        ++bar.count;
        bar.bytes += row.size;
        // The amount at the start of the interval plus the change. For a release: nothing.
        bar.keptBytes += row.sums.opening + row.sums.impacting;
        if (keeps_ && (row.key.type == RowType::AIFO || row.key.type == RowType::AOFO)) ++bar.keptCount;
    }
    static void merge(HistogramBar& into, const HistogramBar& from) {
        into.count += from.count;
        into.bytes += from.bytes;
        into.keptCount += from.keptCount;
        into.keptBytes += from.keptBytes;
    }

    HistogramOf of_;
    bool keeps_;
    bool countsExact_;
    std::vector<HistogramBar> bars_;
    HistogramBar outstanding_;
    HistogramBar unknown_;
    tsl::robin_map<std::uint64_t, HistogramBar, SeededHash> sizes_;
};

std::vector<HistogramBar> BarCounts::bars() const {
    const auto isFull = [](const HistogramBar& bar) { return bar.count > 0; };
    const auto first = std::find_if(bars_.begin(), bars_.end(), isFull);
    const auto last = std::find_if(bars_.rbegin(), bars_.rend(), isFull).base();
    std::vector<HistogramBar> bars;
    if (first < last) bars.assign(first, last);
    for (const auto* rest : {&outstanding_, &unknown_}) {
        if (isFull(*rest)) bars.push_back(*rest);
    }
    return bars;
}

std::vector<HistogramBar> BarCounts::mostFrequent(std::size_t most) const {
    std::vector<HistogramBar> bars;
    for (const auto& [size, counted] : sizes_) {
        auto& bar = bars.emplace_back(counted);
        bar.from = size;
        bar.to = size + 1 == 0 ? std::nullopt : std::optional(size + 1);
    }
    const auto end = bars.begin() + static_cast<std::ptrdiff_t>(std::min(most, bars.size()));
    std::partial_sort(bars.begin(), end, bars.end(), [](const HistogramBar& a, const HistogramBar& b) {
        return std::tuple(b.count, a.from) < std::tuple(a.count, b.from);
    });
    bars.erase(end, bars.end());
    return bars;
}

std::optional<std::vector<BarCounts>> countBars(const RowSelection& selection, const HistogramQuery& query,
                                                const std::stop_token& stop) {
    const auto& population = selection.population();
    if (const auto& rows = selection.singleRows()) {
        std::vector<BarCounts> counts(1, BarCounts(query));
        for (const auto row : *rows) {
            if (stop.stop_requested()) return std::nullopt;
            counts.front().add(population.facts(row));
        }
        return counts;
    }
    std::vector<BarCounts> counts(population.workers(), BarCounts(query));
    const bool finished =
        population.visitMembers(population.workers(), stop, [&](unsigned worker, std::span<const Member> members) {
            for (const auto& member : members)
                counts[worker].add(population.facts(member.row));
        });
    if (!finished) return std::nullopt;
    return counts;
}

} // namespace

Result<Histogram> computeHistogram(const store::PublishedTrace& trace, FrameLabels& labels, const HistogramQuery& query,
                                   const std::stop_token& stop) {
    if (auto refused = whyNoAnswer(AnswerKind::Histogram, trace.lacks)) return *std::move(refused);
    if (query.of == HistogramOf::LifeTime && !hasColumn(query.table, Column::LifeTime))
        return Error{ErrorKind::Usage,
                     fmt::format("{} has no lifetimes. Choose a different table.", tableTitle(query.table))};
    const SelectionQuery selectionQuery{query.table,
                                        query.interval,
                                        Membership::Table,
                                        {},
                                        &query.filter,
                                        query.processExitFreesHeap,
                                        query.allocatorFrames.get()};
    const auto made = TRY(RowSelection::make(trace, labels, selectionQuery, stop));
    auto counts = countBars(*made, query, stop);
    if (!counts) return cancelled();
    auto& all = counts->front();
    for (std::size_t i = 1; i < counts->size(); ++i)
        all.add((*counts)[i]);
    Histogram histogram;
    histogram.bars = all.bars();
    histogram.exact = all.mostFrequent(query.exact);
    histogram.sizes = all.sizes();
    for (const auto& bar : histogram.bars) {
        histogram.count += bar.count;
        histogram.bytes += bar.bytes;
    }
    return histogram;
}

} // namespace highwater::analysis
