#include "core/summary/resident_facts.h"

#include "core/analysis/balance/balance.h"
#include "core/analysis/balance/rows_on_pages.h"
#include "core/base/as_signed.h"
#include "core/event/resident_sample.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace highwater::summary {
namespace {

std::string nameOf(const store::PublishedTrace& trace, ProcessIndex process) {
    const auto& name = (*trace.processes)[process].name;
    return name.empty() ? "Unknown" : name; // as in samples
}

std::int64_t bytesOf(std::uint64_t pages) {
    constexpr auto kMost = std::numeric_limits<std::uint64_t>::max() / kResidentPageBytes; // of damaged files
    return asSigned(std::min(pages, kMost) * kResidentPageBytes);
}

using FactsByName = std::map<std::string, ResidentFacts>;

/// The blocks of processes without a recorded one are unknown.
void startHeld(const store::PublishedTrace& trace, FactsByName& facts) {
    for (std::uint32_t site = 0; site < trace.heap.sites; ++site) {
        const auto process = trace.heapOf(trace.heap.columns->sites[SiteId{site}]).process;
        if (const auto found = facts.find(nameOf(trace, process)); found != facts.end()) found->second.held = 0;
    }
}

/// Every page that has a number is that of a row; the others are inside of one. Processes share no page. If it is
/// unknown which pages of all blocks are resident, so is the sum.
void addHeld(const store::PublishedTrace& trace, const analysis::RowsOnPages& rows, FactsByName& facts) {
    std::vector<bool> isCounted(rows.pageCount());
    std::set<std::optional<std::int64_t>*> known, unknown;
    for (const auto& part : rows.parts()) {
        auto& held = facts[nameOf(trace, trace.heapOf(trace.heap.site(part.row)).process)].held;
        (part.isResident() ? known : unknown).insert(&held);
        auto pages = part.innerPages;
        for (const auto page : {part.firstPage, part.lastPage}) {
            if (page == analysis::RowsOnPages::kNoPage || isCounted[page]) continue;
            isCounted[page] = true;
            ++pages;
        }
        held = addWithin(held.value_or(0), bytesOf(pages));
    }
    for (auto* held : unknown)
        if (!known.contains(held)) held->reset();
}

} // namespace

Result<std::vector<ResidentFacts>> residentFactsOf(const store::PublishedTrace& trace, const std::stop_token& stop) {
    const auto whole = trace.wholeRange();
    FactsByName byName;
    for (const auto& sampled : analysis::sampledProcesses(trace, whole)) {
        auto& facts = byName[nameOf(trace, sampled.process)];
        facts.rssPeak = std::max(facts.rssPeak, asSigned(sampled.programPeak));
    }
    if (!byName.empty() && trace.heap.rows > 0) {
        const auto rows = analysis::RowsOnPages::find(trace, store::TableKind::Heap, whole, stop);
        if (!rows) return Error{ErrorKind::Cancelled, "The summary was cancelled."};
        startHeld(trace, byName);
        addHeld(trace, *rows, byName);
    }
    std::vector<ResidentFacts> all;
    for (auto& [name, facts] : byName) {
        facts.process = name;
        all.push_back(std::move(facts));
    }
    return all;
}

std::optional<std::int64_t> rssPeakOf(const RunFacts& facts) {
    if (facts.resident.empty()) return std::nullopt;
    return std::ranges::max(facts.resident, {}, &ResidentFacts::rssPeak).rssPeak;
}

std::optional<std::int64_t> heldOf(const RunFacts& facts) {
    std::optional<std::int64_t> all;
    for (const auto& process : facts.resident)
        if (process.held) all = addWithin(all.value_or(0), *process.held);
    return all;
}

} // namespace highwater::summary
