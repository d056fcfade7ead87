#pragma once

#include "core/base/ids.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/chunked_column.h"
#include "core/store/published/id_index.h"
#include "core/store/published/thread_names.h"

#include <cstdint>

namespace highwater::store {

/// How a row ended; the `kind` of an end site.
enum class EndKind : std::uint8_t {
    None,
    Free,
    ReAlloc,
    HeapDestroy,
    FreeLost,
    Decommit,
    Release,
    ProcessExit,
    Exec, ///< its process executed another program
};
inline constexpr std::uint32_t kEndKinds = 9;

/// Everything that the rows of one place in a program have in common, stored once. Rows carry a SiteId: grouping by any
/// of these columns is one pass over rows into an array by site, and a fold of the few sites.
/// Begin sites: where blocks were made; kind = heap source. End sites: where they were released; kind = EndKind.
/// Whether what was released was temporary is told apart here, too: rows have no room for it.
struct Site {
    StackId stack;
    HeapId heap; ///< owner: a heap, or (handle 0) the address space of a process; names the process, too
    ThreadId thread;
    std::uint8_t kind = 0;
    bool isRealloc : 1 = false;
    bool isTemporary : 1 = false; ///< of ends: docs/numbers.md 5.1.2
    ThreadLife threadLife = 0;    ///< which of the threads that had this number
    friend bool operator==(const Site&, const Site&) = default;
};
static_assert(sizeof(Site) == 16);

/// All distinct sites. Pipeline thread interns; readers read below the published count.
class SiteTable {
  public:
    SiteTable();

    /// intern() of this site follows soon.
    [[gnu::always_inline]] void prefetch(const Site& site) const { ids_.prefetch(Hash{}(site)); }
    [[nodiscard]] SiteId intern(const Site& site);
    /// No site comes any more: what finds them is given back.
    void endInterning() { ids_ = {}; }
    [[nodiscard]] const Site& operator[](SiteId id) const { return sites_[id.value]; }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(sites_.size()); }

    /// All columns, for who writes them to a file or takes them from there (core/pipeline/index): visit(column). `self`
    /// may be const.
    template <typename Self, typename Visit>
    static void eachColumn(Self& self, Visit& visit) {
        visit(self.sites_);
    }

  private:
    struct Hash {
        std::uint64_t operator()(const Site& s) const noexcept {
            const auto low = (std::uint64_t{s.stack.value} << 32) | s.thread.value;
            const auto high = (std::uint64_t{s.threadLife} << 48) | (std::uint64_t{s.heap.value} << 16) |
                              (std::uint64_t{s.kind} << 1) | (s.isRealloc ? 1u : 0u);
            // Not isTemporary: that is not known yet when a site is prefetched.
            return seededHash(low, high);
        }
    };

    ChunkedColumn<Site> sites_;
    PrefetchedIndex<Site, Hash> ids_;
};

} // namespace highwater::store
