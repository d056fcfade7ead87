#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The rows of a table that exist at the newest sample of their process in an interval, and the resident pages that
/// they are on: docs/numbers.md 25, Resident and Held Pages. Immutable; any thread. Memory depends on the number of
/// these rows, not on their sizes.
class RowsOnPages {
  public:
    static constexpr std::uint32_t kNoPage = std::numeric_limits<std::uint32_t>::max();

    /// Bytes of a row, with those that the allocator needs for it, that are next to each other and that no newer row
    /// contains. On at least one page that is resident or may be.
    struct Part {
        RowId row = 0;
        ByteCount resident = 0;            ///< bytes of the row itself on resident pages
        std::uint64_t innerPages = 0;      ///< resident pages between the first and the last; no other part is on them
        std::uint32_t firstPage = kNoPage; ///< number of a resident page; other parts may also be on it
        std::uint32_t lastPage = kNoPage;  ///< likewise; kNoPage if it is the first one
        /// Some of it is in a resident mapping of which the resident pages are unknown. They are not counted above.
        bool isOnUnknownPages = false;

        /// On a page that is known to be resident.
        [[nodiscard]] bool isResident() const { return firstPage != kNoPage || lastPage != kNoPage || innerPages > 0; }
    };
    /// A process with such a sample.
    struct Sampled {
        ProcessIndex process;
        TraceTime time;
        ByteCount rss = 0;
    };

    /// For Heap or VirtualAlloc: one pass over the rows, and a sort of those that exist at the samples. Nothing:
    /// stopped.
    [[nodiscard]] static std::optional<RowsOnPages> find(const store::PublishedTrace& trace, store::TableKind kind,
                                                         TimeRange interval, const std::stop_token& stop);

    /// In the order of rows.
    [[nodiscard]] std::span<const Part> parts() const { return parts_; }
    [[nodiscard]] std::span<const Part> partsOf(RowId row) const;
    /// Numbered pages are below it.
    [[nodiscard]] std::uint32_t pageCount() const { return static_cast<std::uint32_t>(partsOnPage_.size()); }
    /// The number of parts whose first or last page it is.
    [[nodiscard]] std::uint32_t partsOn(std::uint32_t page) const { return partsOnPage_[page]; }
    /// In the order of the process table.
    [[nodiscard]] std::span<const Sampled> samples() const { return samples_; }
    [[nodiscard]] bool isSampled(ProcessIndex process) const;

  private:
    class Builder;

    std::vector<Part> parts_;
    std::vector<std::uint32_t> partsOnPage_;
    std::vector<Sampled> samples_;
};

} // namespace highwater::analysis
