#include "core/analysis/table/first_table.h"

#include "core/analysis/table/nothing_found.h"

#include <algorithm>
#include <array>

namespace highwater::analysis {
namespace {

constexpr std::uint64_t kMostSampled = 65'536;
constexpr std::size_t kInstants = 32;

/// The largest outstanding size at evenly spaced instants, estimated from evenly spaced rows.
double largestSize(const store::TableView& view, TimeRange whole) {
    const auto step = view.rows / kMostSampled + 1;
    const auto length = static_cast<double>(whole.end.ns - whole.start.ns);
    /// The number of instants until then.
    const auto instantsUntil = [&](TraceTime time) {
        if (length <= 0 || time <= whole.start) return std::size_t{0};
        const auto share = static_cast<double>(std::min(time, whole.end).ns - whole.start.ns) / length;
        return std::min(static_cast<std::size_t>(share * kInstants) + 1, kInstants);
    };
    std::array<double, kInstants + 1> changes{};
    for (std::uint64_t next = 0; next < view.rows; next += step) {
        const auto row = static_cast<RowId>(next);
        const auto size = static_cast<double>(view.size(row));
        changes[instantsUntil(view.begin(row))] += size;
        if (view.end(row) != kNever) changes[instantsUntil(view.end(row))] -= size;
    }
    double outstanding = 0;
    double largest = 0;
    for (const auto change : changes)
        largest = std::max(largest, outstanding += change);
    return largest * static_cast<double>(step);
}

} // namespace

bool hasRows(const store::PublishedTrace& trace, Table table) {
    const auto hasFrees = [](const store::TableView& view) { return view.endSites > 1 || view.unmatchedFrees > 0; };
    if (table == Table::Snapshot) return trace.snapshots != nullptr;
    if (table == Table::Frees) return hasFrees(trace.virtualAlloc) || hasFrees(trace.heap);
    return isRecorded(trace, table); // its events are its rows
}

std::optional<Table> firstTable(const store::PublishedTrace& trace, bool isGrowing) {
    constexpr double kMuchMore = 4;
    const auto whole = trace.wholeRange();
    const auto isMostlyPages = [&] {
        return !isGrowing && largestSize(trace.virtualAlloc, whole) > kMuchMore * largestSize(trace.heap, whole);
    };
    if (trace.isOfAgent && trace.heap.rows > 0 && !isMostlyPages()) return Table::Heap;
    const auto found = std::ranges::find_if(kTables, [&](Table table) { return hasRows(trace, table); });
    return found == kTables.end() ? std::nullopt : std::optional(*found);
}

} // namespace highwater::analysis
