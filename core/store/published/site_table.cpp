#include "core/store/published/site_table.h"

namespace highwater::store {
namespace {
constexpr std::uint64_t kMaxSites = std::uint64_t{1} << 31;
}

SiteTable::SiteTable() : sites_(kMaxSites) {}

SiteId SiteTable::intern(const Site& site) {
    const auto known = ids_.find(Hash{}(site), site);
    if (known != ids_.kNone) [[likely]]
        return SiteId{known};
    const auto id = size();
    // Out of memory: use the last site. The caller cannot do better, and the next rows will be refused.
    if (!sites_.append(site)) return SiteId{id == 0 ? 0 : id - 1};
    ids_.insert(site, id);
    return SiteId{id};
}

} // namespace highwater::store
