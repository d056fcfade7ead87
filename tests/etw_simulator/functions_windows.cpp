// The exported functions: those of evntrace.h, and NtSetSystemInformation of ntdll for class 31.
#include "tests/etw_simulator/consumer_windows.h"
#include "tests/etw_simulator/requests_windows.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace highwater::etw_simulator;

namespace {

constexpr auto kNoTrace = static_cast<TRACEHANDLE>(-1);
/// Not in mingw's TRACE_INFO_CLASS, or only by name.
constexpr ULONG kStackTracingInfo = 3, kEnableFlagsInfo = 4, kMaxLoggersQuery = 19;
constexpr INT kPerformanceTraceInformation = 31;
constexpr ULONG kHeapTracingInformation = 8;
constexpr LONG kStatusInvalidParameter = static_cast<LONG>(0xC000000Du),
               kStatusUnsuccessful = static_cast<LONG>(0xC0000001u),
               kStatusInfoLengthMismatch = static_cast<LONG>(0xC0000004u);

SessionKind kindOf(const EVENT_TRACE_PROPERTIES* properties) {
    const bool isHeap = properties != nullptr && properties->Wnode.BufferSize >= sizeof(WNODE_HEADER) &&
                        IsEqualGUID(properties->Wnode.Guid, kHeapGuid);
    if (isHeap || properties == nullptr) return isHeap ? SessionKind::Heap : SessionKind::Kernel;
    return (properties->LogFileMode & EVENT_TRACE_SYSTEM_LOGGER_MODE) != 0 ? SessionKind::Kernel : SessionKind::Code;
}

/// By handle if there is one, otherwise by name.
Session* find(Machine& machine, TRACEHANDLE handle, const wchar_t* name) {
    if (handle != 0) return machine.byId(handle);
    return name == nullptr ? nullptr : machine.byName(name);
}

ULONG update(Session& session, const EVENT_TRACE_PROPERTIES& properties, const Scenario& scenario) {
    const bool changesHeap = session.isHeap() && (properties.EnableFlags & 0x80000000u) != 0;
    if (changesHeap) {
        if (!scenario.heapUpdate) return ERROR_INVALID_PARAMETER;
        auto changed = session;
        if (const auto problem = readExtension(properties, scenario, changed); problem != ERROR_SUCCESS) return problem;
        session = changed;
        return ERROR_SUCCESS;
    }
    if (properties.FlushTimer != 0) session.flushSeconds = properties.FlushTimer;
    if (properties.MaximumBuffers > session.maximumBuffers) session.maximumBuffers = properties.MaximumBuffers;
    if (session.isSystemLogger()) session.kernelFlags = properties.EnableFlags;
    return ERROR_SUCCESS;
}

void describe(const Session& session, const Scenario& scenario, const PlayedTrace& trace,
              EVENT_TRACE_LOGFILEW& logFile) {
    auto& header = logFile.LogfileHeader;
    header.BufferSize = session.bufferKilobytes * 1024;
    header.NumberOfProcessors = trace.processors();
    header.LogFileMode = session.mode;
    header.PointerSize = 4; // wrong in real time, also on 64-bit Windows (docs/etw.md 4.1)
    header.PerfFreq.QuadPart = scenario.reportsFrequency ? ticksPerSecond() : 0;
    header.StartTime.QuadPart = session.startFileTime;
    header.ReservedFlags = session.clock;
    logFile.BufferSize = session.bufferKilobytes * 1024;
}

TRACEHANDLE failOpen(ULONG error) {
    ::SetLastError(error);
    return kNoTrace;
}

} // namespace

