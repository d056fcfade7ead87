#include "core/export/info/info_json.h"

#include "core/etl/raw_record.h"
#include "core/event/opcodes.h"
#include "core/export/info/clock_text.h"
#include "core/export/info/info_lists.h"
#include "core/export/info/info_peaks.h"

#include <string>

namespace highwater::exports {
namespace {

Json headersJson(const RecordCounts& counts) {
    auto headers = Json::object();
    for (std::size_t type = 0; type < counts.byHeaderType.size(); ++type) {
        if (counts.byHeaderType[type] == 0) continue;
        headers[etl::name(static_cast<etl::HeaderType>(type))] = counts.byHeaderType[type];
    }
    return headers;
}

Json streamsJson(const source::EtlFileFacts& files) {
    auto streams = Json::object();
    for (const auto& [stream, buffers] : files.buffersByStream)
        streams[std::to_string(stream)] = buffers;
    return streams;
}

bool isOfHighwater(const RecordCounts& counts) { return counts.byProvider.contains(kHighwaterProvider); }

/// Files of Highwater store the number of streams in their header instead.
Json processorsJson(const pipeline::TraceFacts& facts) {
    if (facts.system.processors > 0) return facts.system.processors;
    if (isOfHighwater(facts.counts) || facts.properties.processors == 0) return nullptr;
    return facts.properties.processors;
}

Json recorderJson(const pipeline::TraceFacts& facts) {
    if (facts.properties.sessionName == kAgentSessionName) return "Highwater (Linux)";
    if (facts.properties.lacks.isAny()) return facts.properties.sessionName;
    if (isOfHighwater(facts.counts)) return "Highwater (Windows)";
    const auto& providers = facts.counts.byProvider;
    if (providers.contains(kImageIdProvider) || providers.contains(kSystemConfigProvider))
        return "event tracing, merged by WPR or xperf";
    return "event tracing";
}

/// Start, end and both rundowns of threads. The class also has other records (scheduling).
std::uint64_t countThreadEvents(const RecordCounts& counts) {
    const auto& opcodes = counts.byGroup[group::kThread];
    return opcodes[1] + opcodes[2] + opcodes[3] + opcodes[4];
}

/// The origin of the trace: time, computer and recorder.
void addOrigin(const TraceInfo& info, Json& json) {
    const auto& properties = info.facts.properties;
    const auto recorded = clockText(properties.startFileTime, properties.biasMinutes);
    json["recorded_at"] = recorded ? Json(*recorded) : Json();
    json["computer"] = orNull(info.facts.system.computer);
    json["recorder"] = recorderJson(info.facts);
    json["sessions"] = info.facts.files.sessions;
    json["circular"] = info.facts.files.isCircular;
    json["kept_from_s"] = info.trace.isTrimmed() ? secondsJson(info.trace.retainedFrom) : Json();
}

void addCounts(const TraceInfo& info, Json& json) {
    const auto& counts = info.facts.counts;
    const auto& health = info.trace.health;
    const auto& memory = counts.byGroup[group::kMemory];
    json["events_total"] = counts.total;
    json["events_by_header"] = headersJson(counts);
    json["image_events"] = counts.group(group::kImage);
    json["image_id_events"] = counts.imageIds;
    json["process_events"] = counts.group(group::kProcess);
    json["thread_events"] = countThreadEvents(counts);
    json["stack_events"] = counts.group(group::kStackWalk);
    json["extended_stacks"] = counts.extendedStacks;
    json["heap_events"] = counts.group(group::kHeap);
    json["virtual_alloc_events"] = memory[98];
    json["virtual_free_events"] = memory[99];
    json["events_lost"] = health[Loss::EventsLost];
    json["buffers_lost"] = health[Loss::BuffersLost];
    json["stacks_unresolved"] = health[Loss::StacksUnresolved];
    json["unmatched_frees"] = health[Loss::UnmatchedFrees];
    json["clr_methods"] = counts.code.methods;
    json["clr_il_maps"] = counts.code.ilMaps;
    json["clr_stacks"] = counts.code.stacks;
    json["gc_allocation_ticks"] = counts.code.allocationTicks;
    json["gc_allocation_samples"] = counts.code.allocationSamples;
    json["gc_collections"] = counts.code.collections;
    json["gc_heap_stats"] = counts.code.heapStats;
    json["gc_segment_events"] = counts.code.segments;
    const auto& snapshots = counts.heapSnapshots;
    json["heap_snapshots"] = {{"instances", snapshots.instances},
                              {"bytes", snapshots.bytes},
                              {"decoded", snapshots.decoded},
                              {"undecoded", snapshots.undecoded}};
}

/// The end of the trace if nothing is missing.
Json wholeBeforeJson(const store::PublishedTrace& trace) {
    if (!trace.health.totalsAreBounds()) return secondsJson(trace.horizon);
    const auto whole = trace.health.wholeBefore();
    return whole ? secondsJson(*whole) : Json();
}

} // namespace

Json infoJson(const TraceInfo& info) {
    const auto& [properties, files, counts, system, programEnd] = info.facts;
    Json json{{"schema_version", kSchemaVersion}};
    addOrigin(info, json);
    json["bytes"] = properties.fileBytes;
    json["os_build"] = properties.osBuild;
    json["pointer_bytes"] = properties.pointerBytes;
    json["processors"] = processorsJson(info.facts);
    json["streams"] = properties.processors;
    json["duration_s"] = secondsJson(info.trace.horizon);
    json["buffers"] = files.buffers;
    json["buffers_compressed"] = files.buffersCompressed;
    json["buffers_by_stream"] = streamsJson(files);
    addCounts(info, json);
    json["providers"] = providersJson(counts);
    json["processes"] =
        processesJson(*info.trace.processes, info.details.processes ? ProcessDetail::Everything : ProcessDetail::Life);
    if (info.details.modules) json["modules"] = modulesJson(*info.trace.processes);
    json["process_memory"] = memoryPeaksJson(info.memoryPeaks);
    json["resident_memory"] = residentPeaksJson(info.residentPeaks);
    json["marks"] = marksJson(info.notes.marks);
    json["snapshots"] = snapshotsJson(info.trace.snapshots);
    json["pictures"] = picturesJson(info.trace);
    json["lost_zones"] = lostZonesJson(info.trace.health.zones);
    json["whole_before_s"] = wholeBeforeJson(info.trace);
    json["health"] = healthJson(info.trace.health);
    return json;
}

} // namespace highwater::exports
