#include "core/source/contract/snapshot_recording.h"

#include "core/log/log_settings.h"
#include "core/source/etw/windows_handle_windows.h"
#include "core/source/systems/wpr_journal_place_windows.h"
#include "core/source/wpr/wpr_runner_windows.h"
#include "core/source/wpr/wpr_snapshots.h"

#include <array>

namespace highwater::source {
namespace {

std::optional<std::string> variable(const std::string& name) {
    std::array<wchar_t, 32768> value{};
    const auto length = ::GetEnvironmentVariableW(wideOf(name).c_str(), value.data(), static_cast<DWORD>(value.size()));
    if (length == 0 || length >= value.size()) return std::nullopt;
    return utf8Of(std::wstring_view(value.data(), length));
}

} // namespace

WprJournal wprJournalOfUser() { return WprJournal(logFolder(variable) / "wpr-snapshots.txt"); }

Result<std::unique_ptr<SnapshotRecording>> startSnapshotRecording(const SnapshotPlan& plan) {
    static SystemWprRunner runner;
    return WprSnapshots::start(runner, wprJournalOfUser(), ::GetCurrentProcessId(), plan);
}

} // namespace highwater::source
