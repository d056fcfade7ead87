#include "core/source/profiles/profile_source.h"

#include "core/base/counted.h"
#include "core/event/opcodes.h"
#include "core/source/profiles/profile_records.h"

#include <fmt/format.h>

#include <algorithm>

namespace highwater::source {
namespace {

constexpr Address kSampleRaster = 16; ///< distance of the made-up addresses of samples

/// The start or end of a sample.
struct Change {
    std::int64_t ticks = 0;
    std::uint32_t sample = 0;
    bool isEnd = false;
};

/// Ends precede starts of the same instant, so that nothing counts twice.
std::vector<Change> changesOf(const Profile& profile) {
    std::vector<Change> changes;
    for (std::uint32_t i = 0; i < profile.samples.size(); ++i) {
        const auto& sample = profile.samples[i];
        changes.push_back({sample.begin, i, false});
        if (sample.end != Profile::kNever) changes.push_back({std::max(sample.end, sample.begin + 1), i, true});
    }
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return a.ticks != b.ticks ? a.ticks < b.ticks : a.isEnd && !b.isEnd;
    });
    return changes;
}

} // namespace

std::uint32_t Profile::addFrame(NameId module, Address address) {
    frames.push_back(
        {.address = address, .module = module, .firstFunction = static_cast<std::uint32_t>(functions.size())});
    return static_cast<std::uint32_t>(frames.size() - 1);
}

void Profile::addFunction(NameId name, NameId file, std::uint32_t line) {
    auto& frame = frames.back();
    if (frame.functions == 2 * kMostNamedFunctions) { // the first half of them is not needed
        const auto first = functions.begin() + frame.firstFunction;
        functions.erase(first, first + kMostNamedFunctions);
        frame.functions -= kMostNamedFunctions;
    }
    functions.push_back({name, file, line});
    ++frame.functions;
}

bool isTooMuch(const Profile& profile, std::size_t others) {
    const auto bytes = others + profile.names.bytes() + profile.frames.size() * sizeof(Profile::Frame) +
                       profile.functions.size() * sizeof(NamedFunction);
    return profile.samples.size() > kMostProfileSamples || profile.stackFrames.size() > kMostProfileFrames ||
           bytes > kMostProfileMemory;
}

std::string skippedText(std::uint64_t count, std::string_view noun, std::string_view file) {
    return fmt::format("{} {} skipped in {}.", counted(count, noun), byNumber(count, "was", "were"), file);
}

Error tooManyStacks(std::string_view name) {
    return {ErrorKind::Unsupported,
            fmt::format("{} has more stacks, frames or names than Highwater reads from a profile. The limits are {} "
                        "stacks, {} frames in them, and {} of data that they refer to.",
                        name, thousands(kMostProfileSamples), thousands(kMostProfileFrames),
                        bytesText(kMostProfileMemory))};
}

ProfileSource::ProfileSource(Profile profile, std::string path, std::uint64_t fileBytes)
    : profile_(std::move(profile)) {
    properties_.paths = {std::move(path)};
    properties_.fileBytes = fileBytes;
    properties_.pointerBytes = 8;
    properties_.ticksPerSecond = profile_.ticksPerSecond;
    properties_.sessionName = profile_.tool;
    properties_.lacks = profile_.lacks();
}

Result<void> ProfileSource::run(etl::RecordSink& sink, TraceHealth& /*health*/, std::stop_token stop,
                                Progress& progress) {
    const Error stopped{ErrorKind::Cancelled, "Reading was cancelled."};
    ProfileRecords records(profile_.pid, profile_.names);
    etl::RecordBatch batch;
    progress.total = properties_.fileBytes;
    for (const auto& note : profile_.notes)
        records.addNote(0, Severity::Note, note);
    for (const auto& remark : profile_.remarks)
        records.addNote(0, Severity::Bound, remark);
    records.addProcess(0, profile_.commandLine.empty() ? properties_.paths.front() : profile_.commandLine);
    const auto deliver = [&] {
        records.moveTo(batch);
        sink.onBatch(batch);
        batch.recycle();
    };
    std::vector<Address> frames(profile_.frames.size()), stack;
    for (const bool hasNames : {false, true}) {
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const auto& frame = profile_.frames[i];
            if ((frame.functions > 0) != hasNames) continue;
            frames[i] = records.addFrame(0, frame.module, frame.address, profile_.functionsOf(frame));
            if (records.isFull()) deliver();
            if (stop.stop_requested()) return stopped;
        }
    }
    for (const auto& change : changesOf(profile_)) {
        if (stop.stop_requested()) return stopped;
        const auto& sample = profile_.samples[change.sample];
        const auto address = (Address{change.sample} + 1) * kSampleRaster;
        if (change.isEnd) {
            records.addSampleEnd(change.ticks, address);
        } else {
            stack.clear();
            for (std::uint32_t i = 0; i < std::min<std::size_t>(sample.frames, kMostWrittenFrames); ++i)
                stack.push_back(frames[profile_.stackFrames[sample.firstFrame + i]]);
            records.addSample(change.ticks, {address, sample.bytes, sample.objects, stack});
        }
        if (records.isFull()) deliver();
    }
    records.moveTo(batch);
    batch.reachedTicks = profile_.endTicks;
    batch.bytesRead = properties_.fileBytes;
    sink.onBatch(batch);
    progress.done = properties_.fileBytes;
    return {};
}

} // namespace highwater::source
