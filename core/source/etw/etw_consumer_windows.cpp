#include "core/source/etw/etw_consumer_windows.h"

#include "core/etl/class_guids.h"
#include "core/event/code_opcodes.h"
#include "core/event/opcodes.h"
#include "core/source/etw/etw_error.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace highwater::source {
namespace {

constexpr ULONG kRealTime = 0x100, kRawTimestamp = 0x1000, kEventRecord = 0x1000'0000;
constexpr USHORT k32BitHeader = 0x20;
constexpr Guid kLostEvent{0x6A399AE0, 0x4BC6, 0x4DE9, {0x87, 0x0B, 0x36, 0x57, 0xF8, 0x94, 0x7E, 0x7E}};
/// Static, because records point to them.
constexpr std::array<Guid, 3> kCodeProviders{kClrProvider, kClrRundownProvider, kScriptProvider};
constexpr USHORT kStack32 = 5, kStack64 = 6;
constexpr UCHAR kEventLost = 32, kBufferLost = 33, kFileLost = 34;

static_assert(sizeof(EVENT_TRACE_LOGFILEW) == 448 && sizeof(EVENT_RECORD) == 112, "the layout of 64-bit Windows");

Guid guidOf(const GUID& guid) { return loadUnchecked<Guid>(reinterpret_cast<const std::byte*>(&guid)); }

/// Sets everything except the kind of the record.
etl::RawRecord recordOf(const EVENT_RECORD& event) {
    const auto& header = event.EventHeader;
    etl::RawRecord record;
    record.ticks = header.TimeStamp.QuadPart;
    record.payload = static_cast<const std::byte*>(event.UserData);
    record.payloadBytes = event.UserDataLength;
    record.pid = header.ProcessId;
    record.tid = header.ThreadId;
    record.processor = event.BufferContext.ProcessorNumber;
    record.version = header.EventDescriptor.Version;
    record.opcode = header.EventDescriptor.Opcode;
    record.pointerBytes = (header.Flags & k32BitHeader) != 0 ? 4 : 8;
    return record;
}

/// Appends an extended item in the file format (docs/etl-format.md 2.1); so far always the last one.
void appendItem(std::vector<std::byte>& items, const EVENT_HEADER_EXTENDED_DATA_ITEM& item) {
    constexpr std::size_t kHeaderBytes = 8, kStep = 8, kMostBytes = 0xFFF8;
    const auto size = (kHeaderBytes + item.DataSize + kStep - 1) / kStep * kStep;
    if (size > kMostBytes || !items.empty()) return; // only the first stack is used
    const std::array<std::uint16_t, 4> header{static_cast<std::uint16_t>(size), item.ExtType, 0, item.DataSize};
    items.resize(size);
    std::memcpy(items.data(), header.data(), kHeaderBytes);
    std::memcpy(items.data() + kHeaderBytes, reinterpret_cast<const void*>(item.DataPtr), item.DataSize);
}

/// Chooses the header type as Windows does in files: PERFINFO for records without process and thread and for stacks,
/// SYSTEM for all others.
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
        return etwError(::GetLastError(), "open the event stream of the session");
    }
    consumer->thread_ = std::thread([consumer = consumer.get()] { consumer->run(); });
    return consumer;
}

EtwConsumer::~EtwConsumer() {
    close();
    if (thread_.joinable()) thread_.join();
}

// 7007, "close pending", is the normal result while ProcessTrace runs.
void EtwConsumer::close() {
    if (handle_ != INVALID_PROCESSTRACE_HANDLE && !isClosed_.exchange(true)) (void)api_.closeTrace(handle_);
}

void EtwConsumer::run() {
    // A slow consumer loses events.
    ::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_ABOVE_NORMAL);
    // A start time would drop the rundown.
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
        if (provider == kLostEvent) return noteLoss(header.EventDescriptor.Opcode);
        return takeOfProvider(event, provider);
    }
    const bool is32Bit = (header.Flags & k32BitHeader) != 0;
    auto record = recordOf(event);
    record.group = *group;
    record.header = headerOf(record, is32Bit);
    (void)ring_.put(record);
}

/// Stores provider events in the file format, so that a recording contains them as if recorded by Windows' own tools.
void EtwConsumer::takeOfProvider(const EVENT_RECORD& event, const Guid& provider) {
    const auto* known = std::ranges::find(kCodeProviders, provider);
    if (known == std::end(kCodeProviders)) return;
    auto record = recordOf(event);
    record.kind = etl::RawRecord::Kind::Provider;
    record.provider = reinterpret_cast<const std::byte*>(known);
    record.eventId = event.EventHeader.EventDescriptor.Id;
    record.header = record.pointerBytes == 4 ? etl::HeaderType::Event32 : etl::HeaderType::Event64;
    items_.clear();
    const std::span items(event.ExtendedData, event.ExtendedDataCount);
    for (const auto& item : items) {
        if (item.ExtType == kStack32 || item.ExtType == kStack64) appendItem(items_, item);
    }
    record.extended = items_.data();
    record.extendedBytes = static_cast<std::uint32_t>(items_.size());
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
