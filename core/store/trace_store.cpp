#include "core/store/trace_store.h"

#include "core/base/background_release.h"
#include "core/base/counted.h"
#include "core/files/column_memory.h"
#include "core/store/published/event_sites.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace highwater::store {
namespace {

constexpr auto kAllEvents = std::numeric_limits<std::uint64_t>::max();

std::shared_ptr<TraceColumns> makeColumns() {
    auto columns = makeReleasedInBackground<TraceColumns>();
    // Placeholder entries: no heap, not ended.
    (void)columns->heaps.append(Heap{});
    (void)columns->heap.endSites.intern(Site{});
    (void)columns->virtualAlloc.endSites.intern(Site{});
    return columns;
}

std::string describeRetainedRange(const PublishedTrace& trace) {
    const auto rows = trace.heap.evicted.rows + trace.virtualAlloc.evicted.rows;
    return fmt::format("Only part of the recording was kept, starting at {:.1f} s. Before that, {} ({}) had ended and "
                       "{} discarded; older allocations that were still outstanding are included.",
                       trace.retainedFrom.seconds(), counted(rows, "allocation"),
                       bytesText(trace.heap.evicted.bytes + trace.virtualAlloc.evicted.bytes),
                       byNumber(rows, "was", "were"));
}

std::string describeShortened(std::uint64_t stacks) {
    if (stacks == 1)
        return "1 call stack is deeper, or differs more from the others, than those of real programs. It is shown "
               "without some of its frames.";
    return fmt::format(
        "{} call stacks are deeper, or differ more from each other, than those of real programs. They are shown "
        "without some of their frames.",
        thousands(stacks));
}

} // namespace

TraceStore::TraceStore(TraceHealth& health, BlockRows blocks)
    : health_(health),
      columns_(makeColumns()),
      heapBlocks_(*columns_, health),
      tally_(blocks == BlockRows::Counted ? std::make_unique<HeapTally>(health) : nullptr),
      lookahead_(columns_->stacks, heapBlocks_),
      pages_(*columns_, health),
      code_(columns_->names->code),
      managed_(*columns_, health) {
    (void)publish();
}

TraceStore::~TraceStore() { columns_->names->endInterning(); }

void TraceStore::onMemoryEvent(const MemoryEvent& delivered) {
    if (delivered.time >= pagesDue_) [[unlikely]]
        notePages();
    const auto life = threads_.current(delivered.tid);
    switch (delivered.operation) {
    case MemoryOperation::HeapAlloc:
    case MemoryOperation::HeapFree:
        if (tally_) {
            countStack(delivered);
            return countBlock(delivered);
        }
        if (delivered.stack.kind == EventStack::Kind::Pending) break;
        return lookahead_.push(delivered, rootOf(delivered.pid), life);
    // They create neither rows nor processes, because a rundown lists heaps of otherwise unknown programs.
    case MemoryOperation::HeapRangeReserve:
    case MemoryOperation::HeapRangeRelease:
    case MemoryOperation::HeapRangeDestroy:
        return noteHeap(delivered, StackId{});
    default:
        break;
    }
    lookahead_.flush();
    auto event = delivered;
    event.threadLife = life;
    const auto root = rootOf(event.pid);
    const auto stack = internStack(columns_->stacks, root, event.stack);
    if (memoryKind(event.operation) == MemoryKind::Virtual) {
        pages_.apply(event, root.process, stack);
    } else if (event.operation == MemoryOperation::ManagedAlloc) {
        managed_.allocate(event, root.process, stack);
    } else {
        if (event.operation == MemoryOperation::HeapCreate || event.operation == MemoryOperation::HeapDestroy)
            noteHeap(event, stack);
        if (tally_) return countBlock(event);
        heapBlocks_.apply(event, root.process, stack);
    }
}

/// For a block that is only counted. Its stack is never shown, and most need no check. This only determines whether the
/// stack is too deep. Code that shows stacks reports whether there was room for all of them.
void TraceStore::countStack(const MemoryEvent& event) {
    const auto root = rootOf(event.pid);
    const bool isWhole = event.stack.kind == EventStack::Kind::Frames && !StackTable::isTooDeep(event.stack.frames);
    if (isWhole)
        columns_->stacks.noteUse();
    else
        (void)internStack(columns_->stacks, root, event.stack);
}

