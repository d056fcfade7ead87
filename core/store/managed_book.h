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

/// What runtimes tell of their managed heaps, as rows. Pipeline thread only.
///
/// An allocation is a row that begins and ends at its time, as nobody tells when an object goes. A generation is a row
/// from one collection to the next, or to the end of its process. Ticks and samples tell the same allocations: of a
/// process that has both, those count that came first.
class ManagedBook {
  public:
    /// Both must outlive it, but for moveTo().
    ManagedBook(TraceColumns& columns, TraceHealth& health) : columns_(&columns), health_(health) {}

    void addType(std::string_view name) { (void)columns_->names->managedTypes.add(name); }
    void allocate(const MemoryEvent& event, ProcessIndex process, StackId stack);
    void resize(const GcEvent& event, ProcessIndex process);
    /// Its heap went with it.
    void endProcess(ProcessIndex process, TraceTime time);

    /// The columns go on in a new generation, in which rows of GcHeap have these numbers.
    void moveTo(TraceColumns& columns, const RowNumbers& gcHeap);
    /// What was left out, as sentences.
    [[nodiscard]] std::vector<std::string> notes() const;

  private:
    struct OfProcess {
        std::optional<std::uint32_t> flags; ///< of the allocations that count
        std::array<std::optional<RowId>, kGcGenerations> sizes{};
    };

    [[nodiscard]] std::optional<HeapId> heapOf(ProcessIndex process, std::uint32_t type);
    void endSizes(OfProcess& known, TraceTime time, EndKind kind);

    TraceColumns* columns_;
    TraceHealth& health_;
    tsl::robin_map<std::uint32_t, OfProcess, SeededHash> processes_;
    tsl::robin_map<std::uint64_t, HeapId, SeededHash> heaps_; ///< by process and type
    std::uint64_t toldTwice_ = 0;
};

} // namespace highwater::store
