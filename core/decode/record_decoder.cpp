#include "core/decode/record_decoder.h"

#include "core/base/byte_reader.h"
#include "core/base/text.h"
#include "core/decode/managed_types.h"
#include "core/decode/provider_counter.h"
#include "core/decode/records/clock.h"
#include "core/decode/records/code_record.h"
#include "core/decode/records/gc_record.h"
#include "core/decode/records/heap_range_record.h"
#include "core/decode/records/heap_record.h"
#include "core/decode/records/image_id_record.h"
#include "core/decode/records/image_record.h"
#include "core/decode/records/missing_record.h"
#include "core/decode/records/note_record.h"
#include "core/decode/records/picture_record.h"
#include "core/decode/records/process_record.h"
#include "core/decode/records/remark_record.h"
#include "core/decode/records/resident_record.h"
#include "core/decode/records/retained_range_record.h"
#include "core/decode/records/snapshot_record.h"
#include "core/decode/records/system_config_record.h"
#include "core/decode/records/thread_record.h"
#include "core/decode/records/virtual_memory_record.h"
#include "core/decode/snapshots/heap_snapshots.h"
#include "core/decode/stacks/clr_stack_owners.h"
#include "core/decode/stacks/stack_walk_joiner.h"
#include "core/event/code_opcodes.h"
#include "core/event/opcodes.h"

#include <algorithm>
#include <array>

namespace highwater::decode {
namespace {

using etl::RawRecord;

/// Loss markers, which Windows puts into realtime streams. Opcodes: 32 event, 33 buffer, 34 file.
constexpr Guid kLostEventProvider{0x6A399AE0, 0x4BC6, 0x4DE9, {0x87, 0x0B, 0x36, 0x57, 0xF8, 0x94, 0x7E, 0x7E}};
constexpr std::uint8_t kEventLost = 32, kBufferLost = 33, kFileLost = 34;

constexpr std::size_t kGroups = 32;
constexpr std::size_t kOpcodes = 256;

} // namespace

class RecordDecoder::Impl {
  public:
    Impl(const TraceProperties& properties, EventSink& sink, TraceHealth& health, const DecoderOptions& options)
        : sink_(sink),
          health_(health),
          observer_(options.stackObserver),
          notes_(options.noteObserver),
          clock_(properties),
          keys_(clock_, sink, health, options.stackObserver),
          joiner_(clock_, clock_.ticksIn(options.stackPatienceNs), keys_, sink, health),
          ofMemory_(properties.lacks.isAny() ? StackExpectation::Never : StackExpectation::Learned),
          snapshots_(clock_, sink, health, counts_.heapSnapshots),
          managedTypes_(sink),
          providers_(counts_),
          lastTicks_(properties.firstTicks),
          timeReached_(clock_.toTime(properties.firstTicks)) {}

    void decode(std::span<const RawRecord> records);
    void reach(std::int64_t ticks);
    void finish();
    [[nodiscard]] const RecordCounts& counts() const { return counts_; }
    [[nodiscard]] const RecordedSystem& system() const { return system_; }
    [[nodiscard]] TraceTime endTime() const { return clock_.endAfter(lastTicks_); }

  private:
    using Handler = void (Impl::*)(const RawRecord&);
    struct HandlerEntry {
        std::uint8_t group;
        std::uint8_t opcode;
        Handler handler;
    };
    /// The handler of a classic record by group and opcode; most have none. One byte each keeps the table in the cache.
    struct HandlerTable;
    static const HandlerTable& handlers();

    void reportTime();
    void decodeOne(const RawRecord& record);
    void countOne(const RawRecord& record);
    [[nodiscard]] bool decodeWithStack(const RawRecord& record, const RawRecord& stack);
    void decodeProvider(const RawRecord& record);
    void onLostEvent(const RawRecord& record);
    void reportRundown(Occasion occasion, std::int64_t ticks);
    void onMark(const RawRecord& record);
    void onMarkEdit(const RawRecord& record);
    void onLateMark(const RawRecord& record);
    void onProcessMemory(const RawRecord& record);
    void onRetainedRange(const RawRecord& record);
    void onMissing(const RawRecord& record);
    void onRemark(const RawRecord& record);
    void onLossPlace(const RawRecord& record);
    void onSnapshot(const RawRecord& record);
    void onSnapshotUndone(const RawRecord& record);
    void onResident(const RawRecord& record);
    void onPicture(const RawRecord& record);
    void readExtendedStacks(const RawRecord& record);
    void joinUnclaimedHalf();

