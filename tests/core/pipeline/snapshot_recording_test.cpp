#include "tests/core/pipeline/small_batches.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <future>

using namespace highwater;
using namespace highwater::pipeline;
using fixtures::exercise2Trace;

namespace {

constexpr ByteCount kGrowth = 20'000;

std::vector<store::Snapshot> snapshotsOf(const store::PublishedTrace& trace) {
    return trace.snapshots ? *trace.snapshots : std::vector<store::Snapshot>{};
}

std::vector<store::Snapshot> since(std::vector<store::Snapshot> snapshots, TraceTime start) {
    std::erase_if(snapshots, [&](const auto& snapshot) { return snapshot.time < start; });
    return snapshots;
}

SignedByteCount outstandingAt(const store::PublishedTrace& trace, TraceTime time) {
    SignedByteCount bytes = 0;
    for (RowId row = 0; row < trace.heap.rows; ++row) {
        if (trace.heap.begin(row) < time && trace.heap.end(row) >= time)
            bytes += static_cast<SignedByteCount>(trace.heap.size(row));
    }
    return bytes;
}

} // namespace

/// Snapshots that a recording takes by itself and on request.
class SnapshotRecordingTest : public QObject {
    Q_OBJECT
  private slots:
    void periodsAndGrowthMakeThemDue() {
        using Clock = SnapshotSchedule::Clock;
        const auto at = [](int seconds) { return Clock::time_point(std::chrono::seconds(seconds)); };
        SnapshotSchedule never({});
        never.begin(at(0));
        QVERIFY(!never.due(at(1'000'000), 1 << 30));

        SnapshotSchedule schedule({.every = std::chrono::seconds(5), .onGrowth = 100});
        schedule.begin(at(10));
        QVERIFY(!schedule.due(at(12), 99));
        QCOMPARE(schedule.due(at(12), 100), SnapshotOrigin::Growth);
        QVERIFY(!schedule.due(at(13), 199));
        schedule.noteTaken(199); // requested
        QVERIFY(!schedule.due(at(13), 298));
        QVERIFY(!schedule.due(at(14), -50)); // a decrease is not growth
        QCOMPARE(schedule.due(at(15), -50), SnapshotOrigin::Periodic);
        QVERIFY(!schedule.due(at(19), 49));
        QCOMPARE(schedule.due(at(19), 50), SnapshotOrigin::Growth);
        // Nothing arrived for a long time: one snapshot, not one for each period.
        QCOMPARE(schedule.due(at(61), 50), SnapshotOrigin::Periodic);
        QVERIFY(!schedule.due(at(64), 50));
        QCOMPARE(schedule.due(at(65), 50), SnapshotOrigin::Periodic);
        // Damaged sizes: the difference does not fit a signed number.
        QCOMPARE(schedule.due(at(66), std::numeric_limits<SignedByteCount>::max()), SnapshotOrigin::Growth);
        schedule.noteTaken(std::numeric_limits<SignedByteCount>::min());
        QCOMPARE(schedule.due(at(66), std::numeric_limits<SignedByteCount>::max()), SnapshotOrigin::Growth);
    }

