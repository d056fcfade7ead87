#include "core/source/contract/capture.h"

#include "core/source/etw/etw_session_windows.h"
#include "core/source/etw/heap_tracing_flag_windows.h"
#include "core/source/etw/realtime_etw_source_windows.h"
#include "core/source/etw/windows_handle_windows.h"
#include "core/source/systems/capture_log.h"
#include "core/source/systems/launch_folder.h"
#include "core/source/systems/wpr_journal_place_windows.h"
#include "core/source/wpr/wpr_runner_windows.h"
#include "core/source/wpr/wpr_snapshots.h"

#include <fmt/format.h>

namespace highwater::source {
namespace {

Result<std::unique_ptr<RecordSource>> asSource(Result<std::unique_ptr<RealtimeEtwSource>> started) {
    auto source = TRY(std::move(started));
    return std::unique_ptr<RecordSource>(std::move(source));
}

} // namespace

/// Does not look up programs without a folder, because Windows does that when it starts them.
Result<void> checkLaunch(const CaptureLaunch& launch) {
    TRY(checkFolder(launch));
    const std::filesystem::path program(wideOf(launch.program));
    std::error_code failure;
    if (program.is_absolute() && std::filesystem::is_directory(program, failure))
        return Error{ErrorKind::Unsupported, fmt::format("{} is a folder.", launch.program)};
    return {};
}

Result<std::unique_ptr<RecordSource>> startCapture(const CaptureLaunch& launch, const CaptureOptions& options) {
    if (options.waitsAtExit)
        return Error{ErrorKind::Unsupported, "Pictures of memory at the end of a program are possible on Linux only."};
    logLaunch(launch, options);
    const auto api = TRY(loadEtwApi());
    return asSource(RealtimeEtwSource::launch(api, launch, options));
}

Result<std::unique_ptr<RecordSource>> startCapture(std::uint32_t pid, const CaptureOptions& options) {
    logAttach(pid, options);
    const auto api = TRY(loadEtwApi());
    return asSource(RealtimeEtwSource::attach(api, pid, options));
}

std::vector<std::string> cleanUpCaptureLeftovers() {
    std::vector<std::string> sentences;
    if (const auto api = loadEtwApi(); api.hasValue()) {
        for (const auto& session : stopOrphanedSessions(api.value()))
            sentences.push_back(
                fmt::format("The session \"{}\" of an interrupted recording was stopped.", utf8Of(session)));
    }
    for (const auto& program : restoreHeapTracingFlags(FlagOwner::NobodyAlive)) {
        sentences.push_back(fmt::format("{} was still flagged for heap tracing by an interrupted recording; the flag "
                                        "was restored.",
                                        utf8Of(program)));
    }
    SystemWprRunner wpr;
    auto journal = wprJournalOfUser();
    for (auto& sentence : takeBackLeftovers(wpr, journal, isHighwaterRunning))
        sentences.push_back(std::move(sentence));
    return loggedCleanUp(std::move(sentences));
}

} // namespace highwater::source
