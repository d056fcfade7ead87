#pragma once

#include "core/event/trace_notes.h"
#include "core/pipeline/index/trace_facts.h"
#include "core/store/published/published_trace.h"

#include <concepts>

namespace highwater::pipeline {

/// The fields of data in index files except columns: see index_archive.h. Structured bindings make it a compiler error
/// to add a field to one of these types and forget it here.

template <typename Value, typename Type>
concept MaybeConst = std::same_as<std::remove_const_t<Value>, Type>;

void archiveFields(auto& archive, MaybeConst<ClockKind> auto& value) { archive.enumerator(value, ClockKind::CpuCycle); }
void archiveFields(auto& archive, MaybeConst<ZoneEdge> auto& value) { archive.enumerator(value, ZoneEdge::HeaderEnd); }
void archiveFields(auto& archive, MaybeConst<SnapshotOrigin> auto& value) {
    archive.enumerator(value, SnapshotOrigin::Windows);
}
void archiveFields(auto& archive, MaybeConst<ResidentRuns> auto& value) { ResidentRuns::forReaders(value, archive); }
void archiveFields(auto& archive, MaybeConst<Mapping> auto& value) {
    auto& [begin, end, resident, proportional, privateDirty, swapped, flags, name, pages] = value;
    archive(begin, end, resident, proportional, privateDirty, swapped, flags, name, pages);
}
void archiveFields(auto& archive, MaybeConst<ResidentSample> auto& value) {
    auto& [time, pid, names, mappings] = value;
    archive(time, pid, names, mappings);
}
void archiveFields(auto& archive, MaybeConst<Reachability> auto& value) {
    archive.enumerator(value, Reachability::OnlyLeaked);
}
void archiveFields(auto& archive, MaybeConst<RootKind> auto& value) { archive.enumerator(value, RootKind::Mapping); }
void archiveFields(auto& archive, MaybeConst<PictureRoot> auto& value) {
    auto& [address, code, name, thread, threadName, parent, kind] = value;
    archive(address, code, name, thread, threadName, parent, kind);
}
void archiveFields(auto& archive, MaybeConst<PictureBlock> auto& value) {
    auto& [address, bytes, holder, dominator, reachability, type] = value;
    archive(address, bytes, holder, dominator, reachability, type);
}
void archiveFields(auto& archive, MaybeConst<MemoryPicture> auto& value) {
    auto& [time, pid, names, roots, blocks, types, rootBytes, unreadBytes, threads, unreadThreads, hasUnknownBlocks] =
        value;
    archive(time, pid, names, roots, blocks, types, rootBytes, unreadBytes, threads, unreadThreads, hasUnknownBlocks);
}
void archiveFields(auto& archive, MaybeConst<store::Snapshot> auto& value) {
    auto& [number, time, pid, origin, hasOwnBlocks] = value;
    archive(number, time, pid, origin, hasOwnBlocks);
}
void archiveFields(auto& archive, MaybeConst<ModuleIdentity> auto& value) {
    auto& [pdbGuid, pdbAge, pdbName, timeDateStamp, imageSize] = value;
    archive(pdbGuid, pdbAge, pdbName, timeDateStamp, imageSize);
}
void archiveFields(auto& archive, MaybeConst<store::Module> auto& value) {
    auto& [path, name, identity, isIl] = value;
    archive(path, name, identity, isIl);
}
void archiveFields(auto& archive, MaybeConst<store::ProcessInstance> auto& value) {
    auto& [pid, parentPid, sessionId, nameKnown, isFork, isAttached, instance, start, end, name, commandLine, forkName,
           namesBefore, epoch, images] = value;
    archive(pid, parentPid, sessionId, nameKnown, isFork, isAttached, instance, start, end, name, commandLine, forkName,
            namesBefore, epoch, images);
}
void archiveFields(auto& archive, MaybeConst<store::VolumeNames> auto& value) {
    store::VolumeNames::forReaders(value, archive);
}
void archiveFields(auto& archive, MaybeConst<store::ProcessTable> auto& value) {
    store::ProcessTable::forReaders(value, archive);
}
void archiveFields(auto& archive, MaybeConst<store::ThreadNames> auto& value) {
    store::ThreadNames::forReaders(value, archive);
}
void archiveFields(auto& archive, MaybeConst<LostZone> auto& value) {
    auto& [start, end, what, count, isStartCertain, startEdge, endEdge] = value;
    archive(start, end, what, count, isStartCertain, startEdge, endEdge);
}
void archiveFields(auto& archive, MaybeConst<HealthReport> auto& value) {
    auto& [counts, bytes, isAtLeast, countsRowsWithoutStack, remarks, notes, zones, remarksWithZone, unrecordedGrowth] =
        value;
    archive(counts, bytes, isAtLeast, countsRowsWithoutStack, remarks, notes, zones, remarksWithZone, unrecordedGrowth);
}
void archiveFields(auto& archive, MaybeConst<TraceLacks> auto& value) {
    auto& [addresses, threads, pages, objects, times, counts] = value;
    archive(addresses, threads, pages, objects, times, counts);
}
/// All except the columns, which are those of the trace.
void archiveFields(auto& archive, MaybeConst<store::TableView> auto& value) {
    auto& [columns, horizon, rows, events, partials, reallocMarks, olderRows, unmatchedFrees, olderBytes, sites,
           endSites, evicted] = value;
    archive(horizon, rows, events, partials, reallocMarks, olderRows, unmatchedFrees, olderBytes, sites, endSites,
            evicted);
}
/// The same.
void archiveFields(auto& archive, MaybeConst<store::PublishedTrace> auto& value) {
    auto& [columns, processes, threadNames, heap, virtualAlloc, managed, gcHeap, horizon, retainedFrom, stackRevision,
           stackCount, nodeCount, heapEvents, codeEntries, codeMethods, codeIlMaps, codeNamed, addressEvents, isOfAgent,
           lacks, health, passingNotes, rundown, snapshots, snapshotBlocks, residentSamples, pictures, number] = value;
    archive(processes, threadNames, heap, virtualAlloc, managed, gcHeap, horizon, retainedFrom, stackRevision,
            stackCount, nodeCount, heapEvents, codeEntries, codeMethods, codeIlMaps, codeNamed, addressEvents,
            isOfAgent, health, passingNotes, rundown, snapshots, snapshotBlocks, residentSamples, pictures, number);
}
void archiveFields(auto& archive, MaybeConst<Mark> auto& value) {
    auto& [ticks, time, name] = value;
    archive(ticks, time, name);
}
void archiveFields(auto& archive, MaybeConst<TraceNotes> auto& value) {
    auto& [marks, privateBytes] = value;
    archive(marks, privateBytes);
}
void archiveFields(auto& archive, MaybeConst<TraceProperties> auto& value) {
    auto& [paths, fileBytes, osBuild, pointerBytes, processors, cpuSpeedMhz, clock, ticksPerSecond, firstTicks,
           startFileTime, bootFileTime, biasMinutes, eventsLost, buffersLost, closed, sessionName, lacks] = value;
    archive(paths, fileBytes, osBuild, pointerBytes, processors, cpuSpeedMhz, clock, ticksPerSecond, firstTicks,
            startFileTime, bootFileTime, biasMinutes, eventsLost, buffersLost, closed, sessionName, lacks);
}
void archiveFields(auto& archive, MaybeConst<source::LostTicks> auto& value) {
    auto& [first, last, what, count, isStartCertain, startEdge, endEdge] = value;
    archive(first, last, what, count, isStartCertain, startEdge, endEdge);
}
void archiveFields(auto& archive, MaybeConst<source::EarlyEnd> auto& value) {
    auto& [name, lastTicks, place] = value;
    archive(name, lastTicks, place);
}
void archiveFields(auto& archive, MaybeConst<source::EtlFileFacts> auto& value) {
    auto& [buffers, buffersCompressed, buffersByStream, sessions, isCircular, earlyEnds, lost] = value;
    archive(buffers, buffersCompressed, buffersByStream, sessions, isCircular, earlyEnds, lost);
}
void archiveFields(auto& archive, MaybeConst<RecordCounts> auto& value) {
    auto& [total, byHeaderType, byGroup, byProvider, extendedStacks, messages, imageIds, heapSnapshots, code] = value;
    archive(total, byHeaderType, byGroup, byProvider, extendedStacks, messages, imageIds, heapSnapshots, code);
}
void archiveFields(auto& archive, MaybeConst<RecordedSystem> auto& value) {
    auto& [processors, computer] = value;
    archive(processors, computer);
}
void archiveFields(auto& archive, MaybeConst<TraceFacts> auto& value) {
    auto& [properties, files, counts, system, programEnd] = value;
    archive(properties, files, counts, system, programEnd);
}

/// Visits all columns of a trace: visit(column).
template <typename Table, typename Visit>
void eachColumnOf(Table& table, Visit& visit) {
    auto& [sites, endSites, rows, unmatchedFrees, evicted] = table; // the sites are those of TraceNames
    store::AllocationTable::eachColumn(rows, visit);
    visit(unmatchedFrees);
}
template <typename Names, typename Visit>
void eachColumnOfNames(Names& names, Visit& visit) {
    auto& [backing, heapSites, heapEndSites, virtualAllocSites, virtualAllocEndSites, managedSites, managedEndSites,
           gcHeapSites, gcHeapEndSites, stacks, heaps, snapshotBlocks, heapEvents, addressEvents, code, managedTypes] =
        names;
    for (auto* sites : {&heapSites, &heapEndSites, &virtualAllocSites, &virtualAllocEndSites, &managedSites,
                        &managedEndSites, &gcHeapSites, &gcHeapEndSites})
        store::SiteTable::eachColumn(*sites, visit);
    store::StackTable::eachColumn(stacks, visit);
    visit(heaps);
    visit(snapshotBlocks);
    visit(heapEvents);
    visit(addressEvents);
    auto& [entries, text, methods, maps, ilMaps, named, functions] = code;
    visit(entries);
    visit(text);
    visit(methods);
    visit(maps);
    visit(ilMaps);
    visit(named);
    visit(functions);
    store::ManagedTypes::eachColumn(managedTypes, visit);
}
template <typename Columns, typename Visit>
void eachColumn(Columns& trace, Visit& visit) {
    auto& [names, heap, virtualAlloc, managed, gcHeap, stacks, heaps, snapshotBlocks, retainedFrom] = trace;
    eachColumnOfNames(*names, visit); // includes stacks, heaps and snapshotBlocks
    eachColumnOf(heap, visit);
    eachColumnOf(virtualAlloc, visit);
    eachColumnOf(managed, visit);
    eachColumnOf(gcHeap, visit);
}

} // namespace highwater::pipeline
