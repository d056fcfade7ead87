#include "app/cli/record_command.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/keep_last.h"
#include "app/cli/recording_signals.h"
#include "app/cli/snapshots_by_wpr.h"
#include "app/cli/spool_place.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/snapshot_messages.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/files/output_file.h"
#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <stop_token>
#include <thread>

namespace highwater::cli {
namespace {

using pipeline::LoadState, pipeline::Recording;
using SteadyClock = std::chrono::steady_clock;

constexpr double kMostSeconds = 1e9;
constexpr double kMostMegabytes = 8e12; ///< maximum for 64-bit byte counts

/// Heap snapshots contain heap blocks.
bool recordsHeaps(const RecordRequest& request) { return request.heap || !request.virtualAlloc; }

bool takesPictures(const RecordRequest& request) {
    return request.pictureEvery > 0 || !request.pictureOnGrowth.empty() || request.pictureAtStop ||
           request.pictureAtExit;
}

Result<pipeline::PicturePlan> picturePlan(const RecordRequest& request) {
    pipeline::PicturePlan plan;
    if (request.pictureEvery > 0)
        plan.every = std::chrono::milliseconds(static_cast<std::int64_t>(request.pictureEvery * 1000));
    if (!request.pictureOnGrowth.empty())
        plan.onGrowth = TRY(parseGrowth("--picture-on-growth", request.pictureOnGrowth));
    plan.atStop = request.pictureAtStop;
    plan.atExit = request.pictureAtExit;
    return plan;
}

/// Live consumers of the stream must not lag behind.
bool mayLag(const RecordRequest& request) {
    return request.keepLast.empty() && request.snapshotEvery == 0 && request.snapshotOnGrowth.empty() &&
           !takesPictures(request);
}

Result<void> check(const RecordRequest& request) {
    const auto usage = [](const char* sentence) { return Error{ErrorKind::Usage, sentence}; };
    if (request.output.empty()) return usage("The trace file name (-o) is empty.");
    if (!(request.duration >= 0 && request.duration <= kMostSeconds))
        return usage("--duration must be a number of seconds from 0 to 1,000,000,000.");
    for (const auto megabytes : {request.stopAbove, request.stopGrowth}) {
        if (!(megabytes >= 0 && megabytes <= kMostMegabytes))
            return usage("--stop-above and --stop-growth must be numbers of megabytes from 0 to 8,000,000,000,000.");
    }
    if (request.snapshotEvery != 0 && !(request.snapshotEvery >= pipeline::SnapshotPlan::kShortest.count()))
        return usage("--snapshot-every must be at least 5 seconds.");
    if ((request.snapshotEvery > 0 || !request.snapshotOnGrowth.empty()) && !recordsHeaps(request))
        return usage("Heap snapshots contain heap blocks, which --virtualalloc alone does not record. Add --heap.");
    if (request.pictureEvery != 0 &&
        !(request.pictureEvery >= pipeline::PicturePlan::kShortest.count() && request.pictureEvery <= kMostSeconds))
        return usage("--picture-every must be a number of seconds from 5 to 1,000,000,000.");
    if (takesPictures(request) && !recordsHeaps(request))
        return usage("Pictures of memory contain heap blocks, which --virtualalloc alone does not record. Add --heap.");
    if (request.snapshotEvery > kMostSeconds) return usage("--snapshot-every must be at most 1,000,000,000 seconds.");
    if (request.program.empty() && request.pids.empty()) {
        return usage("Specify the program to record: highwater-cli record -o OUT.etl -- PROGRAM ARGUMENTS");
    }
    if (!request.program.empty() && request.program.front().empty()) return usage("The program name is empty.");
    if (request.pictureAtExit && !request.pids.empty())
        return usage(
            "--picture-at-exit is only possible for a program that this command starts. Use --picture-every or "
            "--picture-at-stop with --pid.");
    if (!request.program.empty() && !request.pids.empty()) return usage("Specify either a program or --pid, not both.");
    if (request.pids.size() > 1) return usage("Only one process can be recorded at a time.");
    return {};
}

/// Stop tokens: one for the recording, one for waiting for names.
Result<std::unique_ptr<source::RecordSource>> openSource(const RecordRequest& request, std::stop_token stop,
                                                         std::stop_token skipNames) {
    source::CaptureOptions options;
    options.stop = std::move(stop);
    options.skipNames = std::move(skipNames);
    options.heap = recordsHeaps(request);
    options.virtualAlloc = request.virtualAlloc || !request.heap;
    options.stacksOnFree = request.stacksOnFree;
    options.children = request.children;
    options.managedNames = !request.withoutManagedNames;
    options.mayLag = mayLag(request);
    options.waitsAtExit = request.pictureAtExit;
    if (!request.pids.empty()) return source::startCapture(request.pids.front(), options);
    source::CaptureLaunch launch;
    launch.program = request.program.front();
    launch.arguments.assign(request.program.begin() + 1, request.program.end());
    return source::startCapture(launch, options);
}

pipeline::StopConditions stopConditions(const RecordRequest& request) {
    constexpr double kMegabyte = 1 << 20;
    pipeline::StopConditions conditions;
    if (request.stopAbove > 0) conditions.privateBytesAbove = static_cast<ByteCount>(request.stopAbove * kMegabyte);
    if (request.stopGrowth > 0) conditions.privateBytesGrowth = static_cast<ByteCount>(request.stopGrowth * kMegabyte);
    return conditions;
}

Result<pipeline::SnapshotPlan> snapshotPlan(const RecordRequest& request) {
    pipeline::SnapshotPlan plan;
    if (request.snapshotEvery > 0)
        plan.every = std::chrono::milliseconds(static_cast<std::int64_t>(request.snapshotEvery * 1000));
    if (request.snapshotOnGrowth.empty()) return plan;
    plan.onGrowth = TRY(parseGrowth("--snapshot-on-growth", request.snapshotOnGrowth));
    return plan;
}

/// Returns the number of requests that failed because no heap blocks are recorded.
std::uint64_t takeSnapshotsAsked(Recording& recording, const RecordRequest& request) {
    std::uint64_t inVain = 0;
    for (auto asked = takeSnapshotRequests(); asked > 0; --asked)
        recordsHeaps(request) ? (void)recording.takeSnapshot() : (void)++inVain;
    return inVain;
}

/// The program keeps running and its runtime still reports generated code. Ctrl+C skips that.
class NamesWait {
  public:
    NamesWait(std::stop_source skip, const Console& console) : skip_(std::move(skip)), console_(console) {}

