#include "core/formats/pprof/pprof_samples.h"

#include "core/analysis/flames/flame_amounts.h"
#include "core/analysis/rows/row_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace highwater::formats {
namespace {

using analysis::Cell, analysis::RowType, analysis::Table;

auto orderOf(const PprofSample& sample) {
    return std::tuple(sample.stack, sample.heap, sample.thread, sample.threadName);
}

PprofSample sampleOf(const store::PublishedTrace& trace, Table table, const Cell& cell) {
    const auto& site = trace.table(analysis::rowsOf(table)).columns->sites[SiteId{cell.key.site}];
    const auto rows = static_cast<std::int64_t>(cell.sums.count);
    const bool isInside = cell.key.type == RowType::AIFI || cell.key.type == RowType::AIFO;
    const bool isKept = cell.key.type == RowType::AIFO || cell.key.type == RowType::AOFO;
    PprofSample sample;
    sample.stack = site.stack;
    sample.heap = site.heap;
    sample.thread = site.thread;
    sample.threadName = trace.threadNameOf(site);
    sample.allocatedBytes = static_cast<std::int64_t>(cell.sums.allocated);
    sample.allocatedRows = isInside ? rows : 0;
    sample.keptBytes = static_cast<std::int64_t>(cell.sums.opening + cell.sums.impacting);
    sample.keptRows = isKept ? rows : 0;
    return sample;
}

/// Overflow wraps around as in tables, because sizes come from files.
void add(std::int64_t& sum, std::int64_t more) {
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(more));
}

void joinEqual(std::vector<PprofSample>& samples) {
    std::sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) { return orderOf(a) < orderOf(b); });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const auto& next = samples[i];
        auto& last = samples[kept];
        if (orderOf(last) != orderOf(next)) {
            samples[++kept] = next;
            continue;
        }
        add(last.allocatedBytes, next.allocatedBytes);
        add(last.allocatedRows, next.allocatedRows);
        add(last.keptBytes, next.keptBytes);
        add(last.keptRows, next.keptRows);
    }
    if (!samples.empty()) samples.resize(kept + 1);
    std::erase_if(samples, [](const auto& sample) {
        return sample.allocatedBytes == 0 && sample.allocatedRows == 0 && sample.keptBytes == 0 && sample.keptRows == 0;
    });
}

} // namespace

Result<std::vector<PprofSample>> pprofSamples(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                              const PprofQuery& query, const std::stop_token& stop) {
    if (query.table != Table::Heap && query.table != Table::VirtualAlloc && query.table != Table::Managed)
        return Error{ErrorKind::Usage,
                     fmt::format("Table {} cannot be exported as a profile because its rows are not allocations. Use "
                                 "virtualalloc, heap or managed.",
                                 analysis::tableWord(query.table))};
    auto selection = TRY(analysis::RowSelection::make(
        trace, labels,
        {query.table, query.interval, analysis::Membership::Table, {}, &query.filter, query.processExitFreesHeap},
        stop));
    const auto amounts = analysis::flameAmountsOf(*selection, query.table, analysis::Column::Size, stop);
    if (!amounts) return analysis::cancelled();
    std::vector<PprofSample> samples;
    samples.reserve(amounts->cells.size());
    for (const auto& cell : amounts->cells)
        samples.push_back(sampleOf(trace, query.table, cell));
    joinEqual(samples);
    return samples;
}

} // namespace highwater::formats
