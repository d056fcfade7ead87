#pragma once

#include "core/event/gc_events.h"
#include "core/event/trace_health.h"
#include "core/store/published/published_trace.h"
#include "core/store/published/row_numbers.h"

#include <tsl/robin_map.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::store {

/// Rows of managed heaps as reported by runtimes. Pipeline thread only.
///
/// An allocation row begins and ends at the same time because runtimes do not report when an object is collected. A
/// generation row lasts from one collection to the next or to the end of its process. Ticks and samples report the same
/// allocations. If a process has both, only the kind that came first counts.
class ManagedBook {
  public:
    /// Both must outlive this object unless moveTo() replaces the columns.
    ManagedBook(TraceColumns& columns, TraceHealth& health) : columns_(&columns), health_(health) {}

    void addType(std::string_view name) { (void)columns_->names->managedTypes.add(name); }
    void allocate(const MemoryEvent& event, ProcessIndex process, StackId stack);
    void resize(const GcEvent& event, ProcessIndex process);
    /// Ends the managed heap of the process.
    void endProcess(ProcessIndex process, TraceTime time);

    /// Continues with the columns of a new generation, in which rows of GcHeap have these numbers.
    void moveTo(TraceColumns& columns, const RowNumbers& gcHeap);
    /// Sentences about events that were left out.
    [[nodiscard]] std::vector<std::string> notes() const;

  private:
    struct OfProcess {
        std::optional<std::uint32_t> flags; ///< flags that allocations of the counted kind have
        std::array<std::optional<RowId>, kGcGenerations> sizes{};
    };

    [[nodiscard]] std::optional<HeapId> heapOf(ProcessIndex process, std::uint32_t type);
    void endSizes(OfProcess& known, TraceTime time, EndKind kind);

    TraceColumns* columns_;
    TraceHealth& health_;
    tsl::robin_map<std::uint32_t, OfProcess, SeededHash> processes_;
    tsl::robin_map<std::uint64_t, HeapId, SeededHash> heaps_; ///< by process and type
    std::uint64_t recordedTwice_ = 0;
};

} // namespace highwater::store
