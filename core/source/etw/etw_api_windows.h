#pragma once

#include "core/base/result.h"

#include <windows.h>
// after windows.h
#include <evntcons.h>
#include <evntrace.h>

namespace highwater::source {

/// The one way from here to Windows' event tracing: what is called, and nothing else. A value; any thread.
///
/// The table is filled from the system's DLLs by name (mingw's import library names functions that the system does not
/// export where it says, and the program would not start). In builds with HIGHWATER_TESTS, the environment variable
/// HIGHWATER_ETW_SIMULATOR may name a DLL that has them all instead, under the names and with the signatures that
/// Windows gives them. Recorders count on what docs/etw.md says of these functions, and on this of a simulator:
/// - times in EVENT_RECORD and in StackWalk are raw ticks of QueryPerformanceCounter, and those of now: records are
///   merged and held back by them;
/// - a session's records come to who opened it by its name, from ProcessTrace, on the calling thread, with class GUID,
///   opcode, version and the 32/64-bit flag in their headers;
/// - ProcessTrace returns when its session was stopped and all its records were delivered, or soon after CloseTrace;
/// - the pids of heap and VirtualAlloc records are those which the heap session's extension names: processes that
/// really
///   run, and whose modules and end the recorder asks the system for.
struct EtwApi {
    decltype(&::StartTraceW) startTrace = nullptr;
    decltype(&::ControlTraceW) controlTrace = nullptr; ///< QUERY, UPDATE (pids), FLUSH, STOP
    /// TraceStackTracingInfo (3), then TraceSystemTraceEnableFlagsInfo (4) with one 64-bit word of flags.
    decltype(&::TraceSetInformation) traceSetInformation = nullptr;
    /// Of providers that runtimes have; with a filter of processes (docs/etw.md 2.7).
    decltype(&::EnableTraceEx2) enableTraceEx2 = nullptr;
    decltype(&::QueryAllTracesW) queryAllTraces = nullptr;
    decltype(&::OpenTraceW) openTrace = nullptr;
    decltype(&::ProcessTrace) processTrace = nullptr;
    decltype(&::CloseTrace) closeTrace = nullptr;
    /// Class 31 only: SystemPerformanceTraceInformation, with 8 (heap tracing) as its first word, then pids.
    LONG(NTAPI* ntSetSystemInformation)(INT informationClass, PVOID information, ULONG bytes) = nullptr;
};

/// Error: a function is missing, or the simulator cannot be loaded. Once loaded, the DLL stays.
[[nodiscard]] Result<EtwApi> loadEtwApi();

} // namespace highwater::source
