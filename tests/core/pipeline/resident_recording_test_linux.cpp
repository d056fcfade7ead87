#include "core/pipeline/index/trace_index_cache.h"
#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"
#include "core/source/etl_files/etl_file_source.h"
#include "core/source/etl_files/replay_source.h"
#include "tests/core/pipeline/crop/crops.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <set>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

using Samples = std::vector<SharedResidentSample>;

Samples samplesOf(const std::shared_ptr<const store::PublishedTrace>& trace) {
    return trace && trace->residentSamples ? *trace->residentSamples : Samples();
}

bool areEqual(const Samples& a, const Samples& b) {
    return std::ranges::equal(a, b, [](const auto& left, const auto& right) { return *left == *right; });
}

std::set<std::uint32_t> pidsOf(const Samples& samples) {
    std::set<std::uint32_t> pids;
    for (const auto& sample : samples)
        pids.insert(sample->pid);
    return pids;
}

/// Opened by its index.
Samples indexedSamples(const QTemporaryDir& folder, const std::filesystem::path& trace) {
    const TraceIndexCache::Options options{
        .folder = folder.filePath("indexes").toStdString(), .limitBytes = std::uint64_t{1} << 30, .leastTraceBytes = 0};
    const auto cache = std::make_shared<TraceIndexCache>(options);
    TraceLoader(std::vector{trace}, cache).wait();
    const auto found = cache->find(cache->keyOf({trace}), {trace});
    if (!found) return {};
    return samplesOf(found->trace);
}

source::CaptureLaunch appFor(int seconds) {
    source::CaptureLaunch launch;
    launch.program = HIGHWATER_MEMORY_TEST_APP;
    launch.arguments = {"--seconds", std::to_string(seconds)};
    return launch;
}

Recording::OpenSource capturing(const source::CaptureLaunch& launch, const source::CaptureOptions& options = {}) {
    return [launch, options](TraceHealth&) { return source::startCapture(launch, options); };
}

RecordingOptions spoolIn(const QTemporaryDir& folder) { return {.spool = folder.filePath("spool.etl").toStdString()}; }

} // namespace