/// Events that do not fit are discarded. Readers see from the count that there were more.
void TraceStore::noteHeap(const MemoryEvent& event, StackId stack) {
    HeapEvent noted;
    noted.time = event.time;
    noted.heap = event.heap;
    noted.address = event.address;
    noted.size = event.size;
    noted.pid = event.pid;
    noted.stack = stack;
    noted.thread = event.tid;
    noted.operation = event.operation;
    (void)columns_->names->heapEvents.append(noted);
}

StackRoot TraceStore::rootOfSlow(std::uint32_t pid) {
    const auto process = processes_.current(pid);
    if (process.value >= hasMemoryEvents_.size()) hasMemoryEvents_.resize(process.value + 1);
    hasMemoryEvents_[process.value] = true;
    if (process.value >= isEpochInUse_.size()) isEpochInUse_.resize(process.value + std::size_t{1});
    isEpochInUse_[process.value] = true;
    const StackRoot root{process, processes_[process].epoch};
    knownRoots_[(pid >> 2) % knownRoots_.size()] = {pid, true, root};
    return root;
}

void TraceStore::forgetRoots() { knownRoots_.fill(KnownRoot{}); }

void TraceStore::onPendingStackDefined(PendingStackId id, std::span<const Address> frames) {
    columns_->stacks.resolveDeferred(id.value, frames);
}

void TraceStore::onProcess(const ProcessEvent& event) {
    if (event.time >= pagesDue_) notePages();
    forgetRoots();
    std::optional<ProcessIndex> endedByReuse;
    const auto process = processes_.apply(event, endedByReuse);
    if (endedByReuse) endProcess(*endedByReuse, event.time, EndKind::ProcessExit);
    if (event.occasion == Occasion::End) endProcess(process, event.time, EndKind::ProcessExit);
    if (event.occasion != Occasion::Executed) return;
    const bool usedMemory = process.value < hasMemoryEvents_.size() && hasMemoryEvents_[process.value];
    if (!usedMemory) processes_.forgetFork(process);
    lookahead_.flush();
    heapBlocks_.endSpace(process, event.time);
    if (tally_) tally_->endSpace(process);
    endProcess(process, event.time, EndKind::Exec);
}

void TraceStore::endProcess(ProcessIndex process, TraceTime time, EndKind kind) {
    pages_.endSpace(process, time, kind);
    managed_.endProcess(process, time);
}

void TraceStore::onThread(const ThreadEvent& event) {
    threads_.apply(event);
    noteStack(event);
}

/// The location of a stack is often only in its start event.
void TraceStore::noteStack(const ThreadEvent& event) {
    const bool hasStack = event.stackLimit != 0 && event.stackLimit < event.stackBase;
    const bool ends = event.occasion == Occasion::End;
    if (ends && threadsWithStack_.erase(event.tid) == 0 && !hasStack) return;
    if (event.occasion == Occasion::Named || (!hasStack && !ends)) return;
    if (!ends) threadsWithStack_.insert(event.tid);
    AddressEvent noted;
    noted.time = event.time;
    noted.pid = event.pid;
    noted.thread = ThreadId{event.tid};
    noted.address = event.stackLimit;
    noted.size = hasStack ? event.stackBase - event.stackLimit : 0;
    noted.kind = ends                                ? AddressEvent::Kind::StackEnded
                 : event.occasion == Occasion::Start ? AddressEvent::Kind::StackBegan
                                                     : AddressEvent::Kind::StackFound;
    (void)columns_->names->addressEvents.append(noted);
}

void TraceStore::onImage(const ImageEvent& event) {
    forgetRoots();
    processes_.apply(event);
}

/// Runtimes move and drop code all the time. An epoch without stacks need not end.
void TraceStore::onCode(const CodeEvent& event) {
    const auto process = processes_.current(event.pid);
    if (process.value < isEpochInUse_.size() && isEpochInUse_[process.value] &&
        code_.changesAddresses(event, process)) {
        processes_.beginEpoch(process);
        isEpochInUse_[process.value] = false;
        forgetRoots();
    }
    const auto pdb = event.files ? processes_.apply(*event.files) : std::nullopt;
    code_.apply(event, process, processes_[process].epoch, pdb);
}

