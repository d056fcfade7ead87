#include "core/store/site_table.h"

namespace highwater::store {
namespace {
constexpr std::uint32_t kNoSite = 0xFFFFFFFFu;
constexpr std::uint64_t kMaxSites = std::uint64_t{1} << 28;
} // namespace

SiteTable::SiteTable() : sites_(kMaxSites) {}

std::size_t SiteTable::Hash::operator()(const Site& s) const noexcept {
    const auto low = (std::uint64_t{s.stack.value} << 32) | s.thread;
    const auto high = (std::uint64_t{s.heap.value} << 16) | (std::uint64_t{s.kind} << 1) | (s.isRealloc ? 1u : 0u);
    auto h = (low ^ 0x9E3779B97F4A7C15ull) * 0xBF58476D1CE4E5B9ull;
    h ^= h >> 29;
    h = (h + high) * 0x94D049BB133111EBull;
    return static_cast<std::size_t>(h ^ (h >> 32));
}

SiteId SiteTable::internSlow(const Site& site) {
    std::uint32_t id = kNoSite;
    if (const auto found = ids_.find(site); found != ids_.end()) {
        id = found->second;
    } else {
        id = size();
        // Out of memory: the last site stands in; the caller cannot do better, and the rows will be refused next.
        if (!sites_.append(site)) return SiteId{id == 0 ? 0 : id - 1};
        ids_.emplace(site, id);
    }
    if (site.stack.value >= lastOfStack_.size()) lastOfStack_.resize(site.stack.value + 1, kNoSite);
    lastOfStack_[site.stack.value] = id;
    return SiteId{id};
}

} // namespace highwater::store