    void look(const Progress& progress) {
        if (progress.total <= progress.done) return;
        const int soFar = interruptsSoFar();
        if (!interruptsBefore_) {
            interruptsBefore_ = soFar;
            console_.say("Collecting names of managed code; press Ctrl+C to skip the rest.");
        }
        if (soFar > *interruptsBefore_) skip_.request_stop();
    }

  private:
    std::stop_source skip_;
    const Console& console_;
    std::optional<int> interruptsBefore_;
};

/// Returns the number of snapshot requests that could not be fulfilled.
std::uint64_t waitForEnd(Recording& recording, const RecordRequest& request, NamesWait names) {
    constexpr auto kStep = std::chrono::milliseconds(20);
    std::optional<SteadyClock::time_point> begin; // set when recording starts, because attaching may take seconds
    std::uint64_t inVain = 0;
    while (!recording.trace().isDone()) {
        if (!begin && !recording.targets().empty()) begin = SteadyClock::now();
        const std::chrono::duration<double> elapsed = begin ? SteadyClock::now() - *begin : SteadyClock::duration{};
        names.look(recording.trace().progress());
        if (isInterrupted() || isProcessorTimeUsed() || (request.duration > 0 && elapsed.count() >= request.duration))
            recording.stop();
        inVain += takeSnapshotsAsked(recording, request);
        std::this_thread::sleep_for(kStep);
    }
    recording.wait();
    return inVain;
}

/// Returns the program's exit code if the program ended the recording. Ctrl+C reaches both processes, but is meant for
/// the recording.
ExitCode passOn(const std::optional<source::ProgramEnd>& end, const RecordRequest& request, const Console& console) {
    if (!end || isInterrupted()) return ExitCode::Done;
    // A fatal signal is already reported by the notes of the recording.
    if (end->exitCode != 0)
        console.say(fmt::format("{} ended with exit code {}.", fileName(request.program.front()), end->exitCode));
    return request.ignoreExitCode ? ExitCode::Done : static_cast<ExitCode>(end->status());
}

void printHealth(const HealthReport& health, const Console& console) {
    if (const auto lost = health[Loss::EventsLost]; lost > 0) {
        auto text = fmt::format("{} {} lost.", counted(lost, "event"), byNumber(lost, "was", "were"));
        for (const auto& bounds : {health.boundsText(), health.limitsText()})
            text += bounds.empty() ? bounds : ' ' + bounds;
        console.say(text);
    }
    for (const auto& sentence : health.sentences())
        console.say(sentence);
}

/// The request and its results other than the file.
struct Asked {
    const RecordRequest& request;
    pipeline::SnapshotPlan snapshots;
    std::uint64_t snapshotsInVain = 0;
    bool replaces = false; ///< a file with that name existed
};

ExitCode save(Recording& recording, const Asked& asked, const Console& console) {
    const auto& path = asked.request.output;
    auto saved = recording.save(std::filesystem::path(path));
    const auto trace = recording.trace().latest();
    if (!saved.hasValue()) {
        const auto code = fail(saved.error(), console);
        if (const auto kept = recording.leaveFile())
            console.say(fmt::format("The recording is kept in {}.", utf8(*kept)));
        printHealth(trace->health, console);
        return code;
    }
    if (!saved.value().empty()) console.say(saved.value());
    const auto status = recording.status();
    const auto recorded = fmt::format("Recorded {} heap and {} VirtualAlloc allocations in {:.1f} s",
                                      thousands(recording.trace().heapAllocations()),
                                      thousands(trace->virtualAlloc.rows), trace->wholeRange().end.seconds());
    if (status.spoolError)
        console.say(fmt::format("{}. {} is incomplete and contains only the {} that could be written.", recorded, path,
                                bytesText(status.bytes)));
    else
        console.say(fmt::format("{}: {} in {}.", recorded, bytesText(status.bytes), path));
    if (asked.replaces) console.say(fmt::format("The previous {} was replaced.", path));
    printSnapshots({status, *trace, asked.snapshots, recordsHeaps(asked.request), asked.snapshotsInVain}, console);
    if (!status.stopReason.empty()) console.say(status.stopReason);
    if (isProcessorTimeUsed())
        console.say("The recording stopped because this process reached its CPU time limit (ulimit -t). Raise "
                    "the limit.");
    printHealth(trace->health, console);
    return status.spoolError ? ExitCode::CannotRead : ExitCode::Done;
}

} // namespace

Result<ExitCode> runRecord(const RecordRequest& request, const Console& console) {
    // Created first because an unhandled SIGUSR1 ends the program.
    const RecordingSignals signals;
    if (request.snapshotsByWpr) {
        return recordSnapshotsByWpr(request, isInterrupted, console);
    }
    TRY(check(request));
    const auto place = TRY(OutputFile::placeFor(request.output));
    pipeline::RecordingOptions options;
    options.stopWhen = stopConditions(request);
    options.blocks = store::BlockRows::Counted;
    options.mayLag = mayLag(request);
    if (request.plain) {
        options.compression = etl::Compression::None;
        options.flushEvery = pipeline::RecordingOptions::kFlushPlainEvery;
    }
    if (!request.keepLast.empty()) {
        options.keepLast = TRY(parseKeepLast(request.keepLast));
    }
    const auto snapshots = TRY(snapshotPlan(request));
    options.snapshots = snapshots;
    options.pictures = TRY(picturePlan(request));
    auto spool = makeSpool(place, console);
    if (!spool.hasValue()) {
        console.say(spool.error().message);
        return ExitCode::CannotRead;
    }
    std::error_code unknown;
    const bool replaces = std::filesystem::exists(place, unknown);
    options.spool = spool.value().path;
    options.output = etl::outputTo(std::move(spool.value().file));
    for (const auto& sentence : source::cleanUpCaptureLeftovers())
        console.say(sentence);
    const std::stop_source skipNames;
    const auto open = [&request, stop = options.opening.get_token(), skip = skipNames.get_token()](TraceHealth&) {
        return openSource(request, stop, skip);
    };
    Recording recording(open, std::move(options));
    const auto inVain = waitForEnd(recording, request, {skipNames, console});
    if (const auto error = recording.trace().error()) {
        console.say(error->message); // the request was valid, so this is not a usage error
        return ExitCode::CannotRead;
    }
    const auto saved = save(recording, {request, snapshots, inVain, replaces}, console);
    const auto program = passOn(recording.trace().facts().programEnd, request, console);
    return saved == ExitCode::Done ? program : saved;
}

} // namespace highwater::cli