void TraceStore::onManagedType(std::uint32_t number, std::string_view name) {
    (void)number; // they arrive in order
    managed_.addType(name);
}

void TraceStore::onGc(const GcEvent& event) {
    if (event.kind != GcEvent::Kind::Sizes) return noteSegment(event);
    managed_.resize(event, rootOf(event.pid).process);
}

void TraceStore::noteSegment(const GcEvent& event) {
    AddressEvent noted;
    noted.time = event.time;
    noted.pid = event.pid;
    noted.address = event.address;
    noted.size = event.size;
    noted.kind = event.kind == GcEvent::Kind::SegmentCreated ? AddressEvent::Kind::SegmentCreated
                                                             : AddressEvent::Kind::SegmentFreed;
    (void)columns_->names->addressEvents.append(noted);
}

void TraceStore::onImageIdentity(const ImageIdentityEvent& event) { processes_.apply(event); }

void TraceStore::onVolumeMapping(const VolumeMappingEvent& event) { processes_.apply(event); }
void TraceStore::onMachine(const Guid& machine) { processes_.setMachine(machine); }

void TraceStore::onRetainedRange(const RetainedRange& window) {
    columns_->retainedFrom = window.start;
    columns_->heap.evicted = window.heap;
    columns_->virtualAlloc.evicted = window.virtualAlloc;
}

void TraceStore::onSnapshotBlock(const SnapshotBlock& block) {
    const auto number = snapshots_.numberOf(block.snapshot);
    if (!number) return snapshots_.noteDroppedBlock();
    const auto root = rootOf(block.pid);
    Site site;
    site.stack = internStack(columns_->stacks, root, block.stack);
    site.heap = heapBlocks_.idOf(root.process, block.heap);
    site.thread = block.tid;
    SnapshotBlockRow row{block.address, block.size, *number, columns_->heap.sites.intern(site)};
    if (!columns_->snapshotBlocks.append(row)) snapshots_.noteDroppedBlock();
}

SignedByteCount TraceStore::heapBytesOutstanding() {
    if (tally_) return tally_->outstanding();
    lookahead_.flush();
    return columns_->heap.rows.order().levelNow();
}

SignedByteCount TraceStore::mostHeapBytesOutstanding(std::uint32_t pid) {
    const auto& processes = processes_.processes();
    SignedByteCount bytes = 0;
    for (std::uint32_t i = 0; tally_ && i < processes.size(); ++i) {
        if (processes[i].pid == pid) bytes += tally_->mostOutstanding(ProcessIndex{i});
    }
    return bytes;
}

std::uint64_t TraceStore::heapAllocations() {
    if (tally_) return tally_->allocations();
    lookahead_.flush();
    return columns_->heap.rows.rowCount();
}

void TraceStore::onTimeReached(TraceTime time) {
    timeReached_ = std::max(timeReached_, time);
    if (timeReached_ >= pagesDue_) notePages();
}

void TraceStore::notePages() {
    pagesAt_ = std::make_shared<const PagesAt>(pages_.pagesAt(pagesDue_));
    pagesDue_ = kNever;
}

void TraceStore::cutBefore(TraceTime start) {
    if (cut_ || start <= columns_->retainedFrom || start > timeReached_) return;
    lookahead_.flush();
    auto next = makeReleasedInBackground<TraceColumns>(columns_->names);
    next->retainedFrom = start;
    cut_ = std::make_unique<Cut>(Cut{.columns = next,
                                     .heap = TableCut(columns_->heap, next->heap, start),
                                     .virtualAlloc = TableCut(columns_->virtualAlloc, next->virtualAlloc, start),
                                     .managed = TableCut(columns_->managed, next->managed, start),
                                     .gcHeap = TableCut(columns_->gcHeap, next->gcHeap, start)});
}

