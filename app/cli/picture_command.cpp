#include "app/cli/picture_command.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/recording_signals.h"
#include "app/cli/spool_place.h"
#include "app/tools/holders/command/holders_question.h"
#include "core/base/text.h"
#include "core/files/output_file.h"
#include "core/pipeline/memory_growth.h"
#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"
#include "core/source/contract/process_copy.h"
#include "core/source/contract/process_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <thread>

namespace highwater::cli {
namespace {

using pipeline::Recording;

Error interrupted() {
    return {ErrorKind::Cancelled, "No picture of memory was taken because this command was interrupted."};
}

Error ended(std::uint32_t pid) {
    return {ErrorKind::NotFound,
            fmt::format("No picture of memory was taken because process {} ended before it was copied.", pid)};
}

bool hasEnded(std::uint32_t pid) {
    const auto memory = source::memoryOf(pid);
    return !memory || memory->residentBytes == 0; // a process that nobody waited for has no memory
}

/// Nothing is loaded into the process meanwhile.
Result<void> waitForGrowth(std::uint32_t pid, ByteCount by, const Console& console) {
    constexpr auto kStep = std::chrono::milliseconds(100);
    pipeline::MemoryGrowth growth(by);
    auto least = std::numeric_limits<ByteCount>::max();
    for (ByteCount most = 0;; std::this_thread::sleep_for(kStep)) {
        if (isInterrupted()) return interrupted();
        const auto memory = source::memoryOf(pid);
        if (!memory)
            return Error{ErrorKind::NotFound,
                         fmt::format("No picture of memory was taken because process {} ended before its resident "
                                     "memory had grown by {}. It had between {} and {}.",
                                     pid, bytesText(by), bytesText(std::min(least, most)), bytesText(most))};
        if (most == 0)
            console.say(fmt::format("Waiting until the resident memory of process {}, {}, has grown by {}.", pid,
                                    bytesText(memory->residentBytes), bytesText(by)));
        least = std::min(least, memory->residentBytes);
        most = std::max(most, memory->residentBytes);
        if (growth.hasGrown(pid, memory->residentBytes)) return {};
    }
}

/// "picture-12.etl", or with a further number that no file has.
std::string newName(std::uint32_t pid) {
    auto name = fmt::format("picture-{}.etl", pid);
    std::error_code unknown;
    for (int number = 2; std::filesystem::exists(name, unknown); ++number)
        name = fmt::format("picture-{}-{}.etl", pid, number);
    return name;
}

/// Ends when the picture is taken or refused.
void takePicture(Recording& recording) {
    constexpr auto kStep = std::chrono::milliseconds(5);
    while (recording.targets().empty() && !recording.trace().isDone() && !isInterrupted())
        std::this_thread::sleep_for(kStep);
    if (!isInterrupted()) recording.takePicture();
    recording.stop();
    recording.wait();
}

/// Why there is no picture. An interruption or the end of the process explains errors of the recording.
std::optional<Error> whyNoPicture(Recording& recording, std::uint32_t pid) {
    const auto trace = recording.trace().latest();
    if (trace && trace->pictures) return std::nullopt;
    if (isInterrupted()) return interrupted();
    if (hasEnded(pid)) return ended(pid);
    return recording.trace().error();
}

Result<void> saveWithPicture(Recording& recording, std::uint32_t pid, const std::string& output,
                             const Console& console) {
    if (auto why = whyNoPicture(recording, pid)) return *std::move(why);
    const auto status = recording.status();
    if (!status.pictureRefusal.empty()) return Error{ErrorKind::Io, status.pictureRefusal};
    const auto lacks = TRY(recording.save(std::filesystem::path(output)));
    if (!lacks.empty()) console.say(lacks);
    console.say(fmt::format("The picture of memory was saved as {} ({}).", output, bytesText(status.bytes)));
    return {};
}

/// The target is recorded while the picture is taken, so that the trace names its process, modules and threads.
Result<void> record(std::uint32_t pid, const std::string& output, const Console& console) {
    const auto place = TRY(OutputFile::placeFor(output));
    std::error_code unknown;
    const bool replaces = std::filesystem::exists(place, unknown);
    auto spool = TRY(makeSpool(place, console));
    pipeline::RecordingOptions options;
    options.spool = spool.path;
    options.output = etl::outputTo(std::move(spool.file));
    const auto open = [pid, stop = options.opening.get_token()](TraceHealth&) {
        source::CaptureOptions capture;
        capture.stop = stop;
        return source::startCapture(pid, capture);
    };
    Recording recording(open, std::move(options));
    takePicture(recording);
    TRY(saveWithPicture(recording, pid, output, console));
    if (replaces) console.say(fmt::format("The previous {} was replaced.", output));
    return {};
}

} // namespace

Result<ExitCode> runPicture(const PictureRequest& request, const Console& console) {
    std::optional<ByteCount> growth;
    if (!request.onGrowth.empty()) growth = TRY(parseGrowth("--on-growth", request.onGrowth));
    const RecordingSignals signals;
    TRY(source::checkProcessCopy(request.pid));
    const auto output = request.output.empty() ? newName(request.pid) : request.output;
    if (growth) TRY(waitForGrowth(request.pid, *growth, console));
    for (const auto& sentence : source::cleanUpCaptureLeftovers())
        console.say(sentence);
    TRY(record(request.pid, output, console));
    HoldersRequest holders;
    holders.question.traces = {output};
    holders.question.symbols = request.symbols;
    holders.question.format = request.json ? "json" : "text";
    holders.question.saysHealth = false; // the answer says what may be wrong; the rest is about recordings
    holders.top = request.top;
    return answerHolders(holders, console);
}

} // namespace highwater::cli
