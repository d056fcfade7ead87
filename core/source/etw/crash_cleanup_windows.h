#pragma once

#include "core/source/etw/etw_api_windows.h"

#include <string>

/// Stops sessions and restores the heap tracing flag of a program if this program crashes, exits without unwinding, or
/// loses its console. (After a kill, cleanUpCaptureLeftovers() does it at the next start.) Any thread.
namespace highwater::source::crash_cleanup {

void add(const EtwApi& api, const std::wstring& session);
void remove(const std::wstring& session);
/// Sets the function that restores our heap tracing flag; null: no flag is set.
void setRestorer(void (*restoreFlags)());

} // namespace highwater::source::crash_cleanup
