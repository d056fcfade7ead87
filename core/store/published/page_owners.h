#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <vector>

namespace highwater::store {

/// Owner of pages. If several had them, the first in this order.
enum class PageOwner : std::uint8_t { GcHeap, Heap, Stack, Image, Unknown };

/// Owners of the addresses of a process over time, from the events that report them (docs/numbers.md 22.3): garbage
/// collector segments, heap ranges, thread stacks, images. Built from published data, so rows need not be rewritten
/// when their owner becomes known. Immutable; any thread. A look-up takes a few dozen steps regardless of how often
/// owners changed.
class PageOwners {
  public:
    explicit PageOwners(const PublishedTrace& trace);

    /// The owner of the pages [address, address + size) of a process that existed during [begin, end): any owner of any
    /// of them at any time.
    [[nodiscard]] PageOwner of(ProcessIndex process, Address address, ByteCount size, TraceTime begin,
                               TraceTime end) const;

    /// Addresses [first, last] during [from, to).
    struct Use {
        Address first = 0;
        Address last = 0;
        TraceTime from;
        TraceTime to;
        PageOwner owner = PageOwner::Unknown;
    };

  private:
    /// All uses of one process as a tree of boxes with kFan children, the lowest level first. A box spans its children.
    class Boxes {
      public:
        void add(const Use& use) { levels_.front().push_back(use); }
        void finish();
        [[nodiscard]] PageOwner find(const Use& asked) const;

      private:
        static constexpr std::size_t kFan = 8;
        void find(const Use& asked, std::size_t level, std::size_t box, PageOwner& best) const;

        std::vector<std::vector<Use>> levels_{1};
    };

    void addImages(const ProcessTable& processes);

    std::vector<Boxes> ofProcesses_;
};

} // namespace highwater::store
