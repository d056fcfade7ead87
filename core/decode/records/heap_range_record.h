#pragma once

#include "core/etl/raw_record.h"
#include "core/event/memory_events.h"

#include <optional>

namespace highwater::decode {

/// Heap range records (group 2, docs/etl-format.md 5.3): the regions of heaps. nullopt if the payload is too short (the
/// caller counts Loss::RecordsTruncated).

/// The first range of a new heap begins at the heap's handle.
[[nodiscard]] std::optional<MemoryEvent> decodeHeapRangeCreate(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeHeapRangeReserve(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeHeapRangeRelease(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeHeapRangeDestroy(const etl::RawRecord& record);

/// The ranges of one heap, as a rundown record lists them. The pid is the payload's: the header has none.
class HeapRangeRundown {
  public:
    static std::optional<HeapRangeRundown> decode(const etl::RawRecord& record);

    /// Number of ranges, limited to those in the payload.
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Whether the record declares more ranges than it contains.
    [[nodiscard]] bool isCutOff() const { return cutOff_; }
    [[nodiscard]] MemoryEvent range(std::size_t index) const;

  private:
    MemoryEvent event_;
    ByteSpan ranges_;
    std::size_t size_ = 0;
    unsigned pointerBytes_ = 8;
    bool cutOff_ = false;
};

} // namespace highwater::decode