bool TraceStore::continueCut(std::uint64_t events) {
    if (!cut_) return false;
    const std::array tables{&cut_->heap, &cut_->virtualAlloc, &cut_->managed, &cut_->gcHeap};
    for (auto* table : tables)
        events -= std::min(events, table->advance(events));
    if (!std::ranges::all_of(tables, &TableCut::isLevel)) return true;
    lookahead_.flush();
    for (auto* table : tables)
        (void)table->advance(kAllEvents);
    // No memory for a second set of columns; keep the first.
    if (std::ranges::none_of(tables, &TableCut::hasFailed)) {
        heapBlocks_.moveTo(*cut_->columns, cut_->heap.numbers());
        pages_.moveTo(*cut_->columns, cut_->virtualAlloc.numbers());
        managed_.moveTo(*cut_->columns, cut_->gcHeap.numbers());
        columns_ = std::move(cut_->columns);
    }
    cut_.reset();
    return false;
}

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
    view.evicted = table.evicted;
    return view;
}

std::uint64_t TraceStore::countUnnamedProcesses() const {
    std::uint64_t unnamed = 0;
    for (std::uint32_t i = 0; i < hasMemoryEvents_.size(); ++i) {
        if (hasMemoryEvents_[i] && !processes_[ProcessIndex{i}].nameKnown) ++unnamed;
    }
    return unnamed;
}

void TraceStore::copyTables() {
    if (!processCopy_ || processCopyChanges_ != processes_.changes()) {
        processCopy_ = std::make_shared<const ProcessTable>(processes_);
        processCopyChanges_ = processes_.changes();
    }
    if (threadNamesCopyChanges_ != threads_.changes()) {
        threadNamesCopy_ = std::make_shared<const ThreadNames>(threads_.names());
        threadNamesCopyChanges_ = threads_.changes();
    }
}

std::shared_ptr<const PublishedTrace> TraceStore::publish() {
    lookahead_.flush();
    copyTables();
    auto trace = std::make_shared<PublishedTrace>();
    trace->columns = columns_;
    trace->processes = processCopy_;
    trace->threadNames = threadNamesCopy_;
    trace->heap = viewOf(columns_->heap);
    trace->virtualAlloc = viewOf(columns_->virtualAlloc);
    trace->managed = viewOf(columns_->managed);
    trace->gcHeap = viewOf(columns_->gcHeap);
    trace->horizon = timeReached_;
    trace->isOfAgent = isOfAgent_;
    trace->lacks = lacks_;
    trace->rundown = rundown_.zones(timeReached_);
    trace->retainedFrom = columns_->retainedFrom;
    snapshots_.dropBefore(columns_->retainedFrom);
    trace->snapshots = snapshots_.published();
    resident_.dropBefore(columns_->retainedFrom);
    trace->residentSamples = resident_.published();
    pictures_.dropBefore(columns_->retainedFrom);
    trace->pictures = pictures_.published();
    trace->snapshotBlocks = columns_->snapshotBlocks.size();
    trace->stackRevision = columns_->stacks.revision();
    trace->stackCount = columns_->stacks.stackCount();
    trace->nodeCount = columns_->stacks.nodeCount();
    trace->heapEvents = columns_->names->heapEvents.size();
    trace->codeEntries = columns_->names->code.entries.size();
    trace->addressEvents = columns_->names->addressEvents.size();
    trace->codeMethods = columns_->names->code.methods.size();
    trace->codeIlMaps = columns_->names->code.maps.size();
    trace->codeNamed = columns_->names->code.named.size();
    trace->health = health_.report();
    trace->health.counts[static_cast<std::size_t>(Loss::ProcessesUnknown)] += countUnnamedProcesses();
    if (const auto stacks = columns_->stacks.shortenedStacks(); stacks > 0)
        trace->health.notes.push_back(describeShortened(stacks));
    for (auto& note : processCopy_->notes())
        trace->health.notes.push_back(std::move(note));
    for (auto& note : code_.notes(*processCopy_))
        trace->health.notes.push_back(std::move(note));
    for (auto& note : managed_.notes())
        trace->health.notes.push_back(std::move(note));
    if (trace->isTrimmed()) trace->health.notes.push_back(describeRetainedRange(*trace));
    for (auto& note : snapshots_.notes())
        trace->health.notes.push_back(std::move(note));
    for (auto& note : resident_.notes())
        trace->health.notes.push_back(std::move(note));
    for (auto& note : pictures_.notes())
        trace->health.notes.push_back(std::move(note));
    if (auto note = describe(columnMemory()); !note.empty()) {
        trace->health.notes.push_back(std::move(note));
        trace->passingNotes = 1;
    }
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
