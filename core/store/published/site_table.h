#pragma once

#include "core/base/ids.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/chunked_column.h"
#include "core/store/published/id_index.h"
#include "core/store/published/thread_names.h"

#include <cstdint>

namespace highwater::store {

/// The way in which a row ended; the `kind` of an end site.
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

/// Everything that the rows of one place in a program have in common, stored once. Rows have a SiteId. Grouping by any
/// of these columns is one pass over rows into an array by site, and a fold of the few sites. Begin sites: where blocks
/// were allocated; kind = heap source. End sites: where they were released; kind = EndKind. End sites also store
/// whether the released block was temporary, because rows have no room for it.
struct Site {
    StackId stack;
    HeapId heap; ///< owner: a heap, or (handle 0) the address space of a process; also identifies the process
    ThreadId thread;
    std::uint8_t kind = 0;
    bool isRealloc : 1 = false;
    bool isTemporary : 1 = false; ///< for ends: docs/numbers.md 5.1.2
    ThreadLife threadLife = 0;    ///< number among the threads with this id
    friend bool operator==(const Site&, const Site&) = default;
};
static_assert(sizeof(Site) == 16);

/// All distinct sites. The pipeline thread interns; readers read below the published count.
class SiteTable {
  public:
    SiteTable();

    /// Call shortly before intern() of this site.
    [[gnu::always_inline]] void prefetch(const Site& site) const { ids_.prefetch(Hash{}(site)); }
    [[nodiscard]] SiteId intern(const Site& site);
    /// No more sites follow. Frees the look-up table.
    void endInterning() { ids_ = {}; }
    [[nodiscard]] const Site& operator[](SiteId id) const { return sites_[id.value]; }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(sites_.size()); }

    /// Visits all columns, for code that writes them to or reads them from a file (core/pipeline/index): visit(column).
    /// `self` may be const.
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
            // Without isTemporary, which is unknown when a site is prefetched.
            return seededHash(low, high);
        }
    };

    ChunkedColumn<Site> sites_;
    PrefetchedIndex<Site, Hash> ids_;
};

} // namespace highwater::store
