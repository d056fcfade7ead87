#include "core/source/etw/etw_consumer_windows.h"

#include "core/etl/class_guids.h"
#include "core/event/opcodes.h"
#include "core/source/etw/etw_error.h"

#include <algorithm>

namespace highwater::source {
namespace {

constexpr ULONG kRealTime = 0x100, kRawTimestamp = 0x1000, kEventRecord = 0x1000'0000;
constexpr USHORT k32BitHeader = 0x20;
constexpr Guid kLostEvent{0x6A399AE0, 0x4BC6, 0x4DE9, {0x87, 0x0B, 0x36, 0x57, 0xF8, 0x94, 0x7E, 0x7E}};
constexpr UCHAR kEventLost = 32, kBufferLost = 33, kFileLost = 34;

static_assert(sizeof(EVENT_TRACE_LOGFILEW) == 448 && sizeof(EVENT_RECORD) == 112, "the layout of 64-bit Windows");

Guid guidOf(const GUID& guid) { return loadUnchecked<Guid>(reinterpret_cast<const std::byte*>(&guid)); }

/// As Windows writes it into files: what has no process and no thread is a PERFINFO record, and so are stacks; all others
/// name both in a SYSTEM header.
etl::HeaderType headerOf(const etl::RawRecord& record, bool is32Bit) {
    const bool hasIds = record.pid != etl::kNoId || record.tid != etl::kNoId;
    if (!hasIds || record.group == group::kStackWalk)
        return is32Bit ? etl::HeaderType::PerfInfo32 : etl::HeaderType::PerfInfo64;
    return is32Bit ? etl::HeaderType::System32 : etl::HeaderType::System64;
}

} // namespace

Result<std::unique_ptr<EtwConsumer>> EtwConsumer::open(const EtwApi& api, const std::wstring& session, LiveRing& ring) {
    std::unique_ptr<EtwConsumer> consumer(new EtwConsumer(api, ring));
    auto name = session;
    EVENT_TRACE_LOGFILEW file{};
    file.LoggerName = name.data();
    file.ProcessTraceMode = kRealTime | kEventRecord | kRawTimestamp;
    file.EventRecordCallback = &EtwConsumer::onRecord;
    file.BufferCallback = &EtwConsumer::onBuffer;
    file.Context = consumer.get();
    consumer->handle_ = api.openTrace(&file);
    if (consumer->handle_ == INVALID_PROCESSTRACE_HANDLE) {
        return etwError(::GetLastError(), "open the events that it records");
    }
    consumer->thread_ = std::thread([consumer = consumer.get()] { consumer->run(); });
    return consumer;
}

EtwConsumer::~EtwConsumer() {
    close();
    if (thread_.joinable()) thread_.join();
}

// 7007, "close pending", is the ordinary answer while ProcessTrace runs.
void EtwConsumer::close() {
    if (handle_ != INVALID_PROCESSTRACE_HANDLE && !isClosed_.exchange(true)) (void)api_.closeTrace(handle_);
}

void EtwConsumer::run() {
    // Whoever is late here loses events.
    ::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_ABOVE_NORMAL);
    // No start time: it would leave out the rundown.
    endCode_.store(api_.processTrace(&handle_, 1, nullptr, nullptr), std::memory_order_relaxed);
    hasEnded_.store(true, std::memory_order_release);
}

void WINAPI EtwConsumer::onRecord(EVENT_RECORD* event) { static_cast<EtwConsumer*>(event->UserContext)->take(*event); }

ULONG WINAPI EtwConsumer::onBuffer(EVENT_TRACE_LOGFILEW* file) {
    auto& self = *static_cast<EtwConsumer*>(file->Context);
    self.eventsLostByBuffers_.store(file->EventsLost, std::memory_order_relaxed);
    return self.isClosed_.load(std::memory_order_relaxed) ? FALSE : TRUE;
}

void EtwConsumer::take(const EVENT_RECORD& event) {
    const auto& header = event.EventHeader;
    const auto provider = guidOf(header.ProviderId);
    const auto group = etl::groupOfClass(provider);
    if (!group) {
        if (provider == kLostEvent) noteLoss(header.EventDescriptor.Opcode);
        return;
    }
    const bool is32Bit = (header.Flags & k32BitHeader) != 0;
    etl::RawRecord record;
    record.ticks = header.TimeStamp.QuadPart;
    record.payload = static_cast<const std::byte*>(event.UserData);
    record.payloadBytes = event.UserDataLength;
    record.pid = header.ProcessId;
    record.tid = header.ThreadId;
    record.processor = event.BufferContext.ProcessorNumber;
    record.version = header.EventDescriptor.Version;
    record.opcode = header.EventDescriptor.Opcode;
    record.group = *group;
    record.header = headerOf(record, is32Bit);
    record.pointerBytes = is32Bit ? 4 : 8;
    (void)ring_.put(record);
}

void EtwConsumer::noteLoss(UCHAR opcode) {
    if (opcode == kEventLost) eventsLost_.fetch_add(1, std::memory_order_relaxed);
    if (opcode == kBufferLost || opcode == kFileLost) buffersLost_.fetch_add(1, std::memory_order_relaxed);
}

EtwLosses EtwConsumer::losses() const {
    return {std::max(eventsLost_.load(std::memory_order_relaxed), eventsLostByBuffers_.load(std::memory_order_relaxed)),
            buffersLost_.load(std::memory_order_relaxed)};
}

} // namespace highwater::source
