#pragma once

#include "core/base/result.h"

#include <windows.h>
// after windows.h
#include <evntcons.h>
#include <evntrace.h>

namespace highwater::source {

/// The functions of Windows event tracing that Highwater calls. A value; any thread.
///
/// The table is filled by name from the system's DLLs, because mingw's import library names functions that the system
/// does not export from those DLLs, and the program would not start. In builds with HIGHWATER_TESTS, the environment
/// variable HIGHWATER_ETW_SIMULATOR may name a DLL that replaces all of them, with the names and signatures of Windows.
/// Recorders rely on docs/etw.md for these functions, and on the following for a simulator:
/// - times in EVENT_RECORD and in StackWalk are current raw ticks of QueryPerformanceCounter, because records are
/// merged
///   and held back by them;
/// - the records of a session are delivered to the consumer that opened it by name, from ProcessTrace, on the calling
///   thread, with class GUID, opcode, version and the 32/64-bit flag in their headers;
/// - ProcessTrace returns when its session was stopped and all its records were delivered, or soon after CloseTrace;
/// - the pids of heap and VirtualAlloc records are those named by the extension of the heap session: running processes
///   whose modules and end the recorder queries from the system.
struct EtwApi {
    decltype(&::StartTraceW) startTrace = nullptr;
    decltype(&::ControlTraceW) controlTrace = nullptr; ///< QUERY, UPDATE (pids), FLUSH, STOP
    /// TraceStackTracingInfo (3), then TraceSystemTraceEnableFlagsInfo (4) with one 64-bit word of flags.
    decltype(&::TraceSetInformation) traceSetInformation = nullptr;
    /// For the providers of runtimes; with a process filter (docs/etw.md 2.7).
    decltype(&::EnableTraceEx2) enableTraceEx2 = nullptr;
    decltype(&::QueryAllTracesW) queryAllTraces = nullptr;
    decltype(&::OpenTraceW) openTrace = nullptr;
    decltype(&::ProcessTrace) processTrace = nullptr;
    decltype(&::CloseTrace) closeTrace = nullptr;
    /// Class 31 only: SystemPerformanceTraceInformation, with 8 (heap tracing) as its first word, followed by pids.
    LONG(NTAPI* ntSetSystemInformation)(INT informationClass, PVOID information, ULONG bytes) = nullptr;
};

/// Fails if a function is missing or the simulator cannot be loaded. The DLL is never unloaded.
[[nodiscard]] Result<EtwApi> loadEtwApi();

} // namespace highwater::source
