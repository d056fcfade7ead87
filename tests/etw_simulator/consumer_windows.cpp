#include "tests/etw_simulator/consumer_windows.h"

#include "core/event/code_opcodes.h"
#include "core/event/opcodes.h"

#include <tlhelp32.h>

#include <algorithm>
#include <cstring>

namespace highwater::etw_simulator {
namespace {

constexpr DWORD kPollMs = 2;
constexpr std::size_t kRecordHeaderBytes = 48; ///< approximate size of a record in a buffer, without its payload

constexpr GUID kLostEventClass{0x6A399AE0, 0x4BC6, 0x4DE9, {0x87, 0x0B, 0x36, 0x57, 0xF8, 0x94, 0x7E, 0x7E}};
constexpr std::uint8_t kLostEvent = 32, kLostBuffer = 33;

/// EnableFlags of system loggers (docs/etw.md 1.2).
constexpr std::uint64_t kProcessFlag = 0x1, kThreadFlag = 0x2, kImageFlag = 0x4, kVirtualAllocFlag = 0x4000,
                        kVamapFlag = 0x8000, kNoSysConfigFlag = 0x10000000;
constexpr std::uint8_t kSystemConfigGroup = 0x0B;

GUID windowsGuid(const Guid& guid) {
    GUID copy;
    std::memcpy(&copy, &guid, sizeof(copy));
    return copy;
}

/// The flag that a program's processes inherit when they start (docs/etw.md 2.5).
bool hasHeapTracingFlag(const std::string& program) {
    const auto key = L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options\\" +
                     std::filesystem::path(std::u8string(program.begin(), program.end())).wstring();
    DWORD flags = 0;
    DWORD bytes = sizeof(flags);
    const auto error = ::RegGetValueW(HKEY_LOCAL_MACHINE, key.c_str(), L"TracingFlags",
                                      RRF_RT_REG_DWORD | RRF_SUBKEY_WOW6464KEY, nullptr, &flags, &bytes);
    return error == ERROR_SUCCESS && (flags & 1) != 0;
}

/// The process that this one started last; 0: none.
std::uint32_t newestChildOf(std::uint32_t parent) {
    const HANDLE snapshot = ::CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
    if (snapshot == INVALID_HANDLE_VALUE) return 0;
    PROCESSENTRY32W entry{};
    entry.dwSize = sizeof(entry);
    std::uint32_t newest = 0;
    for (auto more = ::Process32FirstW(snapshot, &entry); more; more = ::Process32NextW(snapshot, &entry)) {
        if (entry.th32ParentProcessID == parent) newest = std::max<std::uint32_t>(newest, entry.th32ProcessID);
    }
    ::CloseHandle(snapshot);
    return newest;
}

std::size_t bytesOf(const PlayedRecord* record) {
    return kRecordHeaderBytes + (record == nullptr ? 0 : record->payload.size());
}

// Keywords of the CLR's providers (docs/etw.md 2.7).
constexpr std::uint64_t kGcKeyword = 0x1, kLoaderKeyword = 0x8, kMethodKeywords = 0x30, kStartRundownKeyword = 0x40,
                        kEndRundownKeyword = 0x100, kIlMapKeyword = 0x20000;

/// The keyword that enables a record of the CLR; 0: it is always logged.
std::uint64_t keywordsOf(const PlayedRecord& record, bool ofRundown) {
    using namespace highwater;
    const auto id = record.eventId;
    if (id >= clr_event::kMethodLoad && id <= clr_event::kMethodUnloadVerbose) return kMethodKeywords;
    if (id >= clr_event::kDomainModuleLoad && id <= 158) return kLoaderKeyword;
    if (id == clr_event::kIlMap ||
        (ofRundown && id >= clr_rundown_event::kIlMapStart && id <= clr_rundown_event::kIlMapEnd))
        return kIlMapKeyword;
    if (!ofRundown && id <= clr_event::kAllocationTick) return kGcKeyword;
    return 0;
}

/// Whether it describes the state at the end, not at the start.
bool isOfEnd(const PlayedRecord& record) {
    using namespace highwater;
    switch (record.eventId) {
    case clr_rundown_event::kMethodStart:
    case clr_rundown_event::kMethodStartVerbose:
    case clr_rundown_event::kIlMapStart:
    case clr_rundown_event::kDomainModuleStart:
    case clr_rundown_event::kModuleStart:
        return false;
    default:
        return true;
    }
}

bool isRundown(const PlayedRecord& record, std::uint8_t opcode, std::uint8_t memoryOpcode) {
    switch (record.group) {
    case group::kProcess:
    case group::kThread:
    case group::kImage:
        return record.opcode == opcode;
    case group::kMemory:
        return record.opcode == memoryOpcode;
    default:
        return false;
    }
}

} // namespace

Consumer::Consumer(std::shared_ptr<Simulation> simulation, const Session& session, const EVENT_TRACE_LOGFILEW& logFile)
    : simulation_(std::move(simulation)),
      trace_(simulation_->trace()),
      scenario_(simulation_->scenario()),
      session_(session),
      logFile_(logFile),
      flushedAt_(ticksNow()) {
    payload_.reserve(65536); // never moves: a dangling pointer into it reads nonsense, not other memory
}

ULONG Consumer::close() {
    isClosing_ = true;
    return isProcessing_ ? ERROR_CTX_CLOSE_PENDING : ERROR_SUCCESS;
}

ULONG Consumer::process(bool hasStartTime) {
    hasStartTime_ = hasStartTime;
    isProcessing_ = true;
    auto result = ERROR_SUCCESS;
    while (!isClosing_) {
        if (!refresh()) {
            result = static_cast<decltype(result)>(drain());
            break;
        }
        const auto now = ticksNow();
        arriveUntil(now);
        arriveCodeRundowns();
        if (isFlushDue(now) && !deliverAll()) {
            result = ERROR_CANCELLED;
            break;
        }
        ::Sleep(kPollMs);
    }
    isProcessing_ = false;
    return static_cast<ULONG>(result);
}

/// Reads the current state of the session, and stores the losses in it. Returns false if it has ended.
bool Consumer::refresh() {
    const auto machine = simulation_->machine();
    auto* session = machine->byId(session_.id);
    if (session != nullptr) {
        session->lost = lost_;
        session->buffersWritten = logFile_.BuffersRead;
        session_ = *session;
        if (scenario_.begin == Begin::Child && machine->playedSince == 0 && newestChildOf(session_.owner) != 0) {
            machine->playedSince = ticksNow();
        }
    }
    // On a busy machine this may be the first turn of this thread, with the session already stopped.
    if (session != nullptr || playedSince_ == 0) playedSince_ = machine->playedSince;
    if (scenario_.target != 0 && target_ == 0 && playedSince_ != 0) {
        target_ = machine->heapTarget != 0 ? machine->heapTarget : newestChildOf(session_.owner);
    }
    return session != nullptr;
}

/// The session was stopped: its records are delivered, with the rundown that a system logger makes at its end.
ULONG Consumer::drain() {
    arriveUntil(ticksNow());
    arriveRundownEnd();
    if (!deliverAll()) return ERROR_CANCELLED;
    const auto until = ticksNow() + scenario_.drainMs * ticksPerSecond() / 1000;
    while (!isClosing_ && ticksNow() < until)
        ::Sleep(kPollMs);
    return wasStoppedByOthers_ ? static_cast<ULONG>(scenario_.stoppedResult) : ERROR_SUCCESS;
}

void Consumer::arriveUntil(std::int64_t now) {
    if (playedSince_ == 0 || wasStoppedByOthers_) return;
    const auto& records = trace_->records();
    while (nextRecord_ < records.size() && clockOf(records[nextRecord_].ticks) <= now) {
        const auto& record = records[nextRecord_++];
        const auto ticks = clockOf(record.ticks);
        doIncidents(ticks);
        if (wasStoppedByOthers_) return;
        noticeProgram(record);
        if (wants(record)) arrive(record, ticks);
    }
    doIncidents(now);
}

void Consumer::arrive(const PlayedRecord& record, std::int64_t ticks) {
    const auto bytes = bytesOf(&record);
    if (eventsToLose_ > 0) {
        --eventsToLose_;
        return;
    }
    if (isLost(bytes)) {
        // One record reports consecutive losses.
        lose(1, 0, isOverflowing_ ? std::uint8_t{0} : kLostEvent, ticks);
        isOverflowing_ = true;
        return;
    }
    isOverflowing_ = false;
    arrivedBytes_ += bytes;
    arrivals_.push_back({&record, ticks});
}

/// The rundown of processes and images that live when the session ends. The trace reports them at its own end; here
/// they come early.
void Consumer::arriveRundownEnd() {
    const auto now = ticksNow();
    const auto& records = trace_->records();
    for (; nextRecord_ < records.size() && playedSince_ != 0; ++nextRecord_) {
        const auto& record = records[nextRecord_];
        if (!isRundown(record, lifetime_opcode::kRundownEnd, virtual_opcode::kRundownEnd) || !wants(record)) continue;
        arrivedBytes_ += bytesOf(&record);
        arrivals_.push_back({&record, now});
    }
}

void Consumer::doIncidents(std::int64_t until) {
    const auto& incidents = scenario_.incidents;
    while (nextIncident_ < incidents.size() && clockOf(trace_->ticksAt(incidents[nextIncident_].seconds)) <= until) {
        const auto& incident = incidents[nextIncident_++];
        if (incident.kind == SessionKind::Any || incident.kind == session_.kind()) doIncident(incident);
    }
}

void Consumer::doIncident(const Incident& incident) {
    switch (incident.what) {
    case Incident::What::LoseEvents:
        eventsToLose_ += incident.count;
        for (std::uint32_t i = 0; i < incident.count; ++i)
            lose(1, 0, kLostEvent, ticksNow());
        return;
    case Incident::What::LoseBuffers:
        eventsToLose_ += incident.count * kLostBufferRecords;
        for (std::uint32_t i = 0; i < incident.count; ++i)
            lose(kLostBufferRecords, 1, kLostBuffer, ticksNow());
        return;
    case Incident::What::StopByOthers: {
        const auto machine = simulation_->machine();
        if (auto* session = machine->byId(session_.id)) machine->remove(*session);
        wasStoppedByOthers_ = true;
        return;
    }
    case Incident::What::Crash: {
        volatile int* volatile nowhere = nullptr;
        *nowhere = 1;
        return;
    }
    case Incident::What::Kill:
        ::TerminateProcess(::GetCurrentProcess(), 1);
        return;
    }
}

bool Consumer::wants(const PlayedRecord& record) const {
    if (record.isOfProvider) return wantsOfProvider(record);
    if (record.group == group::kEventTrace) return true;
    if (record.group == group::kStackWalk && !isArmed(record.eventGroup, record.eventOpcode)) return false;
    return session_.isHeap() ? wantsOfHeap(record) : session_.isSystemLogger() && wantsOfKernel(record);
}

bool Consumer::wantsOfKernel(const PlayedRecord& record) const {
    // A start time drops the rundown at the start of the session (krabsetw #178).
    if (hasStartTime_ && isRundown(record, lifetime_opcode::kRundownStart, virtual_opcode::kRundownStart)) return false;
    const auto group = record.group == group::kStackWalk ? record.eventGroup : record.group;
    const auto opcode = record.group == group::kStackWalk ? record.eventOpcode : record.opcode;
    std::uint64_t flag = 0;
    switch (group) {
    case group::kProcess:
        flag = opcode == image_opcode::kLoad ? kImageFlag : kProcessFlag;
        break;
    case group::kThread:
        flag = kThreadFlag;
        break;
    case group::kImage:
        flag = kImageFlag;
        break;
    case group::kMemory: {
        const bool isRundownRecord = opcode == virtual_opcode::kRundownStart || opcode == virtual_opcode::kRundownEnd;
        flag = isRundownRecord ? kVamapFlag : kVirtualAllocFlag;
        break;
    }
    case kSystemConfigGroup:
        return (session_.kernelFlags & kNoSysConfigFlag) == 0;
    default:
        return false;
    }
    return (session_.kernelFlags & flag) != 0;
}

bool Consumer::wantsOfHeap(const PlayedRecord& record) const {
    const auto group = record.group == group::kStackWalk ? record.eventGroup : record.group;
    if (group != group::kHeap) return false;
    const auto* end = session_.pids.data() + session_.pidCount;
    return std::find(session_.pids.data(), end, realPid(record.ofProcess)) != end ||
           flaggedProcesses_.contains(record.ofProcess);
}

bool Consumer::isOfProcess(const EnabledProvider& provider, const PlayedRecord& record) const {
    const auto* end = provider.pids.data() + provider.pidCount;
    return provider.pidCount == 0 || std::find(provider.pids.data(), end, realPid(record.ofProcess)) != end;
}

/// Events; a rundown comes on request.
bool Consumer::wantsOfProvider(const PlayedRecord& record) const {
    if (record.eventClass == highwater::kClrRundownProvider) return false;
    return std::ranges::any_of(session_.providers, [&](const EnabledProvider& provider) {
        const auto keywords = record.eventClass == highwater::kClrProvider ? keywordsOf(record, false) : 0;
        return provider.enabled > 0 && IsEqualGUID(provider.guid, windowsGuid(record.eventClass)) &&
               (keywords == 0 || (provider.keywords & keywords) != 0) && isOfProcess(provider, record);
    });
}

/// All at once, with the current time, as soon as the provider is enabled with the keyword.
void Consumer::arriveCodeRundowns() {
    if (playedSince_ == 0 || !scenario_.codeRundown) return;
    const auto now = ticksNow();
    for (const auto& provider : session_.providers) {
        if (provider.enabled <= codeRundowns_ ||
            !IsEqualGUID(provider.guid, windowsGuid(highwater::kClrRundownProvider)))
            continue;
        codeRundowns_ = provider.enabled;
        for (const auto& record : trace_->records()) {
            if (!record.isOfProvider || record.eventClass != highwater::kClrRundownProvider) continue;
            const auto wanted = isOfEnd(record) ? kEndRundownKeyword : kStartRundownKeyword;
            const auto keywords = keywordsOf(record, true);
            const bool isLast = record.eventId == highwater::clr_rundown_event::kComplete;
            if ((provider.keywords & wanted) == 0 || (keywords != 0 && (provider.keywords & keywords) == 0)) continue;
            if (!isOfProcess(provider, record) || (isLast && !scenario_.codeRundownEnds)) continue;
            arrivedBytes_ += bytesOf(&record);
            arrivals_.push_back({&record, now});
        }
    }
}

bool Consumer::isArmed(std::uint8_t group, std::uint8_t opcode) const {
    const auto* end = session_.stackEvents.data() + session_.stackEventCount;
    return std::any_of(session_.stackEvents.data(), end, [group, opcode](const StackEvent& event) {
        return event.group == group && event.opcode == opcode;
    });
}

void Consumer::noticeProgram(const PlayedRecord& record) {
    if (!session_.isHeap() || record.startedProgram.empty()) return;
    if (hasHeapTracingFlag(record.startedProgram)) flaggedProcesses_.insert(record.ofProcess);
}

/// Whether all buffers are full. At full speed the trace waits for its consumer.
bool Consumer::isLost(std::size_t bytes) {
    const auto room = std::size_t{session_.maximumBuffers} * session_.bufferKilobytes * 1024;
    return scenario_.speed > 0 && arrivedBytes_ + bytes > room;
}

/// opcode: of the record that reports it; 0: none does.
void Consumer::lose(std::uint32_t events, std::uint32_t buffers, std::uint8_t opcode, std::int64_t ticks) {
    lost_.events += events;
    lost_.buffers += buffers;
    if (opcode == 0 || !scenario_.lossInRecords) return;
    arrivedBytes_ += bytesOf(nullptr);
    arrivals_.push_back({nullptr, ticks, opcode});
}

bool Consumer::isFlushDue(std::int64_t now) const {
    if (scenario_.speed == 0 || session_.flushedTicks > flushedAt_) return true;
    const bool isFull = arrivedBytes_ >= std::size_t{session_.bufferKilobytes} * 1024;
    return isFull || now - flushedAt_ >= session_.flushSeconds * ticksPerSecond();
}

/// False: the buffer callback ended the processing.
bool Consumer::deliverAll() {
    flushedAt_ = ticksNow();
    while (!arrivals_.empty() && !isClosing_) {
        if (!deliverBuffer()) return false;
        if (refresh()) arriveUntil(ticksNow()); // meanwhile there was time for more
    }
    return true;
}

bool Consumer::deliverBuffer() {
    const auto most = std::size_t{session_.bufferKilobytes} * 1024;
    std::size_t bytes = 0;
    while (!arrivals_.empty() && bytes < most) {
        const auto arrival = arrivals_.front();
        arrivals_.pop_front();
        bytes += bytesOf(arrival.record);
        deliver(arrival);
    }
    arrivedBytes_ -= bytes;
    ++logFile_.BuffersRead;
    logFile_.BufferSize = session_.bufferKilobytes * 1024;
    logFile_.Filled = static_cast<ULONG>(std::min(bytes, most));
    logFile_.EventsLost = scenario_.lossInCallback ? lost_.events : 0;
    return logFile_.BufferCallback == nullptr || logFile_.BufferCallback(&logFile_) != FALSE;
}

void Consumer::deliver(const Arrival& arrival) {
    EVENT_RECORD event{};
    event.EventHeader.Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER | EVENT_HEADER_FLAG_64_BIT_HEADER;
    event.EventHeader.TimeStamp.QuadPart = timeStampOf(arrival.ticks);
    event.EventHeader.ProviderId = kLostEventClass;
    event.EventHeader.EventDescriptor.Opcode = arrival.lostOpcode;
    event.EventHeader.ThreadId = event.EventHeader.ProcessId = etl::kNoId;
    event.BufferContext.LoggerId = static_cast<USHORT>(session_.id);
    event.UserContext = logFile_.Context;
    payload_.clear();
    if (const auto* record = arrival.record) {
        adjustPayload(*record);
        if (record->pointerBytes == 4) {
            event.EventHeader.Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER | EVENT_HEADER_FLAG_32_BIT_HEADER;
        }
        if (record->isOfProvider) event.EventHeader.Flags &= static_cast<USHORT>(~EVENT_HEADER_FLAG_CLASSIC_HEADER);
        event.EventHeader.EventDescriptor.Id = record->eventId;
        event.EventHeader.ProviderId = windowsGuid(record->eventClass);
        event.EventHeader.EventDescriptor.Opcode = record->opcode;
        event.EventHeader.EventDescriptor.Version = static_cast<UCHAR>(record->version);
        event.EventHeader.ProcessId = realPid(record->pid);
        event.EventHeader.ThreadId = record->tid;
        event.BufferContext.ProcessorNumber = static_cast<UCHAR>(record->processor);
        event.UserData = payload_.data();
        event.UserDataLength = static_cast<USHORT>(payload_.size());
    }
    event.EventHeader.Size = static_cast<USHORT>(sizeof(EVENT_HEADER) + payload_.size());
    logFile_.EventRecordCallback(&event);
    // After the callback has returned, the memory of a record belongs to ETW again.
    std::ranges::fill(payload_, std::byte{0xDD});
}

/// The payload as a recorder sees it: with current times and the pid of the real process.
void Consumer::adjustPayload(const PlayedRecord& record) {
    payload_ = record.payload;
    if (record.isOfProvider) return;
    if (record.group == group::kStackWalk && payload_.size() >= 8) {
        std::int64_t eventTicks = 0;
        std::memcpy(&eventTicks, payload_.data(), sizeof(eventTicks));
        eventTicks = clockOf(eventTicks);
        std::memcpy(payload_.data(), &eventTicks, sizeof(eventTicks));
    }
    const auto putPid = [this](std::size_t offset, std::uint32_t pid) {
        pid = realPid(pid);
        if (offset + sizeof(pid) <= payload_.size()) std::memcpy(payload_.data() + offset, &pid, sizeof(pid));
    };
    if (record.pidOffset) putPid(*record.pidOffset, record.ofProcess);
    if (record.parent != etl::kNoId) putPid(parentOffsetOf(record), record.parent);
}

/// A process that has the real process's number in the trace gets the number of the played one.
std::uint32_t Consumer::realPid(std::uint32_t pid) const {
    if (scenario_.target == 0 || target_ == 0) return pid;
    if (pid == scenario_.target) return target_;
    return pid == target_ ? scenario_.target : pid;
}

/// Ticks of the performance counter at which a record of the trace happens.
std::int64_t Consumer::clockOf(std::int64_t playedTicks) const {
    const auto frequency = ticksPerSecond();
    if (frequency == kPlayedTicksPerSecond) return playedSince_ + playedTicks;
    const auto scale = static_cast<double>(frequency) / static_cast<double>(kPlayedTicksPerSecond);
    return playedSince_ + static_cast<std::int64_t>(static_cast<double>(playedTicks) * scale);
}

/// As the consumer requested: raw, or as FILETIME.
std::int64_t Consumer::timeStampOf(std::int64_t ticks) const {
    if ((logFile_.ProcessTraceMode & PROCESS_TRACE_MODE_RAW_TIMESTAMP) != 0) return ticks;
    const auto since = static_cast<double>(ticks - session_.startTicks) / static_cast<double>(ticksPerSecond());
    return session_.startFileTime + static_cast<std::int64_t>(since * 1e7);
}

} // namespace highwater::etw_simulator
