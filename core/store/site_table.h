#pragma once

#include "core/base/ids.h"
#include "core/store/chunked_column.h"

#include <tsl/robin_map.h>

#include <vector>

namespace highwater::store {

/// How a row ended; the `kind` of an end site.
enum class EndKind : std::uint8_t { None, Free, ReAlloc, HeapDestroy, FreeLost, Decommit, Release, ProcessExit };

/// Everything that the rows of one place in a program have in common, stored once. Rows carry a SiteId: grouping by any
/// of these columns is one pass over rows into an array by site, and a fold of the few sites.
/// Begin sites: where blocks were made; kind = heap source. End sites: where they were released; kind = EndKind.
struct Site {
    StackId stack;
    HeapId heap; ///< owner: a heap, or (handle 0) the address space of a process; names the process, too
    std::uint32_t thread = 0xFFFFFFFFu;
    std::uint8_t kind = 0;
    bool isRealloc = false;
    std::uint16_t reserved = 0;
    friend bool operator==(const Site&, const Site&) = default;
};
static_assert(sizeof(Site) == 16);

/// All distinct sites. Pipeline thread interns; readers read below the published count.
class SiteTable {
  public:
    SiteTable();

    [[nodiscard]] SiteId intern(const Site& site) {
        // The same stack nearly always comes with the same heap and thread.
        if (site.stack.value < lastOfStack_.size()) {
            const auto last = lastOfStack_[site.stack.value];
            if (last < sites_.size() && sites_[last] == site) return SiteId{last};
        }
        return internSlow(site);
    }
    [[nodiscard]] const Site& operator[](SiteId id) const { return sites_[id.value]; }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(sites_.size()); }

  private:
    struct Hash {
        std::size_t operator()(const Site& s) const noexcept;
    };
    SiteId internSlow(const Site& site);

    ChunkedColumn<Site> sites_;
    std::vector<std::uint32_t> lastOfStack_; ///< [stack] -> a site of it; kNoSite
    tsl::robin_map<Site, std::uint32_t, Hash> ids_;
};

} // namespace highwater::store
