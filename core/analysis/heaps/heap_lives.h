#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <compare>
#include <map>
#include <optional>

namespace highwater::analysis {

/// Half-open ranges of addresses that do not overlap, by where they begin. Sums wrap; what would lie behind the last
/// address is cut.
class AddressRanges {
  public:
    void add(Address first, ByteCount size);
    void remove(Address first, ByteCount size);
    void clear() { ends_.clear(); }
    [[nodiscard]] bool isEmpty() const { return ends_.empty(); }
    [[nodiscard]] bool contains(Address address) const;
    [[nodiscard]] ByteCount bytes() const;
    /// How many of these bytes lie in the ranges.
    [[nodiscard]] ByteCount bytesWithin(Address first, ByteCount size) const;

  private:
    std::map<Address, Address> ends_; ///< by begin
};

/// Of which process a heap is, and its handle.
struct HeapKey {
    ProcessIndex process;
    Address handle = 0;
    friend auto operator<=>(const HeapKey& a, const HeapKey& b) {
        return std::pair(a.process.value, a.handle) <=> std::pair(b.process.value, b.handle);
    }
    friend bool operator==(const HeapKey&, const HeapKey&) = default;
};

/// What is known of a heap, beside its blocks, at one instant.
struct HeapLife {
    std::uint64_t creations = 0;              ///< that were recorded
    std::optional<store::HeapEvent> creation; ///< the last of them
    std::optional<TraceTime> destroyed;       ///< since then
    bool hasRanges = false;                   ///< any was recorded since it was destroyed last
    AddressRanges ranges;
};

/// Of all heaps that the trace tells something about, just before the instant. Any thread.
[[nodiscard]] std::map<HeapKey, HeapLife> heapLivesAt(const store::PublishedTrace& trace, TraceTime instant);

/// The instance of the pid that lived then: the last that had begun, else the first. Nothing: there is none.
[[nodiscard]] std::optional<ProcessIndex> processAt(const store::ProcessTable& processes, std::uint32_t pid,
                                                    TraceTime time);

} // namespace highwater::analysis
