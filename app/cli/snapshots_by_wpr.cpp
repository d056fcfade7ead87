#include "app/cli/snapshots_by_wpr.h"

#include "app/cli/traces/loaded_trace.h"
#include "core/base/text.h"
#include "core/files/output_file.h"
#include "core/source/contract/capture.h"
#include "core/source/contract/snapshot_recording.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

namespace highwater::cli {
namespace {

Result<void> checkForWpr(const RecordRequest& request) {
    const auto usage = [](const char* sentence) { return Error{ErrorKind::Usage, sentence}; };
    if (request.duration < 0) return usage("--duration cannot be negative.");
    if (!request.program.empty() || request.pids.empty())
        return usage("--snapshots-by-wpr works only with running processes. Specify them with --pid.");
    const bool isOther = request.heap || request.virtualAlloc || request.stacksOnFree || request.children ||
                         request.plain || !request.keepLast.empty() || request.stopAbove > 0 || request.stopGrowth > 0;
    if (isOther) return usage("--snapshots-by-wpr can be combined only with --pid, --duration and -o.");
    return {};
}

void waitForSnapshots(double duration, const std::function<bool()>& isInterrupted) {
    constexpr auto kStep = std::chrono::milliseconds(20);
    const auto begin = std::chrono::steady_clock::now();
    while (!isInterrupted()) {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
        if (duration > 0 && elapsed.count() >= duration) return;
        std::this_thread::sleep_for(kStep);
    }
}

} // namespace

Result<ExitCode> recordSnapshotsByWpr(const RecordRequest& request, const std::function<bool()>& isInterrupted,
                                      const Console& console) {
    TRY(checkForWpr(request));
    const auto place = TRY(OutputFile::placeFor(request.output));
    for (const auto& sentence : source::cleanUpCaptureLeftovers())
        console.say(sentence);
    const auto started = TRY(source::startSnapshotRecording({request.pids, {}, *request.snapshotsByWpr}));
    auto& recording = *started;
    auto outcome = ExitCode::Done;
    const auto takeSnapshot = [&] {
        const auto taken = recording.takeSnapshot();
        if (taken.hasValue()) return;
        console.say(taken.error().message);
        outcome = ExitCode::CannotRead;
    };
    takeSnapshot();
    waitForSnapshots(request.duration, isInterrupted);
    takeSnapshot();
    const auto stopped = TRY(recording.stop(place));
    for (const auto& sentence : stopped)
        console.say(sentence);
    console.say(fmt::format("Saved the heap snapshots taken by Windows in {}.", request.output));
    return outcome;
}

} // namespace highwater::cli
