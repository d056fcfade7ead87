#pragma once

#include "tests/etw_simulator/sessions_windows.h"

#include <optional>

namespace highwater::etw_simulator {

/// Checks of arguments according to docs/etw.md 1.2, 1.4, 1.6 and 2.2. Stateless.

/// Why StartTraceW refuses this: 24, 87, 123, 161. 0: `session` is the requested one, without id and owner.
[[nodiscard]] ULONG sessionOf(const wchar_t* name, const EVENT_TRACE_PROPERTIES* properties, const Scenario& scenario,
                              Session& session);

/// Reads the extension of the heap session (docs/etw.md 2.2) into pids and stack events. 0, or 87.
[[nodiscard]] ULONG readExtension(const EVENT_TRACE_PROPERTIES& properties, const Scenario& scenario, Session& session);

/// Why ControlTraceW or QueryAllTracesW cannot write into this: 24, 87, 234.
[[nodiscard]] ULONG whyNotFill(const EVENT_TRACE_PROPERTIES* properties, const Session& session);
/// Writes the session's properties, names included, as ControlTraceW does.
void fill(EVENT_TRACE_PROPERTIES& properties, const Session& session, const Scenario& scenario);

/// Applies a request of EnableTraceEx2 to the session's providers. 0, 24, 87, 1450.
[[nodiscard]] ULONG changeProvider(const GUID& provider, ULONG code, ULONGLONG keywords,
                                   const ENABLE_TRACE_PARAMETERS* parameters, Session& session);

/// TraceStackTracingInfo: 0, 24, 87.
[[nodiscard]] ULONG readStackEvents(const void* information, ULONG bytes, Session& session);

} // namespace highwater::etw_simulator
