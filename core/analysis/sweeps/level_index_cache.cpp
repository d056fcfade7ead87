#include "core/analysis/sweeps/level_index_cache.h"

#include <algorithm>
#include <utility>

namespace highwater::analysis {
namespace {

/// The coarse group that contains each group of the index; nothing: one of them is in several.
std::optional<std::vector<std::uint32_t>> coarserGroups(const GroupsOfSites& fine, const GroupsOfSites& coarse) {
    constexpr std::uint32_t kUnknown = 0xFFFFFFFEu;
    if (fine.ofSite.size() != coarse.ofSite.size()) return std::nullopt;
    std::vector<std::uint32_t> groupOf(fine.count, kUnknown);
    for (std::size_t site = 0; site < fine.ofSite.size(); ++site) {
        const auto wanted = coarse.ofSite[site] == 0 ? LevelIndex::kNoLine : coarse.ofSite[site] - 1;
        if (fine.ofSite[site] == 0) {
            if (wanted != LevelIndex::kNoLine) return std::nullopt;
            continue;
        }
        auto& known = groupOf[fine.ofSite[site] - 1];
        if (known == kUnknown) known = wanted;
        if (known != wanted) return std::nullopt;
    }
    std::ranges::replace(groupOf, kUnknown, LevelIndex::kNoLine); // without a site
    return groupOf;
}

} // namespace

LevelIndexCache& LevelIndexCache::shared() {
    static LevelIndexCache cache;
    return cache;
}

bool LevelIndexCache::Key::isOfSameTable(const Key& other) const {
    const bool sameTrace = !trace.owner_before(other.trace) && !other.trace.owner_before(trace);
    return sameTrace && table == other.table && measure == other.measure;
}

std::optional<LevelIndexCache::Found> LevelIndexCache::find(const store::PublishedTrace& trace, store::TableKind kind,
                                                            RowSweep::Measure measure, const GroupsOfSites& groups,
                                                            const std::stop_token& stop) {
    const auto& view = trace.table(kind);
    const auto key = keyOf(trace, kind, measure);
    if (auto known = findKnown(key, groups)) return known;
    const auto blockEvents = LevelIndex::blockEventsFor(view.events, groups.count);
    const auto earlier = findEarlier(key, groups, blockEvents);
    auto made = LevelIndex::make({&view, measure}, groups, blockEvents, earlier.get(), stop);
    if (!made) return std::nullopt;
    add({key, made});
    Found found{std::move(made), {}};
    for (std::uint32_t group = 0; group < groups.count; ++group)
        found.groupOf.push_back(group);
    return found;
}

LevelIndexCache::Key LevelIndexCache::keyOf(const store::PublishedTrace& trace, store::TableKind kind,
                                            RowSweep::Measure measure) {
    const auto& view = trace.table(kind);
    return {trace.columns, kind, measure, view.horizon, view.events, view.olderRows};
}

std::optional<LevelIndexCache::Found> LevelIndexCache::findKnown(const store::PublishedTrace& trace,
                                                                 store::TableKind kind, RowSweep::Measure measure,
                                                                 const GroupsOfSites& groups) {
    return findKnown(keyOf(trace, kind, measure), groups);
}

std::optional<LevelIndexCache::Found> LevelIndexCache::findKnown(const Key& key, const GroupsOfSites& groups) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(entries_, [](const Entry& entry) { return entry.key.trace.expired(); });
    // Finer groups have longer blocks. If they are too long, a new sweep with shorter blocks is faster.
    const auto longest = 4 * LevelIndex::blockEventsFor(key.events, groups.count);
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
        if (!(entry->key == key) || entry->index->blockEvents() > longest) continue;
        auto groupOf = coarserGroups(entry->index->groups(), groups);
        if (!groupOf) continue;
        std::rotate(entries_.begin(), entry, entry + 1);
        return Found{entries_.front().index, *std::move(groupOf)};
    }
    return std::nullopt;
}

std::shared_ptr<const LevelIndex> LevelIndexCache::findEarlier(const Key& key, const GroupsOfSites& groups,
                                                               std::uint64_t blockEvents) {
    const auto isPart = [&](const Entry& entry) {
        const auto& known = entry.index->groups();
        return entry.key.isOfSameTable(key) && entry.key.events <= key.events && entry.key.horizon <= key.horizon &&
               entry.key.olderRows == key.olderRows && entry.index->blockEvents() == blockEvents &&
               known.count == groups.count && known.ofSite.size() <= groups.ofSite.size() &&
               std::equal(known.ofSite.begin(), known.ofSite.end(), groups.ofSite.begin());
    };
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find_if(entries_, isPart);
    return found == entries_.end() ? nullptr : found->index;
}

void LevelIndexCache::add(Entry entry) {
    const std::scoped_lock lock(mutex_);
    // The index of an earlier publication is not needed again.
    std::erase_if(entries_, [&](const Entry& known) {
        return known.key.isOfSameTable(entry.key) && known.key.horizon < entry.key.horizon;
    });
    entries_.insert(entries_.begin(), std::move(entry));
    std::uint64_t bytes = 0;
    const auto tooMuch = std::ranges::find_if(entries_, [&](const Entry& known) {
        bytes += known.index->bytes();
        return bytes > kMostBytes;
    });
    entries_.erase(tooMuch, entries_.end());
}

void LevelIndexCache::clear() {
    const std::scoped_lock lock(mutex_);
    entries_.clear();
}

std::uint64_t LevelIndexCache::bytes() {
    const std::scoped_lock lock(mutex_);
    std::erase_if(entries_, [](const Entry& entry) { return entry.key.trace.expired(); });
    std::uint64_t bytes = 0;
    for (const auto& entry : entries_)
        bytes += entry.index->bytes();
    return bytes;
}

} // namespace highwater::analysis
