#include "core/analysis/explain/findings.h"

#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/explain/explain.h"
#include "core/analysis/table/table_health.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace highwater::analysis {
namespace {

constexpr std::size_t kMostStacks = 512; ///< enough to add up the bytes of an owner
constexpr std::size_t kShownStacks = 3;
constexpr std::size_t kMostLeaks = 2;
constexpr ByteCount kLeastPartOfLeaks = 100; ///< a leak has at least 1/100 of the largest one
constexpr ByteCount kLeastHeld = ByteCount{4} << 20; ///< less is not worth a card
constexpr ByteCount kLeastPartOfRss = 10;
constexpr SignedByteCount kLeastPart = 4; ///< a surge has at least 1/4 of the largest growth, as in one table

bool areWorthACard(const ProcessHolders& held) {
    const auto pages = held.holders.front().heldPages;
    return pages >= kLeastHeld && pages >= held.rss / kLeastPartOfRss;
}

/// The owner of most bytes of the surge. `surge` has stacks.
SurgeFinding withOwner(Table table, Surge surge) {
    std::map<std::string_view, SignedByteCount> bytesByOwner;
    for (const auto& stack : surge.stacks)
        bytesByOwner[stack.owner] += stack.bytes;
    // The first is the largest stack, so it is the owner if several have as many bytes.
    const auto largest =
        std::max_element(surge.stacks.begin(), surge.stacks.end(), [&](const SurgeStack& a, const SurgeStack& b) {
            return bytesByOwner[a.owner] < bytesByOwner[b.owner];
        });
    SurgeFinding finding;
    finding.table = table;
    finding.owner = largest->owner;
    finding.share = static_cast<double>(bytesByOwner[largest->owner]) / static_cast<double>(surge.bytes);
    finding.path = pathToOwner(largest->path, largest->stack.size(), largest->ownerFrame);
    surge.stacks.resize(std::min(surge.stacks.size(), kShownStacks));
    finding.surge = std::move(surge);
    return finding;
}

bool isLarger(const SurgeFinding& pages, const SurgeFinding& blocks) {
    const bool isOfThisHeap = pages.surge.process == blocks.surge.process && pages.owner == blocks.owner &&
                              pages.surge.bytes / 2 <= blocks.surge.bytes;
    return pages.surge.bytes > blocks.surge.bytes && !isOfThisHeap;
}

/// Heap precedes VirtualAlloc.
void addSurge(Table table, SurgeReport report, Effect effect, Findings& findings) {
    auto& surge = report.surge;
    if (!surge || !isNotable(*surge) || surge->stacks.empty()) return;
    auto finding = withOwner(table, *std::move(surge));
    finding.effect = effect;
    if (!findings.surge || isLarger(finding, *findings.surge)) findings.surge = std::move(finding);
}

bool isOfSamePlace(const LeakSuspect& a, const LeakSuspect& b) {
    return a.owner == b.owner && a.place == b.place && a.process == b.process && a.table == b.table;
}

/// A stack and the interval in which it grows; nothing: the whole.
struct GrowingStack {
    LeakSuspect suspect;
    std::optional<TimeRange> interval;
};

/// One for each place that has growing stacks, with the numbers of all of them, in the order of the first ones.
std::vector<LeakFinding> byPlace(const std::vector<GrowingStack>& stacks, const std::map<Table, Effect>& effects) {
    std::vector<LeakFinding> places;
    for (const auto& [suspect, interval] : stacks) {
        auto found = std::ranges::find_if(
            places, [&](const LeakFinding& other) { return isOfSamePlace(other.suspect, suspect); });
        if (found == places.end()) found = places.insert(places.end(), {suspect, interval, effects.at(suspect.table)});
        ++found->stacks;
        const bool isGrowing = suspect.verdict == LeakVerdict::Growing;
        found->outstandingBytes +=
            isGrowing ? suspect.outstandingBytes - (suspect.keptBytes - suspect.leakedBytes) : suspect.leakedBytes;
        found->leakedBytes += suspect.leakedBytes;
        if (isGrowing) found->bytesPerSecond += suspect.growth.perSecond;
        found->unreachable += suspect.unreachable();
    }
    return places;
}

/// The first ones of different owners. Beside a leak of megabytes, a few bytes that a library keeps are no finding.
std::vector<LeakFinding> firstOfOwners(const std::vector<GrowingStack>& stacks,
                                       const std::map<Table, Effect>& effects) {
    auto places = byPlace(stacks, effects);
    ByteCount largest = 0;
    for (const auto& place : places)
        largest = std::max(largest, place.leakedBytes);
    std::vector<LeakFinding> first;
    for (auto& place : places) {
        const bool isKnown = std::ranges::any_of(first, [&](const LeakFinding& other) {
            return other.suspect.owner == place.suspect.owner && other.suspect.place == place.suspect.place;
        });
        if (isKnown || place.leakedBytes < largest / kLeastPartOfLeaks || first.size() == kMostLeaks) continue;
        first.push_back(std::move(place));
    }
    return first;
}

/// The growing stacks of the processes for which the condition holds.
template <typename Condition>
Result<std::vector<GrowingStack>> growingStacks(const store::PublishedTrace& trace, FrameLabels& labels,
                                                const LeakQuery& query, const std::optional<TimeRange>& interval,
                                                const std::stop_token& stop, Condition isOf) {
    auto ofBoth = query;
    ofBoth.interval = interval.value_or(query.interval);
    ofBoth.table = Table::Heap;
    ofBoth.filter = {};
    ofBoth.otherFilter.emplace();
    ofBoth.most = kAllJudged;
    ofBoth.asksHeldPages = false;
    auto report = TRY(findLeaks(trace, labels, ofBoth, stop));
    std::vector<GrowingStack> stacks;
    for (auto& suspect : report.suspects) {
        const ProcessIndex process{static_cast<std::uint32_t>(suspect.path.front().key)};
        if (isLeak(suspect.verdict) && isOf(process)) stacks.push_back({std::move(suspect), interval});
    }
    return stacks;
}

/// Most suspicious first.
Result<std::vector<GrowingStack>> allGrowingStacks(const store::PublishedTrace& trace, FrameLabels& labels,
                                                   const LeakQuery& query, const std::optional<FreedOnExit>& exited,
                                                   const std::stop_token& stop) {
    const auto isExited = [&](ProcessIndex process) { return exited && process == exited->index; };
    auto stacks =
        TRY(growingStacks(trace, labels, query, {}, stop, [&](ProcessIndex process) { return !isExited(process); }));
    if (!exited) return stacks;
    auto before = TRY(growingStacks(trace, labels, query, exited->range, stop, isExited));
    const auto middle = static_cast<std::ptrdiff_t>(stacks.size());
    std::ranges::move(before, std::back_inserter(stacks));
    std::ranges::inplace_merge(stacks, stacks.begin() + middle, [](const GrowingStack& a, const GrowingStack& b) {
        return isWorse(a.suspect, b.suspect);
    });
    return stacks;
}

} // namespace