    void theyAreKeptInTheFile() {
        const QTemporaryDir folder(folderInMemory());
        auto options = keeping(folder, std::nullopt);
        options.snapshots.onGrowth = kGrowth;
        Recording recording(smallBatches(exercise2Trace().bytes().value()), std::move(options));
        QCOMPARE(recording.takeSnapshot(), 1u);
        recording.wait();
        QVERIFY(!recording.takeSnapshot()); // nothing is recorded any more
        const auto live = snapshotsOf(*recording.trace().latest());
        QVERIFY2(live.size() > 3, std::to_string(live.size()).c_str());
        QCOMPARE(recording.status().snapshots, static_cast<std::uint32_t>(live.size()));
        for (std::size_t i = 0; i < live.size(); ++i) {
            QCOMPARE(live[i].number, static_cast<std::uint32_t>(i + 1));
            QVERIFY(live[i].origin == (i == 0 ? SnapshotOrigin::Asked : SnapshotOrigin::Growth));
            QVERIFY(!live[i].hasOwnBlocks);
            QCOMPARE(live[i].pid, kAllProcesses);
        }
        // Those by growth are roughly evenly spaced: some events come between the decision and the record.
        const auto& trace = *recording.trace().latest();
        for (std::size_t i = 2; i < live.size(); ++i) {
            const auto grown = outstandingAt(trace, TraceTime{live[i].time.ns + 1}) -
                               outstandingAt(trace, TraceTime{live[i - 1].time.ns + 1});
            QVERIFY2(grown >= static_cast<SignedByteCount>(kGrowth) / 2, std::to_string(grown).c_str());
        }
        // A killed recorder leaves the flushed data; all of it was flushed by now.
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        const std::filesystem::path spool = folder.filePath("spool.etl").toStdString();
        QCOMPARE(snapshotsOf(*load(spool)), live);
        QVERIFY(recording.save(saved).hasValue());
        QCOMPARE(snapshotsOf(*load(saved)), live);
        // A replay of the file, recorded again, contains them as well.
        QFile file(QString::fromStdString(saved.string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto bytes = file.readAll();
        const auto* first = reinterpret_cast<const std::byte*>(bytes.constData());
        const QTemporaryDir again(folderInMemory());
        Recording replayed(smallBatches({first, first + bytes.size()}), keeping(again, std::nullopt));
        replayed.wait();
        QCOMPARE(snapshotsOf(*replayed.trace().latest()), live);
    }

    void thoseBeforeTheRetainedRangeGo() {
        const QTemporaryDir folder(folderInMemory());
        auto options = keeping(folder, KeepLast{std::chrono::milliseconds(500), 0});
        options.snapshots.onGrowth = kGrowth;
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        Recording recording(smallBatches(exercise2Trace().bytes().value()), std::move(options));
        QCOMPARE(recording.takeSnapshot(), 1u);
        recording.wait();
        const auto trace = recording.trace().latest();
        QVERIFY(trace->isTrimmed());
        const auto live = snapshotsOf(*trace);
        QCOMPARE(live, since(live, trace->retainedFrom));
        QVERIFY(live.empty() || live.front().number > 1);
        QVERIFY(recording.status().snapshots > live.size());
        QVERIFY(recording.save(saved).hasValue());
        const auto file = load(saved);
        const auto kept = snapshotsOf(*file);
        QVERIFY(file->retainedFrom <= trace->retainedFrom);
        QCOMPARE(since(kept, trace->retainedFrom), live);
        QCOMPARE(kept, since(kept, file->retainedFrom));
        for (const auto& note : file->health.notes)
            QVERIFY2(note.find("heap snapshot") == std::string::npos, note.c_str());
    }

    void thereIsAnEndToThem() {
        const QTemporaryDir folder(folderInMemory());
        std::promise<Recording*> made; // the first batch can come before the constructor has returned
        const auto asked = made.get_future().share();
        std::uint32_t taken = 0;
        std::uint32_t refused = 0;
        const auto ask = [&] {
            for (int i = 0; i < 20; ++i)
                asked.get()->takeSnapshot() ? ++taken : ++refused;
        };
        auto options = keeping(folder, std::nullopt);
        Recording recording(smallBatches(exercise2Trace().bytes().value(), [&] { ask(); }), std::move(options));
        made.set_value(&recording);
        recording.wait();
        const auto status = recording.status();
        QCOMPARE(status.snapshots, taken);
        QCOMPARE(status.snapshotsRefused, refused);
        QVERIFY(refused > 0);
        QVERIFY(taken >= kMostSnapshots);
        const auto trace = recording.trace().latest();
        QCOMPARE(snapshotsOf(*trace).size(), kMostSnapshots);
        QCOMPARE(snapshotsOf(*trace).back().number, static_cast<std::uint32_t>(kMostSnapshots));
    }
};

HIGHWATER_TEST(SnapshotRecordingTest);
#include "snapshot_recording_test.moc"