/// Samples of the resident memory of real programs, from the recording to the saved file.
class ResidentRecordingTest : public QObject {
    Q_OBJECT
  private slots:
    void aSavedRecordingHasSamples() {
        const QTemporaryDir folder(folderInMemory());
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        Recording recording(capturing(appFor(60)), spoolIn(folder));
        QTRY_VERIFY_WITH_TIMEOUT(samplesOf(recording.trace().latest()).size() >= 3, 30'000);
        recording.stop();
        recording.wait();
        QCOMPARE(recording.trace().state(), LoadState::Finished);
        const auto live = samplesOf(recording.trace().latest());
        QVERIFY(recording.save(saved).hasValue());
        const auto file = load(saved);
        const auto samples = samplesOf(file);
        QVERIFY(samples.size() >= 4);
        QVERIFY(areEqual(samples, live));
        QVERIFY(areEqual(samples, indexedSamples(folder, saved)));
        for (const auto& sample : samples) {
            QVERIFY(isValid(*sample));
            QCOMPARE(sample->pid, recording.targets().at(0));
            QVERIFY(file->wholeRange().contains(sample->time));
            if (sample == samples.front()) continue; // the program may not have begun
            QVERIFY(sample->resident() > 1'000'000);
            QVERIFY(std::ranges::any_of(sample->mappings, [](const Mapping& mapping) {
                return (mapping.flags & mapping_flag::kPages) != 0 && !mapping.pages.isEmpty();
            }));
            QVERIFY(std::ranges::any_of(sample->names, [](const std::string& name) {
                return name.find("libhighwater-agent.so") != std::string::npos;
            }));
        }
        QVERIFY(std::ranges::is_sorted(samples, {}, &ResidentSample::time));
        QCOMPARE(file->health[Loss::RecordsTruncated], std::uint64_t{0});
    }
    void theLastSampleIsAtTheEnd() {
        const QTemporaryDir folder(folderInMemory());
        Recording recording(capturing(appFor(60)), spoolIn(folder));
        QTRY_VERIFY_WITH_TIMEOUT(samplesOf(recording.trace().latest()).size() >= 1, 30'000);
        QTest::qWait(500);
        recording.stop();
        recording.wait();
        const auto trace = recording.trace().latest();
        const auto samples = samplesOf(trace);
        QVERIFY(samples.size() >= 2);
        QVERIFY(trace->wholeRange().end.ns - samples.back()->time.ns < 400'000'000);
    }
    void marksAndSnapshotsHaveSamples() {
        const QTemporaryDir folder(folderInMemory());
        Recording recording(capturing(appFor(60)), spoolIn(folder));
        QTRY_VERIFY_WITH_TIMEOUT(samplesOf(recording.trace().latest()).size() >= 1, 30'000);
        QTest::qWait(300); // the first one must have taken less than a twentieth of it
        const auto before = samplesOf(recording.trace().latest()).size();
        recording.mark("now");
        QTRY_VERIFY_WITH_TIMEOUT(samplesOf(recording.trace().latest()).size() > before, 500);
        QTest::qWait(300);
        const auto between = samplesOf(recording.trace().latest()).size();
        QVERIFY(recording.takeSnapshot().has_value());
        QTRY_VERIFY_WITH_TIMEOUT(samplesOf(recording.trace().latest()).size() > between, 500);
    }
    void theLimitThatEndsARecordingHasASample() {
        const QTemporaryDir folder(folderInMemory());
        auto options = spoolIn(folder);
        options.stopWhen.after = std::chrono::milliseconds(1500);
        Recording recording(capturing(appFor(60)), options);
        recording.wait();
        QVERIFY(!recording.status().stopReason.empty());
        const auto trace = recording.trace().latest();
        const auto samples = samplesOf(trace);
        QVERIFY(samples.size() >= 2);
        QVERIFY(trace->wholeRange().end.ns - samples.back()->time.ns < 400'000'000);
    }
    void recordedChildrenAreSampled() {
        const QTemporaryDir folder(folderInMemory());
        source::CaptureLaunch launch;
        launch.program = "/bin/sh";
        launch.arguments = {"-c", std::string("\"$0\" --seconds 20 & \"$0\" --seconds 20 & wait"),
                            HIGHWATER_MEMORY_TEST_APP};
        source::CaptureOptions options;
        options.children = true;
        Recording recording(capturing(launch, options), spoolIn(folder));
        QTRY_VERIFY_WITH_TIMEOUT(pidsOf(samplesOf(recording.trace().latest())).size() >= 3, 30'000);
    }
    void aProgramThatEndsQuicklyIsHarmless() {
        const QTemporaryDir folder(folderInMemory());
        source::CaptureLaunch launch;
        launch.program = "/bin/true";
        Recording recording(capturing(launch), spoolIn(folder));
        recording.wait();
        QCOMPARE(recording.trace().state(), LoadState::Finished);
        QVERIFY(samplesOf(recording.trace().latest()).size() <= 1);
    }
    void aProgramThatExecutesOthersIsHarmless() {
        const QTemporaryDir folder(folderInMemory());
        source::CaptureLaunch launch;
        launch.program = "/bin/sh";
        launch.arguments = {"-c", "exec sh -c 'exec sh -c \"exec sleep 2\"'"};
        Recording recording(capturing(launch), spoolIn(folder));
        recording.wait();
        const auto trace = recording.trace().latest();
        QVERIFY(!samplesOf(trace).empty());
        for (const auto& note : trace->health.notes)
            QVERIFY2(note.find("was not sampled") == std::string::npos, note.c_str());
    }
    void anIntervalHasItsSamples() {
        const QTemporaryDir folder(folderInMemory());
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        {
            Recording recording(capturing(appFor(60)), spoolIn(folder));
            QTRY_VERIFY_WITH_TIMEOUT(samplesOf(recording.trace().latest()).size() >= 4, 30'000);
            recording.stop();
            recording.wait();
            QVERIFY(recording.save(saved).hasValue());
        }
        const auto samples = samplesOf(load(saved));
        QVERIFY(samples.size() >= 4);
        const TimeRange interval{samples[1]->time, samples[3]->time};
        const std::filesystem::path part = folder.filePath("part.etl").toStdString();
        auto cropped = crops::crop(saved, part, interval);
        QVERIFY2(cropped.hasValue(), crops::text(cropped));
        QVERIFY(areEqual(samplesOf(load(part)), {samples[1], samples[2]}));
        cropped = crops::crop(saved, part, interval, {"memory_test_app"});
        QVERIFY2(cropped.hasValue(), crops::text(cropped));
        QVERIFY(areEqual(samplesOf(load(part)), {samples[1], samples[2]}));
    }
    void theNewestPartHasItsSamples() {
        const QTemporaryDir folder(folderInMemory());
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        auto options = spoolIn(folder);
        options.keepLast = KeepLast{std::chrono::milliseconds(1500), 0};
        Recording recording(capturing(appFor(60)), options);
        QTRY_VERIFY_WITH_TIMEOUT(recording.trace().latest() && recording.trace().latest()->isTrimmed(), 30'000);
        QTest::qWait(1200);
        recording.stop();
        recording.wait();
        QVERIFY(recording.save(saved).hasValue());
        const auto file = load(saved);
        const auto samples = samplesOf(file);
        QVERIFY(!samples.empty());
        for (const auto& sample : samples)
            QVERIFY(sample->time >= file->retainedFrom);
        QCOMPARE(samples.back()->time, samplesOf(recording.trace().latest()).back()->time);
    }
    void aReplayedRecordingHasTheSamples() {
        const QTemporaryDir folder(folderInMemory());
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        const std::filesystem::path again = folder.filePath("again.etl").toStdString();
        {
            Recording recording(capturing(appFor(60)), spoolIn(folder));
            QTRY_VERIFY_WITH_TIMEOUT(samplesOf(recording.trace().latest()).size() >= 2, 30'000);
            recording.stop();
            recording.wait();
            QVERIFY(recording.save(saved).hasValue());
        }
        Recording replay(
            [&](TraceHealth& health) -> Result<std::unique_ptr<source::RecordSource>> {
                auto file = TRY(source::EtlFileSource::open({saved}, health));
                return std::unique_ptr<source::RecordSource>(
                    std::make_unique<source::ReplaySource>(std::move(file), 0));
            },
            spoolIn(folder));
        replay.wait();
        QVERIFY(replay.save(again).hasValue());
        QVERIFY(areEqual(samplesOf(load(again)), samplesOf(load(saved))));
    }
};

HIGHWATER_TEST(ResidentRecordingTest);
#include "resident_recording_test_linux.moc"
