#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <vector>

namespace highwater::store {

/// Whose pages are. Where several had them, the first of these.
enum class PageOwner : std::uint8_t { GcHeap, Heap, Stack, Image, Unknown };

/// Who had which addresses of a process, and when, as far as events tell (docs/numbers.md 22.3): segments of garbage
/// collectors, ranges of heaps, stacks of threads, images. Made of what is published, so that rows need not be
/// rewritten when their owner becomes known. Immutable; any thread. A look-up takes some dozen steps, however often
/// owners came and went.
class PageOwners {
  public:
    explicit PageOwners(const PublishedTrace& trace);

    /// Of the pages [address, address + size) of a process that were there during [begin, end): who had any of them at
    /// any time of it.
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
    /// All uses of one process: boxes in boxes of kFan, the lowest level first. A box spans what is in it.
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
