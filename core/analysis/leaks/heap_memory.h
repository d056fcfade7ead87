#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/published_trace.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The VirtualAlloc stacks by which Windows heaps get their memory, in processes whose blocks are in the heap table: a
/// leak of blocks would otherwise count twice. Most bytes of such a stack are in the range of a heap
/// (store::PageOwner), or it passes a heap function of ntdll.dll. The creation of a heap is none: no block shows it.
/// One thread; the trace and the labels must outlive it.
class HeapMemory {
  public:
    /// Reads the rows of both tables. After a stop its answers are arbitrary.
    HeapMemory(const store::PublishedTrace& trace, const FrameLabels& labels, const std::stop_token& stop);

    /// site: of VirtualAlloc; frames: its whole stack, innermost first.
    [[nodiscard]] bool contains(SiteId site, std::span<const std::uint32_t> frames);

  private:
    struct Bytes {
        ByteCount all = 0;
        ByteCount inHeaps = 0;
    };
    [[nodiscard]] std::uint64_t keyOf(const store::Site& site) const;
    [[nodiscard]] bool hasBlocks(const store::Site& site) const;
    void readPages(const std::stop_token& stop);
    [[nodiscard]] bool isHeapFunction(LabelId label);

    const store::PublishedTrace& trace_;
    const FrameLabels& labels_;
    std::vector<std::uint8_t> hasBlocks_;                          ///< by process
    tsl::robin_map<std::uint64_t, Bytes, SeededHash> bytes_;       ///< by process and stack
    tsl::robin_map<std::uint32_t, bool, SeededHash> heapFunction_; ///< by label
};

} // namespace highwater::analysis
