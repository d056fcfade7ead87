#include "core/store/trace_store.h"

#include <algorithm>

namespace highwater::store {
namespace {

std::shared_ptr<TraceColumns> makeColumns() {
    auto columns = std::make_shared<TraceColumns>();
    // The entries that stand for nothing: no heap, not ended.
    (void)columns->heaps.append(Heap{});
    (void)columns->heap.endSites.intern(Site{});
    (void)columns->virtualAlloc.endSites.intern(Site{});
    return columns;
}

} // namespace

TraceStore::TraceStore(TraceHealth& health)
    : health_(health), columns_(makeColumns()), heapBlocks_(*columns_, health), pages_(*columns_, health) {
    (void)publish();
}

TraceStore::~TraceStore() = default;

void TraceStore::onMemoryEvent(const MemoryEvent& event) {
    static_assert(MemoryOperation::VirtualRundownEnd < MemoryOperation::HeapCreate);
    static_assert(MemoryOperation::HeapDestroy < MemoryOperation::HeapRangeReserve);
    // Ranges of heaps say which heap owns which pages: nothing is shown of it.
    if (event.operation >= MemoryOperation::HeapRangeReserve) return;
    if (event.operation >= MemoryOperation::HeapCreate) [[likely]]
        return heapBlocks_.apply(event, rootOf(event.pid));
    pages_.apply(event, rootOf(event.pid));
}

StackRoot TraceStore::rootOfSlow(std::uint32_t pid) {
    const auto process = processes_.current(pid);
    if (process.value >= hasMemoryEvents_.size()) hasMemoryEvents_.resize(process.value + 1);
    hasMemoryEvents_[process.value] = true;
    const StackRoot root{process, processes_[process].epoch};
    knownRoots_[(pid >> 2) % knownRoots_.size()] = {pid, true, root};
    return root;
}

void TraceStore::forgetRoots() { knownRoots_.fill(KnownRoot{}); }

void TraceStore::onPendingStackDefined(PendingStackId id, std::span<const Address> frames) {
    columns_->stacks.definePending(id.value, frames);
}

void TraceStore::onProcess(const ProcessEvent& event) {
    forgetRoots();
    std::optional<ProcessIndex> endedByReuse;
    const auto process = processes_.apply(event, endedByReuse);
    if (endedByReuse) pages_.endProcess(*endedByReuse, event.time);
    if (event.occasion == Occasion::End) pages_.endProcess(process, event.time);
}

void TraceStore::onThread(const ThreadEvent& event) { processes_.apply(event); }

void TraceStore::onImage(const ImageEvent& event) {
    forgetRoots();
    processes_.apply(event);
}

void TraceStore::onImageIdentity(const ImageIdentityEvent& event) { processes_.apply(event); }

void TraceStore::onVolumeMapping(const VolumeMappingEvent& event) { processes_.apply(event); }

void TraceStore::onTimeReached(TraceTime time) { timeReached_ = std::max(timeReached_, time); }

TableView TraceStore::viewOf(const TableColumns& table) const {
    TableView view;
    view.columns = &table;
    view.horizon = timeReached_;
    view.rows = table.rows.rowCount();
    view.events = table.rows.order().eventCount();
    view.partials = table.rows.partials().size();
    view.reallocMarks = table.rows.reallocMarks().size();
    view.olderRows = table.rows.olderRows().size();
    view.unmatchedFrees = table.unmatchedFrees.size();
    view.olderBytes = table.rows.olderBytes();
    view.sites = table.sites.size();
    view.endSites = table.endSites.size();
    return view;
}

std::uint64_t TraceStore::countUnnamedProcesses() const {
    std::uint64_t unnamed = 0;
    for (std::uint32_t i = 0; i < hasMemoryEvents_.size(); ++i) {
        if (hasMemoryEvents_[i] && !processes_[ProcessIndex{i}].nameKnown) ++unnamed;
    }
    return unnamed;
}

std::shared_ptr<const PublishedTrace> TraceStore::publish() {
    heapBlocks_.catchUp();
    if (!processCopy_ || processCopyChanges_ != processes_.changes()) {
        processCopy_ = std::make_shared<const ProcessTable>(processes_);
        processCopyChanges_ = processes_.changes();
    }
    auto trace = std::make_shared<PublishedTrace>();
    trace->columns = columns_;
    trace->processes = processCopy_;
    trace->heap = viewOf(columns_->heap);
    trace->virtualAlloc = viewOf(columns_->virtualAlloc);
    trace->horizon = timeReached_;
    trace->stackRevision = columns_->stacks.revision();
    trace->stackCount = columns_->stacks.stackCount();
    trace->nodeCount = columns_->stacks.nodeCount();
    trace->health = health_.report();
    trace->health.counts[static_cast<std::size_t>(Loss::ProcessesUnknown)] += countUnnamedProcesses();
    trace->number = publications_++;
    const std::lock_guard lock(latestMutex_);
    latest_ = std::move(trace);
    return latest_;
}

std::shared_ptr<const PublishedTrace> TraceStore::latest() const {
    const std::lock_guard lock(latestMutex_);
    return latest_;
}

} // namespace highwater::store
