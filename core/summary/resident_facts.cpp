#include "core/summary/resident_facts.h"

#include "core/analysis/balance/balance.h"
#include "core/analysis/balance/rows_on_pages.h"
#include "core/base/as_signed.h"
#include "core/event/resident_sample.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace highwater::summary {
namespace {

/// Every page that has a number is that of a row; the others are inside of one.
std::int64_t heldBytes(const analysis::RowsOnPages& rows) {
    std::uint64_t pages = rows.pageCount();
    for (const auto& part : rows.parts())
        pages += part.innerPages;
    constexpr auto kMost =
        std::numeric_limits<std::uint64_t>::max() / kResidentPageBytes; // damaged files may exceed it
    return asSigned(std::min(pages, kMost) * kResidentPageBytes);
}

} // namespace

Result<std::optional<ResidentFacts>> residentFactsOf(const store::PublishedTrace& trace, const std::stop_token& stop) {
    const auto whole = trace.wholeRange();
    const auto sampled = analysis::sampledProcesses(trace, whole);
    if (sampled.empty()) return std::optional<ResidentFacts>();
    ResidentFacts facts{asSigned(sampled.front().peak)};
    if (trace.heap.rows == 0) return std::optional(facts);
    const auto rows = analysis::RowsOnPages::find(trace, store::TableKind::Heap, whole, stop);
    if (!rows) return Error{ErrorKind::Cancelled, "The summary was cancelled."};
    facts.held = heldBytes(*rows);
    return std::optional(facts);
}

} // namespace highwater::summary
