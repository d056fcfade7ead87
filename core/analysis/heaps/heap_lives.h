#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <compare>
#include <map>
#include <optional>

namespace highwater::analysis {

/// Half-open address ranges without overlap, by start address. Sums wrap; anything past the last address is cut off.
class AddressRanges {
  public:
    void add(Address first, ByteCount size);
    void remove(Address first, ByteCount size);
    void clear() { ends_.clear(); }
    [[nodiscard]] bool isEmpty() const { return ends_.empty(); }
    [[nodiscard]] bool contains(Address address) const;
    [[nodiscard]] ByteCount bytes() const;
    /// The number of these bytes inside the ranges.
    [[nodiscard]] ByteCount bytesWithin(Address first, ByteCount size) const;

  private:
    std::map<Address, Address> ends_; ///< by start
};

/// The process and the handle of a heap.
struct HeapKey {
    ProcessIndex process;
    Address handle = 0;
    friend auto operator<=>(const HeapKey& a, const HeapKey& b) {
        return std::pair(a.process.value, a.handle) <=> std::pair(b.process.value, b.handle);
    }
    friend bool operator==(const HeapKey&, const HeapKey&) = default;
};

/// The state of a heap at one instant, without its blocks.
struct HeapLife {
    std::uint64_t creations = 0;              ///< recorded creations
    std::optional<store::HeapEvent> creation; ///< the last creation
    std::optional<TraceTime> destroyed;       ///< after that
    bool hasRanges = false;                   ///< a range was recorded since it was last destroyed
    AddressRanges ranges;
};

/// For all heaps in the trace, just before the instant. Any thread.
[[nodiscard]] std::map<HeapKey, HeapLife> heapLivesAt(const store::PublishedTrace& trace, TraceTime instant);

} // namespace highwater::analysis
