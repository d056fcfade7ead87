#pragma once

#include "core/source/etw/etw_api_windows.h"

#include <string>

/// What must not outlive this program: sessions are stopped, and the flag of a program is restored, if it crashes,
/// leaves without unwinding, or its console is closed. (If it is killed, the next start does it:
/// cleanUpCaptureLeftovers.) Any thread.
namespace highwater::source::crash_cleanup {

void add(const EtwApi& api, const std::wstring& session);
void remove(const std::wstring& session);
/// What takes our heap tracing flag back, as long as there is one; null: there is none.
void setRestorer(void (*restoreFlags)());

} // namespace highwater::source::crash_cleanup