bool contradicts(const LeakReport& report, const LeakFinding& finding) {
    const auto found = std::ranges::find_if(report.suspects, [&](const LeakSuspect& suspect) {
        return suspect.table == finding.suspect.table && suspect.path == finding.suspect.path;
    });
    return found != report.suspects.end() && !isLeak(found->verdict);
}

Result<Findings> findFindings(const store::PublishedTrace& trace, FrameLabels& labels, const LeakQuery& query,
                              const std::stop_token& stop, const std::optional<FreedOnExit>& exited) {
    if (auto refused = whyNoAnswer(AnswerKind::Explanation, trace.lacks)) return *std::move(refused);
    if (auto refused = whyNoRates(trace.lacks, trace.horizon)) return *std::move(refused);
    Findings findings;
    std::map<Table, Effect> effects; // tables without rows are left out
    SignedByteCount largestGrowth = 0;
    for (const auto table : std::array{Table::Heap, Table::VirtualAlloc}) {
        if ((table == Table::Heap ? trace.heap : trace.virtualAlloc).rows == 0) continue;
        effects[table] = healthOf(trace, table).effect();
        const SurgeQuery ofSurge{table,       query.interval, {},          query.allocatorFrames,
                                 kMostStacks, query.marks,    query.owners};
        auto rise = TRY(findSurge(trace, labels, ofSurge, stop));
        if (rise.surge) largestGrowth = std::max(largestGrowth, rise.surge->bytes);
        addSurge(table, std::move(rise), effects[table], findings);
    }
    if (findings.surge && findings.surge->surge.bytes < largestGrowth / kLeastPart) findings.surge.reset();
    const auto stacks = TRY(allGrowingStacks(trace, labels, query, exited, stop));
    findings.held = TRY(heldBy(trace, labels, query, stop));
    if (findings.held && !areWorthACard(*findings.held)) findings.held.reset();
    findings.leaks = firstOfOwners(stacks, effects);
    return findings;
}

} // namespace highwater::analysis