    template <auto Decode>
    void onMemory(const RawRecord& record);
    template <auto Decode>
    void onStackless(const RawRecord& record);
    void onCode(const RawRecord& record, const Guid& provider);
    [[nodiscard]] bool onGc(const RawRecord& record);
    template <auto Decode>
    void onManagedAllocation(const RawRecord& record);
    template <auto Decode>
    void onGcEvent(const RawRecord& record);
    void onClrStack(const RawRecord& record);
    void takeCode(CodeRecord code, std::int64_t ticks);
    void onHeapRangeRundown(const RawRecord& record);
    void onVolumeMapping(const RawRecord& record);
    void onMachine(const RawRecord& record);
    void onProcessors(const RawRecord& record);
    void onContextSwitch(const RawRecord& record);
    void takeRunningThread(MemoryEvent& event, const RawRecord& record) const;
    void onStackWalk(const RawRecord& record);
    template <StackHalf Half>
    void onStackKey(const RawRecord& record);
    template <auto Define>
    void onKeyDefinition(const RawRecord& record);

    void addMemory(MemoryEvent& event, const RawRecord& record, StackExpectation expectation);
    void claimStack(StackPart& part, StackHalf& half);
    void countTruncated() { health_.count(Loss::RecordsTruncated); }

    EventSink& sink_;
    TraceHealth& health_;
    StackObserver* observer_;
    NoteObserver* notes_;
    Clock clock_;
    StackKeyTable keys_;
    StackWalkJoiner joiner_;
    StackExpectation ofMemory_; ///< files of other profilers store stacks with the records; no later ones follow
    RecordCounts counts_;
    RecordedSystem system_;
    HeapSnapshots snapshots_;
    ResidentParts resident_;
    PictureParts pictures_;
    ManagedTypes managedTypes_;
    ClrStackOwners clrStackOwners_;
    ProviderCounter providers_;
    FrameReader frames_;
    std::optional<ExtendedStack> ownStack_; ///< stack of the current record, until an event claims it
    KeyGeneration ownGeneration_{};         ///< generation of ownStack_, if it is a key
    struct RunningThread {
        std::uint32_t pid = etl::kNoId;
        std::uint32_t tid = etl::kNoId;
    };
    std::vector<RunningThread> running_; ///< by processor, as far as recorded
    std::int64_t lastTicks_;
    TraceTime timeReached_;
};

// ---- the table ----

struct RecordDecoder::Impl::HandlerTable {
    static constexpr std::size_t kMostHandlers = 48;
    std::array<std::uint8_t, kGroups * kOpcodes> indexOf{}; ///< 0: only counted
    std::array<Handler, kMostHandlers> handlers{};