extern "C" {

ULONG WMIAPI StartTraceW(PTRACEHANDLE handle, LPCWSTR name, PEVENT_TRACE_PROPERTIES properties) {
    const auto simulation = currentSimulation();
    if (!simulation) return ERROR_INVALID_DATA;
    if (const auto failure = simulation->failureOf("StartTraceW", kindOf(properties))) return failure;
    if (handle == nullptr) return ERROR_INVALID_PARAMETER;
    Session session;
    if (const auto problem = sessionOf(name, properties, simulation->scenario(), session)) return problem;
    if (!simulation->scenario().elevated) return ERROR_ACCESS_DENIED;
    session.owner = ::GetCurrentProcessId();
    if (IsEqualGUID(session.guid, GUID{})) session.guid.Data1 = session.owner; // ETW generates one
    const auto machine = simulation->machine();
    if (const auto problem = machine->whyNotAdd(session, simulation->scenario().mostSessions)) return problem;
    *handle = machine->add(session, simulation->scenario().begin);
    fill(*properties, *machine->byId(*handle), simulation->scenario());
    return ERROR_SUCCESS;
}

ULONG WMIAPI ControlTraceW(TRACEHANDLE handle, LPCWSTR name, PEVENT_TRACE_PROPERTIES properties, ULONG code) {
    const auto simulation = currentSimulation();
    if (!simulation) return ERROR_INVALID_DATA;
    const auto& scenario = simulation->scenario();
    if ((handle == 0 && name == nullptr) || code > EVENT_TRACE_CONTROL_FLUSH) return ERROR_INVALID_PARAMETER;
    const auto machine = simulation->machine();
    auto* session = find(*machine, handle, name);
    const auto kind = session == nullptr ? SessionKind::Any : session->kind();
    if (const auto failure = simulation->failureOf("ControlTraceW", kind)) return failure;
    if (session == nullptr) return ERROR_WMI_INSTANCE_NOT_FOUND;
    if (const auto problem = whyNotFill(properties, *session)) return problem;
    if (!scenario.elevated) return ERROR_ACCESS_DENIED;
    if (code == EVENT_TRACE_CONTROL_UPDATE) {
        if (const auto problem = update(*session, *properties, scenario)) return problem;
    }
    if (code == EVENT_TRACE_CONTROL_FLUSH) session->flushedTicks = ticksNow();
    fill(*properties, *session, scenario);
    if (code == EVENT_TRACE_CONTROL_STOP) machine->remove(*session);
    return ERROR_SUCCESS;
}

ULONG WMIAPI FlushTraceW(TRACEHANDLE handle, LPCWSTR name, PEVENT_TRACE_PROPERTIES properties) {
    return ControlTraceW(handle, name, properties, EVENT_TRACE_CONTROL_FLUSH);
}

ULONG WMIAPI QueryAllTracesW(PEVENT_TRACE_PROPERTIES* properties, ULONG places, PULONG count) {
    const auto simulation = currentSimulation();
    if (!simulation) return ERROR_INVALID_DATA;
    if (const auto failure = simulation->failureOf("QueryAllTracesW", SessionKind::Any)) return failure;
    if (properties == nullptr || places == 0 || places > 256 || count == nullptr) return ERROR_INVALID_PARAMETER;
    const auto machine = simulation->machine();
    ULONG filled = 0;
    *count = 0;
    for (const auto& session : machine->sessions) {
        if (!session.exists()) continue;
        ++*count;
        if (filled == places) continue;
        if (const auto problem = whyNotFill(properties[filled], session)) return problem;
        fill(*properties[filled++], session, simulation->scenario());
    }
    return *count > places ? ERROR_MORE_DATA : ERROR_SUCCESS;
}

ULONG WMIAPI TraceSetInformation(TRACEHANDLE handle, TRACE_INFO_CLASS what, PVOID information, ULONG bytes) {
    const auto simulation = currentSimulation();
    if (!simulation) return ERROR_INVALID_DATA;
    const auto machine = simulation->machine();
    auto* session = machine->byId(handle);
    const auto kind = session == nullptr ? SessionKind::Any : session->kind();
    if (const auto failure = simulation->failureOf("TraceSetInformation", kind)) return failure;
    if (session == nullptr) return ERROR_INVALID_PARAMETER;
    switch (static_cast<ULONG>(what)) {
    case kStackTracingInfo: {
        // For the heap session only the extension is known to work (docs/etw.md 8).
        if (session->isHeap()) return ERROR_SUCCESS;
        auto changed = *session;
        const auto problem = readStackEvents(information, bytes, changed);
        if (problem == ERROR_SUCCESS) *session = changed;
        return problem;
    }
    case kEnableFlagsInfo:
        if (information == nullptr || bytes < sizeof(ULONG64)) return ERROR_BAD_LENGTH;
        if (!session->isSystemLogger()) return ERROR_INVALID_PARAMETER;
        std::memcpy(&session->kernelFlags, information, sizeof(ULONG64));
        return ERROR_SUCCESS;
    default:
        return ERROR_NOT_SUPPORTED;
    }
}

ULONG WMIAPI TraceQueryInformation(TRACEHANDLE, TRACE_INFO_CLASS what, PVOID information, ULONG bytes, PULONG written) {
    const auto simulation = currentSimulation();
    if (!simulation) return ERROR_INVALID_DATA;
    if (static_cast<ULONG>(what) != kMaxLoggersQuery) return ERROR_NOT_SUPPORTED; // armed stacks cannot be queried
    const ULONG most = simulation->scenario().mostSessions;
    if (information == nullptr || bytes < sizeof(most)) return ERROR_BAD_LENGTH;
    std::memcpy(information, &most, sizeof(most));
    if (written != nullptr) *written = sizeof(most);
    return ERROR_SUCCESS;
}

ULONG WMIAPI EnableTraceEx2(TRACEHANDLE handle, LPCGUID provider, ULONG code, UCHAR, ULONGLONG keywords, ULONGLONG,
                            ULONG, PENABLE_TRACE_PARAMETERS parameters) {
    const auto simulation = currentSimulation();
    if (!simulation) return ERROR_INVALID_DATA;
    if (const auto failure = simulation->failureOf("EnableTraceEx2", SessionKind::Code)) return failure;
    const auto machine = simulation->machine();
    auto* session = machine->byId(handle);
    if (provider == nullptr || session == nullptr) return ERROR_INVALID_PARAMETER;
    return changeProvider(*provider, code, keywords, parameters, *session);
}

TRACEHANDLE WMIAPI OpenTraceW(PEVENT_TRACE_LOGFILEW logFile) {
    const auto simulation = currentSimulation();
    if (!simulation) return failOpen(ERROR_INVALID_DATA);
    const auto mode = PROCESS_TRACE_MODE_REAL_TIME | PROCESS_TRACE_MODE_EVENT_RECORD;
    if (logFile == nullptr || logFile->LoggerName == nullptr || logFile->EventRecordCallback == nullptr ||
        (logFile->ProcessTraceMode & mode) != mode) {
        return failOpen(ERROR_INVALID_PARAMETER);
    }
    Session session;
    {
        const auto machine = simulation->machine();
        const auto* found = machine->byName(logFile->LoggerName);
        if (found != nullptr) session = *found;
    }
    const auto kind = session.exists() ? session.kind() : SessionKind::Any;
    if (const auto failure = simulation->failureOf("OpenTraceW", kind)) return failOpen(failure);
    if (!session.exists() || !session.isRealTime()) return failOpen(ERROR_WMI_INSTANCE_NOT_FOUND);
    if (!simulation->scenario().elevated) return failOpen(ERROR_ACCESS_DENIED);
    try {
        describe(session, simulation->scenario(), *simulation->trace(), *logFile);
        return simulation->add(std::make_shared<Consumer>(simulation, session, *logFile));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ETW simulator: %s\n", error.what());
        return failOpen(ERROR_INVALID_DATA);
    }
}

ULONG WMIAPI ProcessTrace(PTRACEHANDLE handles, ULONG count, LPFILETIME start, LPFILETIME) {
    const auto simulation = currentSimulation();
    if (!simulation) return ERROR_INVALID_DATA;
    if (handles == nullptr || count == 0 || count > 64) return ERROR_INVALID_PARAMETER;
    if (count > 1) return ERROR_WMI_ALREADY_ENABLED; // one session in real time each (docs/etw.md 4.1)
    const auto consumer = simulation->consumer(*handles);
    if (!consumer) return ERROR_INVALID_HANDLE;
    if (const auto failure = simulation->failureOf("ProcessTrace", consumer->kind())) return failure;
    return consumer->process(start != nullptr);
}

ULONG WMIAPI CloseTrace(TRACEHANDLE handle) {
    const auto simulation = currentSimulation();
    if (!simulation) return ERROR_INVALID_DATA;
    const auto consumer = simulation->consumer(handle);
    if (!consumer) return ERROR_INVALID_HANDLE;
    simulation->remove(handle);
    return consumer->close();
}

/// {8, pids}: the processes of the heap session (docs/etw.md 2.3).
LONG NTAPI NtSetSystemInformation(INT what, PVOID information, ULONG bytes) {
    const auto simulation = currentSimulation();
    if (!simulation) return kStatusUnsuccessful;
    if (const auto failure = simulation->failureOf("NtSetSystemInformation", SessionKind::Heap)) {
        return static_cast<LONG>(failure);
    }
    if (what != kPerformanceTraceInformation || information == nullptr) return kStatusInvalidParameter;
    const auto words = bytes / sizeof(ULONG);
    if (bytes % sizeof(ULONG) != 0 || words < 2 || words - 1 > kMostPids) return kStatusInfoLengthMismatch;
    const std::span all(static_cast<const ULONG*>(information), words);
    const auto machine = simulation->machine();
    auto* session = machine->byGuid(kHeapGuid);
    if (all[0] != kHeapTracingInformation || session == nullptr) return kStatusInvalidParameter;
    std::ranges::copy(all.subspan(1), session->pids.begin());
    session->pidCount = static_cast<std::uint32_t>(words - 1);
    return 0;
}

} // extern "C"
