#include "core/source/profiles/profile_source.h"

#include "core/source/profiles/profile_records.h"

#include <fmt/format.h>

#include <algorithm>

namespace highwater::source {
namespace {

constexpr std::size_t kRecordsOfProfileBatch = 1024;
constexpr Address kSampleRaster = 16; ///< samples have addresses that are made up

/// A sample begins, or ends.
struct Change {
    std::int64_t ticks = 0;
    std::uint32_t sample = 0;
    bool isEnd = false;
};

/// Of one instant ends come first, so that nothing counts twice.
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

Error tooManyStacks(std::string_view name) {
    return {ErrorKind::Damaged, fmt::format("{} has more stacks than any program has: it is damaged.", name)};
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
    ProfileRecords records(profile_.pid);
    etl::RecordBatch batch;
    progress.total = properties_.fileBytes;
    for (const auto& note : profile_.notes)
        records.addNote(0, Severity::Note, note);
    for (const auto& remark : profile_.remarks)
        records.addNote(0, Severity::Bound, remark);
    records.addProcess(0, profile_.commandLine.empty() ? properties_.paths.front() : profile_.commandLine);
    std::vector<Address> frames, stack;
    for (const auto& frame : profile_.frames)
        frames.push_back(records.addFrame(0, frame.module, frame.address, frame.functions));
    for (const auto& change : changesOf(profile_)) {
        if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "Reading was stopped."};
        const auto& sample = profile_.samples[change.sample];
        const auto address = (Address{change.sample} + 1) * kSampleRaster;
        if (change.isEnd) {
            records.addSampleEnd(change.ticks, address);
        } else {
            stack.clear();
            for (std::uint32_t i = 0; i < sample.frames; ++i)
                stack.push_back(frames[profile_.stackFrames[sample.firstFrame + i]]);
            const auto key = stack.empty() ? 0 : std::uint64_t{change.sample} + 1;
            records.addStack(change.ticks, key, stack);
            records.addSample(change.ticks, {address, sample.bytes, sample.objects, key});
        }
        if (records.size() < kRecordsOfProfileBatch) continue;
        records.moveTo(batch);
        sink.onBatch(batch);
        batch.recycle();
    }
    records.moveTo(batch);
    batch.reachedTicks = profile_.endTicks;
    batch.bytesRead = properties_.fileBytes;
    sink.onBatch(batch);
    progress.done = properties_.fileBytes;
    return {};
}

} // namespace highwater::source
