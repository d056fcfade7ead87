#include "core/store/managed_book.h"

#include "core/base/counted.h"
#include "core/store/published/event_sites.h"

#include <fmt/format.h>

namespace highwater::store {

std::optional<HeapId> ManagedBook::heapOf(ProcessIndex process, std::uint32_t type) {
    const auto [entry, isNew] = heaps_.try_emplace((std::uint64_t{process.value} << 32) | type);
    if (!isNew) return entry->second;
    const HeapId id{static_cast<std::uint32_t>(columns_->heaps.size())};
    if (!columns_->heaps.append(Heap{process, type, 0})) {
        heaps_.erase(entry);
        return std::nullopt;
    }
    entry.value() = id;
    return id;
}

void ManagedBook::allocate(const MemoryEvent& event, ProcessIndex process, StackId stack) {
    auto& known = processes_[process.value];
    if (!known.flags) known.flags = event.flags;
    if (*known.flags != event.flags) {
        ++recordedTwice_;
        return;
    }
    auto& table = columns_->managed;
    if (table.endSites.size() == 0) (void)table.endSites.intern(Site{}); // placeholder, as in other tables
    const auto heap = heapOf(process, static_cast<std::uint32_t>(event.heap));
    RowId row = 0;
    const bool fits = heap && table.rows.begin(event.time, event.address, event.size,
                                               table.sites.intern(beginSite(event, stack, *heap)), row);
    if (!fits) return health_.countBytes(Loss::RowsDropped, event.size);
    table.rows.end(row, event.time, SiteId{0}, event.size);
}

void ManagedBook::resize(const GcEvent& event, ProcessIndex process) {
    const auto heap = heapOf(process, 0);
    if (!heap) return;
    auto& known = processes_[process.value];
    auto& table = columns_->gcHeap;
    if (table.endSites.size() == 0) (void)table.endSites.intern(Site{});
    // Ends all earlier sizes before adding the first one. The sum at one instant then never exceeds the recorded sizes.
    endSizes(known, event.time, EndKind::Free);
    for (std::size_t generation = 0; generation < event.generations; ++generation) {
        Site site;
        site.heap = *heap;
        site.kind = static_cast<std::uint8_t>(generation);
        RowId row = 0;
        if (table.rows.begin(event.time, 0, event.sizes[generation], table.sites.intern(site), row))
            known.sizes[generation] = row;
        else
            health_.countBytes(Loss::RowsDropped, event.sizes[generation]);
    }
}

void ManagedBook::endSizes(OfProcess& known, TraceTime time, EndKind kind) {
    auto& table = columns_->gcHeap;
    for (auto& size : known.sizes) {
        if (!size) continue;
        const auto heap = table.sites[table.rows.site(*size)].heap;
        table.rows.end(*size, time, internSilentEndSite(table.endSites, heap, kind));
        size.reset();
    }
}

void ManagedBook::endProcess(ProcessIndex process, TraceTime time) {
    const auto known = processes_.find(process.value);
    if (known != processes_.end()) endSizes(known.value(), time, EndKind::ProcessExit);
}

void ManagedBook::moveTo(TraceColumns& columns, const RowNumbers& gcHeap) {
    columns_ = &columns;
    for (auto known = processes_.begin(); known != processes_.end(); ++known) {
        for (auto& size : known.value().sizes) {
            if (size) size = gcHeap.of(*size);
        }
    }
}

std::vector<std::string> ManagedBook::notes() const {
    if (recordedTwice_ == 0) return {};
    return {fmt::format("{} {} recorded in two ways, by allocation ticks and by samples. Only one of the two is "
                        "counted for each process.",
                        counted(recordedTwice_, "managed allocation"), byNumber(recordedTwice_, "was", "were"))};
}

} // namespace highwater::store