    template <std::size_t Count>
    constexpr explicit HandlerTable(const HandlerEntry (&entries)[Count]) {
        static_assert(Count < kMostHandlers);
        for (std::size_t i = 0; i < Count; ++i) {
            indexOf[entries[i].group * kOpcodes + entries[i].opcode] = static_cast<std::uint8_t>(i + 1);
            handlers[i + 1] = entries[i].handler;
        }
    }
    [[nodiscard]] Handler find(std::uint8_t recordGroup, std::uint8_t opcode) const {
        return recordGroup < kGroups ? handlers[indexOf[recordGroup * kOpcodes + opcode]] : nullptr;
    }
};

const RecordDecoder::Impl::HandlerTable& RecordDecoder::Impl::handlers() {
    using namespace group;
    static constexpr HandlerEntry kEntries[] = {
        {kHeap, heap_opcode::kCreate, &Impl::onMemory<decodeHeapCreate>},
        {kHeap, heap_opcode::kAlloc, &Impl::onMemory<decodeHeapAlloc>},
        {kHeap, heap_opcode::kReAlloc, &Impl::onMemory<decodeHeapReAlloc>},
        {kHeap, heap_opcode::kDestroy, &Impl::onMemory<decodeHeapDestroy>},
        {kHeap, heap_opcode::kFree, &Impl::onMemory<decodeHeapFree>},
        {kMemory, virtual_opcode::kAlloc, &Impl::onMemory<decodeVirtualAlloc>},
        {kMemory, virtual_opcode::kFree, &Impl::onMemory<decodeVirtualFree>},
        {kMemory, virtual_opcode::kRundownStart, &Impl::onMemory<decodeVirtualRundownStart>},
        {kMemory, virtual_opcode::kRundownEnd, &Impl::onMemory<decodeVirtualRundownEnd>},
        {kMemory, process_memory_opcode::kSample, &Impl::onProcessMemory},
        {kPerfInfo, perf_info_opcode::kMark, &Impl::onMark},
        {kConfig, config_opcode::kProcessors, &Impl::onProcessors},
        {kMemory, heap_range_opcode::kRundown, &Impl::onHeapRangeRundown},
        {kMemory, heap_range_opcode::kCreate, &Impl::onMemory<decodeHeapRangeCreate>},
        {kMemory, heap_range_opcode::kReserve, &Impl::onMemory<decodeHeapRangeReserve>},
        {kMemory, heap_range_opcode::kRelease, &Impl::onMemory<decodeHeapRangeRelease>},
        {kMemory, heap_range_opcode::kDestroy, &Impl::onMemory<decodeHeapRangeDestroy>},
        {kProcess, 1, &Impl::onStackless<decodeProcess>},
        {kProcess, 2, &Impl::onStackless<decodeProcess>},
        {kProcess, 3, &Impl::onStackless<decodeProcess>},
        {kProcess, 4, &Impl::onStackless<decodeProcess>},
        {kProcess, image_opcode::kLoad, &Impl::onStackless<decodeImage>},
        {kImage, image_opcode::kLoad, &Impl::onStackless<decodeImage>},
        {kImage, image_opcode::kUnload, &Impl::onStackless<decodeImage>},
        {kImage, image_opcode::kRundownStart, &Impl::onStackless<decodeImage>},
        {kImage, image_opcode::kRundownEnd, &Impl::onStackless<decodeImage>},
        {kThread, 1, &Impl::onStackless<decodeThread>},
        {kThread, 2, &Impl::onStackless<decodeThread>},
        {kThread, 3, &Impl::onStackless<decodeThread>},
        {kThread, 4, &Impl::onStackless<decodeThread>},
        {kThread, thread_opcode::kSetName, &Impl::onStackless<decodeThreadName>},
        {kThread, thread_opcode::kContextSwitch, &Impl::onContextSwitch},
        {kStackWalk, stack_opcode::kStackWalk, &Impl::onStackWalk},
        {kStackWalk, stack_opcode::kKernelKey, &Impl::onStackKey<StackHalf::Kernel>},
        {kStackWalk, stack_opcode::kUserKey, &Impl::onStackKey<StackHalf::User>},
        {kStackWalk, stack_opcode::kKeyCreate, &Impl::onKeyDefinition<&StackKeyTable::create>},
        {kStackWalk, stack_opcode::kKeyDelete, &Impl::onKeyDefinition<&StackKeyTable::define>},
        {kStackWalk, stack_opcode::kKeyRundown, &Impl::onKeyDefinition<&StackKeyTable::define>},
    };
    static constexpr HandlerTable kTable(kEntries);
    return kTable;
}

// ---- records ----

void RecordDecoder::Impl::decode(std::span<const RawRecord> records) {
    for (std::size_t i = 0; i < records.size(); ++i) {
        const bool hasNext = i + 1 < records.size() && isHeapBlockRecord(records[i]);
        if (hasNext && decodeWithStack(records[i], records[i + 1]))
            ++i;
        else
            decodeOne(records[i]);
    }
    reportTime();
}

void RecordDecoder::Impl::reach(std::int64_t ticks) {
    if (ticks <= lastTicks_) return;
    lastTicks_ = ticks;
    joiner_.advance(ticks);
    reportTime();
}

void RecordDecoder::Impl::reportTime() {
    timeReached_ = std::max(timeReached_, joiner_.oldestWaiting().value_or(clock_.toTime(lastTicks_)));
    snapshots_.deliverBefore(timeReached_);
    sink_.onTimeReached(timeReached_);
}

void RecordDecoder::Impl::countOne(const RawRecord& record) {
    ++counts_.total;
    ++counts_.byHeaderType[static_cast<std::size_t>(record.header) % counts_.byHeaderType.size()];
}

/// Decodes a block's event and the following stack, as logged by threads that do not interleave, if nothing is waiting.
/// Has the same result as decodeOne() for both, but the event does not wait. Returns false and does nothing otherwise.
bool RecordDecoder::Impl::decodeWithStack(const RawRecord& record, const RawRecord& stack) {
    const bool isStack = stack.kind == RawRecord::Kind::Classic && stack.group == group::kStackWalk &&
                         stack.opcode == stack_opcode::kStackWalk;
    if (!isStack || observer_ != nullptr || record.extendedBytes > 0 || stack.extendedBytes > 0) return false;
    const auto reference = decodeStackReference(stack);
    auto event = decodeHeapBlock(record);
    if (!reference || !event) return false;
    event->time = clock_.toTime(record.ticks);
    const auto run = frames_.read(stack.payloadSpan().subspan(kStackReferenceBytes), stack.pointerBytes);
    if (!joiner_.addWithFrames(*event, {record.ticks, record.processor, ofMemory_}, *reference, run)) return false;
    countOne(record);
    countOne(stack);
    ++counts_.byGroup[group::kHeap][record.opcode];
    ++counts_.byGroup[group::kStackWalk][stack.opcode];
    lastTicks_ = std::max({lastTicks_, record.ticks, stack.ticks});
    return true;
}

void RecordDecoder::Impl::decodeOne(const RawRecord& record) {
    countOne(record);
    if (record.kind == RawRecord::Kind::Message) {
        counts_.messages += record.header == etl::HeaderType::Message ? 1 : 0;
        if (record.ticks == 0) return; // without a time
    }
    if (record.ticks > lastTicks_) {
        lastTicks_ = record.ticks;
        joiner_.advance(record.ticks);
    }
    if (record.extendedBytes > 0) readExtendedStacks(record);
    if (record.kind == RawRecord::Kind::Classic) {
        ++counts_.byGroup[record.group % kGroups][record.opcode];
        const auto handler = handlers().find(record.group, record.opcode);
        if (handler != nullptr) (this->*handler)(record);
    } else if (record.kind == RawRecord::Kind::Provider) {
        decodeProvider(record);
    }
    if (ownStack_) joinUnclaimedHalf();
}

void RecordDecoder::Impl::decodeProvider(const RawRecord& record) {
    const auto provider = record.providerGuid();
    providers_.count(provider);
    if (provider == kImageIdProvider) {
        ++counts_.imageIds;
        if (record.opcode == image_id_opcode::kImage) onStackless<decodeImageIdImage>(record);
        if (record.opcode == image_id_opcode::kRsds) onStackless<decodeImageIdRsds>(record);
    } else if (provider == kSystemConfigProvider) {
        if (record.opcode == system_config_opcode::kVolumeMapping) onVolumeMapping(record);
    } else if (provider == kHighwaterProvider) {
        if (record.opcode == highwater_opcode::kMarkEdit) onMarkEdit(record);
        if (record.opcode == highwater_opcode::kWindow) onRetainedRange(record);
        if (record.opcode == highwater_opcode::kMachine) onMachine(record);
        if (record.opcode == highwater_opcode::kMissing) onMissing(record);
        if (record.opcode == highwater_opcode::kRemark) onRemark(record);
        if (record.opcode == highwater_opcode::kLossPlace) onLossPlace(record);
        if (record.opcode == highwater_opcode::kSnapshot) onSnapshot(record);
        if (record.opcode == highwater_opcode::kLateMark) onLateMark(record);
        if (record.opcode == highwater_opcode::kSnapshotUndone) onSnapshotUndone(record);
        if (record.opcode == highwater_opcode::kProcess) onStackless<decodeProcessChange>(record);
        if (record.opcode == highwater_opcode::kCode) takeCode(decodeOwnCode(record), record.ticks);
        if (record.opcode == highwater_opcode::kText) takeCode(decodeText(record), record.ticks);
        if (record.opcode == highwater_opcode::kNames) takeCode(decodeNames(record), record.ticks);
        if (record.opcode == highwater_opcode::kSample) onMemory<decodeHeapSample>(record);
        if (record.opcode == highwater_opcode::kResident) onResident(record);
        if (record.opcode == highwater_opcode::kPicture) onPicture(record);
    } else if (provider == kKernelMemoryProvider) {
        // A record of a real-time session may have the number of its classic form.
        const bool isClassic = record.eventId == 0 && record.opcode == process_memory_opcode::kSample;
        if (isClassic || record.eventId == kernel_memory_event::kProcessMemory) onProcessMemory(record);
    } else if (provider == kHeapSnapshotProvider) {
        snapshots_.take(record);
    } else if (provider == kLostEventProvider) {
        onLostEvent(record);
    } else if (isCodeProvider(provider)) {
        onCode(record, provider);
    }
}

void RecordDecoder::Impl::onLostEvent(const RawRecord& record) {
    const auto lost = record.opcode == kEventLost ? Loss::EventsLost : Loss::BuffersLost;
    if (lost == Loss::BuffersLost && record.opcode != kBufferLost && record.opcode != kFileLost) return;
    health_.countAtLeast(lost); // a marker means "one or more"
    const auto time = clock_.toTime(record.ticks);
    health_.addZone({time, time, std::string(describe(lost).name), 0, false, ZoneEdge::Marker, ZoneEdge::Marker});
}

void RecordDecoder::Impl::reportRundown(Occasion occasion, std::int64_t ticks) {
    if (occasion != Occasion::RundownStart && occasion != Occasion::RundownEnd) return;
    sink_.onRundown(occasion, clock_.toTime(ticks));
}

void RecordDecoder::Impl::onRetainedRange(const RawRecord& record) {
    const auto window = decodeRetainedRange(record, clock_);
    if (!window) return countTruncated();
    sink_.onRetainedRange(*window);
}

void RecordDecoder::Impl::onMachine(const RawRecord& record) {
    const auto machine = ByteReader(record.payloadSpan()).take<Guid>();
    if (!machine) return countTruncated();
    sink_.onMachine(*machine);
}

/// The last of several files counts. A record with only some of the values does not reset the others.
void RecordDecoder::Impl::onProcessors(const RawRecord& record) {
    auto system = decodeProcessors(record);
    if (!system) return; // no total depends on it
    if (system->processors > 0) system_.processors = system->processors;
    if (!system->computer.empty()) system_.computer = std::move(system->computer);
}

void RecordDecoder::Impl::onMissing(const RawRecord& record) {
    const auto part = decodeMissing(record);
    if (!part) return countTruncated();
    const auto first = clock_.toTime(part->firstTicks);
    const auto last = clock_.toTime(part->lastTicks);
    if (part->isEnd) health_.countAtLeast(Loss::EventsLost, 0);
    health_.remark(describe(*part, first, last), {first, last, kEventsMissingInFile, part->events, true});
}

/// The total number is in the header of the file, or is counted by the source.
void RecordDecoder::Impl::onLossPlace(const RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto first = reader.take<std::int64_t>();
    const auto last = reader.take<std::int64_t>();
    const auto events = reader.take<std::uint64_t>();
    const auto flags = reader.take<std::uint32_t>();
    if (!first || !last || !events || !flags) return countTruncated();
    if ((*flags & kLossIsAtLeast) != 0) health_.countAtLeast(Loss::EventsLost, 0);
    health_.addZone({clock_.toTime(*first), clock_.toTime(*last), std::string(describe(Loss::EventsLost).name), *events,
                     (*flags & kLossMayBeEarlier) == 0});
}

/// Events before it may still wait for their stacks; readers use its time.
void RecordDecoder::Impl::onSnapshot(const RawRecord& record) {
    auto taken = decodeSnapshot(record);
    if (!taken) return countTruncated();
    taken->taken.time = clock_.toTime(std::min(taken->ticks, record.ticks));
    sink_.onSnapshot(taken->taken);
}

void RecordDecoder::Impl::onSnapshotUndone(const RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto ticks = reader.take<std::int64_t>();
    if (!ticks) return countTruncated();
    sink_.onSnapshotUndone(clock_.toTime(*ticks));
}

void RecordDecoder::Impl::onResident(const RawRecord& record) {
    const auto [sample, dropped] = resident_.take(record, clock_.toTime(record.ticks));
    if (dropped > 0) health_.count(Loss::RecordsTruncated, dropped);
    if (sample) sink_.onResidentSample(sample);
}

void RecordDecoder::Impl::onPicture(const RawRecord& record) {
    const auto [picture, ticks, dropped] = pictures_.take(record, clock_.toTime(record.ticks));
    if (dropped > 0) health_.count(Loss::RecordsTruncated, dropped);
    if (!picture) return;
    picture->time = clock_.toTime(ticks);
    sink_.onMemoryPicture(picture);
}

void RecordDecoder::Impl::onRemark(const RawRecord& record) {
    auto remark = decodeRemark(record);
    if (!remark) return countTruncated();
    if (remark->sentence.empty()) return;
    if (!remark->isBound) return health_.note(std::move(remark->sentence));
    if (!remark->place) return health_.remark(std::move(remark->sentence));
    auto& place = *remark->place;
    LostZone zone{clock_.toTime(place.firstTicks),
                  clock_.toTime(place.lastTicks),
                  std::move(place.what),
                  place.count,
                  place.isStartCertain,
                  place.startEdge,
                  place.endEdge};
    health_.countAtLeast(Loss::EventsLost, 0); // the number is unknown
    if (zone.isStartCertain) return health_.remark(std::move(remark->sentence), std::move(zone));
    health_.addZone(std::move(zone));
    health_.remark(std::move(remark->sentence));
}

// ---- events ----

template <auto Decode>
void RecordDecoder::Impl::onMemory(const RawRecord& record) {
    auto event = Decode(record);
    if (!event) return countTruncated();
    if (!event->tid.isKnown() && record.group == group::kHeap) takeRunningThread(*event, record);
    const bool isAtEnd = event->operation == MemoryOperation::VirtualRundownEnd;
    const bool isRundown = isAtEnd || event->operation == MemoryOperation::VirtualRundownStart;
    if (isRundown) reportRundown(isAtEnd ? Occasion::RundownEnd : Occasion::RundownStart, record.ticks);
    addMemory(*event, record, isRundown ? StackExpectation::Never : ofMemory_);
}

void RecordDecoder::Impl::onHeapRangeRundown(const RawRecord& record) {
    const auto rundown = HeapRangeRundown::decode(record);
    if (!rundown) return countTruncated();
    if (rundown->isCutOff()) countTruncated();
    reportRundown(Occasion::RundownStart, record.ticks);
    for (std::size_t i = 0; i < rundown->size(); ++i) {
        auto event = rundown->range(i);
        addMemory(event, record, StackExpectation::Never);
    }
}

void RecordDecoder::Impl::addMemory(MemoryEvent& event, const RawRecord& record, StackExpectation expectation) {
    event.time = clock_.toTime(record.ticks);
    const EventOrigin origin{record.ticks, record.processor, expectation};
    if (!ownStack_) {
        joiner_.addEvent(event, origin);
        return;
    }
    const auto matchId = ownStack_->matchId;
    StackPart part;
    auto half = StackHalf::User;
    claimStack(part, half);
    joiner_.addEventWithStack(event, origin, part, half, matchId);
}

// Windows' own switches do not name a process and are not needed for heap records, which have pid and tid.
void RecordDecoder::Impl::onContextSwitch(const RawRecord& record) {
    if (record.pid == etl::kNoId) return;
    if (record.processor >= running_.size()) running_.resize(record.processor + std::size_t{1});
    running_[record.processor] = {record.pid, record.tid};
}

void RecordDecoder::Impl::takeRunningThread(MemoryEvent& event, const RawRecord& record) const {
    if (record.processor >= running_.size()) return;
    event.pid = running_[record.processor].pid;
    event.tid = ThreadId{running_[record.processor].tid};
}

template <auto Decode>
void RecordDecoder::Impl::onStackless(const RawRecord& record) {
    auto event = Decode(record);
    if (!event) return countTruncated();
    event->time = clock_.toTime(record.ticks);
    if constexpr (requires { event->occasion; }) reportRundown(event->occasion, record.ticks);
    joiner_.addStackless(std::move(*event), record.ticks);
}

template <auto Decode>
void RecordDecoder::Impl::onManagedAllocation(const RawRecord& record) {
    auto allocation = Decode(record);
    if (!allocation) return countTruncated();
    if (record.pid == etl::kNoId) return;
    allocation->event.heap = managedTypes_.numberOf(allocation->typeName);
    if (!ownStack_) clrStackOwners_.onAllocation(record);
    addMemory(allocation->event, record, StackExpectation::Learned);
}

template <auto Decode>
void RecordDecoder::Impl::onGcEvent(const RawRecord& record) {
    if (record.pid != etl::kNoId) onStackless<Decode>(record);
}

void RecordDecoder::Impl::onClrStack(const RawRecord& record) {
    constexpr std::size_t kBeforeFrames = 8; // u16 runtime, u8, u8, u32 count of frames
    ++counts_.code.stacks;
    const auto owner = clrStackOwners_.take(record);
    if (!owner) return;
    if (record.payloadBytes < kBeforeFrames) return countTruncated();
    joiner_.addFrames(*owner, frames_.read(record.payloadSpan().subspan(kBeforeFrames), record.pointerBytes));
}

/// Records of the garbage collector, and the stacks of the CLR's own events. False for other records.
bool RecordDecoder::Impl::onGc(const RawRecord& record) {
    auto& counts = counts_.code;
    if (record.eventId == clr_event::kStackWalk) {
        onClrStack(record);
        return true;
    }
    clrStackOwners_.onOther(record.tid);
    switch (record.eventId) {
    case clr_event::kAllocationTick:
        ++counts.allocationTicks;
        onManagedAllocation<decodeAllocationTick>(record);
        return true;
    case clr_event::kAllocationSample:
        ++counts.allocationSamples;
        onManagedAllocation<decodeAllocationSample>(record);
        return true;
    case clr_event::kCollectionEnd:
        ++counts.collections;
        return true;
    case clr_event::kHeapStats:
        ++counts.heapStats;
        onGcEvent<decodeHeapStats>(record);
        return true;
    case clr_event::kSegmentCreated:
        ++counts.segments;
        onGcEvent<decodeSegmentCreated>(record);
        return true;
    case clr_event::kSegmentFreed:
        ++counts.segments;
        onGcEvent<decodeSegmentFreed>(record);
        return true;
    default:
        return false;
    }
}

void RecordDecoder::Impl::onCode(const RawRecord& record, const Guid& provider) {
    if (provider == kClrProvider && onGc(record)) return;
    takeCode(decodeCode(record, provider, counts_.code), record.ticks);
}

void RecordDecoder::Impl::takeCode(CodeRecord code, std::int64_t ticks) {
    if (code.isTruncated) return countTruncated();
    if (!code.event) return;
    code.event->time = clock_.toTime(ticks);
    joiner_.addStackless(std::move(*code.event), ticks);
}

// A mapping has no time. It is valid for the whole trace and need not wait.
void RecordDecoder::Impl::onVolumeMapping(const RawRecord& record) {
    const auto mapping = decodeVolumeMapping(record);
    if (!mapping) return countTruncated();
    sink_.onVolumeMapping(*mapping);
}

// ---- notes ----

void RecordDecoder::Impl::onMark(const RawRecord& record) {
    if (notes_ == nullptr) return;
    notes_->onMark({record.ticks, clock_.toTime(record.ticks), decodeMarkName(record)});
}

void RecordDecoder::Impl::onMarkEdit(const RawRecord& record) {
    const auto edit = decodeMarkEdit(record);
    if (!edit) return countTruncated();
    if (notes_ != nullptr) notes_->onMarkEdit(*edit);
}

/// It has the form of an edit but contains a mark that was unknown before.
void RecordDecoder::Impl::onLateMark(const RawRecord& record) {
    const auto mark = decodeMarkEdit(record);
    if (!mark) return countTruncated();
    if (notes_ != nullptr) notes_->onMark({mark->ticks, clock_.toTime(mark->ticks), mark->name});
}

void RecordDecoder::Impl::onProcessMemory(const RawRecord& record) {
    if (notes_ == nullptr) return;
    const auto samples = decodeProcessMemory(record);
    if (!samples) return countTruncated();
    for (auto sample : *samples) {
        sample.time = clock_.toTime(record.ticks);
        notes_->onPrivateBytes(sample);
    }
}

// ---- stacks ----

void RecordDecoder::Impl::onStackWalk(const RawRecord& record) {
    const auto reference = decodeStackReference(record);
    if (!reference) return countTruncated();
    const auto run = frames_.read(record.payloadSpan().subspan(kStackReferenceBytes), record.pointerBytes);
    if (observer_ != nullptr) observer_->onStack(clock_.toTime(reference->eventTicks), reference->pid, run.frames);
    joiner_.addFrames(*reference, run);
}

template <StackHalf Half>
void RecordDecoder::Impl::onStackKey(const RawRecord& record) {
    const auto reference = decodeStackReference(record);
    if (!reference) return countTruncated();
    const auto key = ByteReader(record.payloadSpan().subspan(kStackReferenceBytes)).takePointer(record.pointerBytes);
    if (!key) return countTruncated();
    joiner_.addKey(*reference, Half, keys_.refer(*key, *reference));
}

template <auto Define>
void RecordDecoder::Impl::onKeyDefinition(const RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto key = reader.takePointer(record.pointerBytes);
    if (!key) return countTruncated();
    (keys_.*Define)(*key, frames_.read(record.payloadSpan().subspan(reader.offset()), record.pointerBytes).frames);
}

// The first stack of a record is its own; more than one has never been observed.
void RecordDecoder::Impl::readExtendedStacks(const RawRecord& record) {
    ExtendedStackReader reader(record);
    while (const auto stack = reader.next()) {
        ++counts_.extendedStacks;
        KeyGeneration generation;
        if (stack->isKey) {
            const StackReference reference{record.ticks, record.pid, ThreadId{record.tid}, record.ticks,
                                           record.processor};
            generation = keys_.refer(stack->key, reference);
        } else if (observer_ != nullptr) {
            const auto run = frames_.read(stack->frames, stack->pointerBytes);
            observer_->onStack(clock_.toTime(record.ticks), record.pid, run.frames);
        }
        if (ownStack_) continue;
        ownStack_ = stack;
        ownGeneration_ = generation;
    }
}

// A stack without a number is complete. The kernel half of a numbered stack comes first, with its event.
void RecordDecoder::Impl::claimStack(StackPart& part, StackHalf& half) {
    const auto stack = *ownStack_;
    ownStack_.reset();
    half = StackHalf::User;
    if (stack.isKey) {
        part.kind = StackPart::Kind::Key;
        part.generation = ownGeneration_;
        if (stack.matchId != 0) half = StackHalf::Kernel;
        return;
    }
    const auto run = frames_.read(stack.frames, stack.pointerBytes);
    part.kind = StackPart::Kind::Frames;
    part.frames = run.frames;
    if (stack.matchId != 0 && !run.endsInUser) half = StackHalf::Kernel;
}

void RecordDecoder::Impl::joinUnclaimedHalf() {
    const auto matchId = ownStack_->matchId;
    StackPart part;
    auto half = StackHalf::User;
    claimStack(part, half);
    if (matchId != 0) joiner_.addMatchedHalf(matchId, part);
}

void RecordDecoder::Impl::finish() {
    joiner_.finish();
    keys_.finish();
    snapshots_.finish();
    if (const auto incomplete = resident_.finish() + pictures_.finish(); incomplete > 0)
        health_.count(Loss::RecordsTruncated, incomplete);
    timeReached_ = std::max(timeReached_, endTime());
    sink_.onTimeReached(timeReached_);
}

// ---- the outside ----

RecordDecoder::RecordDecoder(const TraceProperties& properties, EventSink& sink, TraceHealth& health,
                             DecoderOptions options)
    : impl_(std::make_unique<Impl>(properties, sink, health, options)) {}
RecordDecoder::~RecordDecoder() = default;

void RecordDecoder::decode(std::span<const RawRecord> records) { impl_->decode(records); }
void RecordDecoder::reach(std::int64_t ticks) { impl_->reach(ticks); }
void RecordDecoder::finish() { impl_->finish(); }
const RecordCounts& RecordDecoder::counts() const { return impl_->counts(); }
const RecordedSystem& RecordDecoder::system() const { return impl_->system(); }
TraceTime RecordDecoder::endTime() const { return impl_->endTime(); }

} // namespace highwater::decode
