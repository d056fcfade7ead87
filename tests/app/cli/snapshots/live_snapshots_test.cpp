#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <csignal>
#include <filesystem>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr std::array<std::int64_t, 9> kSizes{kMB,      kMB,       kMB,       10 * kMB, 10 * kMB,
                                             10 * kMB, 100 * kMB, 100 * kMB, 100 * kMB};

std::size_t rowsOfSize(const pipeline::Recording& recording, std::int64_t size) {
    const auto trace = recording.trace().latest();
    if (!trace) return 0;
    std::size_t count = 0;
    for (RowId row = 0; row < trace->heap.rows; ++row)
        count +=
            trace->heap.size(row) == static_cast<ByteCount>(size) && trace->heap.begin(row) < trace->horizon ? 1 : 0;
    return count;
}

/// The program does not wait for any of these steps.
void letGo(const QTemporaryDir& folder, int firstStep = 0) {
    for (int step = firstStep; step <= 9; ++step) {
        QFile go(folder.filePath(QString("go.%1").arg(step)));
        QVERIFY(go.open(QIODevice::WriteOnly));
    }
}

std::size_t snapshotsOf(const pipeline::Recording& recording) {
    const auto trace = recording.trace().latest();
    return trace && trace->snapshots ? trace->snapshots->size() : 0;
}

} // namespace

/// Snapshots of a program that keeps more and more, recorded live.
class LiveSnapshotsTest : public QObject {
    Q_OBJECT
  private slots:
    void tenInstancesGrowByKeptBytes() {
        const QTemporaryDir folder;
        const auto saved = temporaryPath("buffers.etl");
        pipeline::RecordingOptions options;
        options.spool = folder.filePath("spool.etl").toStdString();
        source::CaptureLaunch launch;
        launch.program = HIGHWATER_SNAPSHOT_BUFFERS;
        launch.arguments = {folder.path().toStdString()};
        pipeline::Recording recording([&](TraceHealth&) { return source::startCapture(launch, {}); }, options);
        for (int step = 0; step <= 9; ++step) {
            const auto at = folder.filePath(QString("at.%1").arg(step));
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(at), 60'000);
            if (step == 0) {
                QTRY_VERIFY_WITH_TIMEOUT(recording.status().records > 0, 60'000);
                QTest::qWait(1000); // events before the first buffer are recorded
            } else {
                const auto size = kSizes[static_cast<std::size_t>(step - 1)];
                QTRY_COMPARE_WITH_TIMEOUT(rowsOfSize(recording, size), static_cast<std::size_t>((step - 1) % 3 + 1),
                                          60'000);
            }
            QCOMPARE(recording.takeSnapshot(), static_cast<std::uint32_t>(step + 1));
            QTRY_COMPARE_WITH_TIMEOUT(snapshotsOf(recording), static_cast<std::size_t>(step + 1), 60'000);
            QFile go(folder.filePath(QString("go.%1").arg(step)));
            QVERIFY(go.open(QIODevice::WriteOnly));
        }
        recording.wait();
        QVERIFY(recording.save(saved).hasValue());

        const auto listed = runCli({"info", saved, "--json"}).json()["snapshots"];
        QCOMPARE(listed.size(), snapshotsOf(recording));
        for (std::size_t i = 0; i < listed.size(); ++i) {
            QCOMPARE(listed[i]["number"].get<std::size_t>(), i + 1);
            QVERIFY(listed[i]["pid"].is_null());
            QCOMPARE(listed[i]["origin"].get<std::string>(), std::string("asked"));
        }

        const auto table = runCli({"table", saved, "--preset", "Count by Instance", "--filter",
                                   "[Process Name]:=\"snapshot_buffers\"", "--format", "json"});
        QVERIFY2(table.exitCode == 0, table.messages.c_str());
        const auto rows = table.json()["rows"];
        QCOMPARE(rows.size(), std::size_t{10});
        for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
            QCOMPARE(rows[i]["key"].get<std::string>(), std::to_string(i + 1));
            const auto grown = [&](const char* value) {
                return rows[i + 1]["values"][value].get<std::int64_t>() - rows[i]["values"][value].get<std::int64_t>();
            };
            QCOMPARE(grown("Size"), kSizes[i]);
            QCOMPARE(grown("Count"), std::int64_t{1});
        }
        // Opened along its single chain of calls, main forks into the three functions.
        const auto process = rows[9]["rows"][0];
        const auto text = process.dump();
        for (const auto* name : {"alloc_1_mb", "alloc_10_mb", "alloc_100_mb"})
            QVERIFY2(has(text, name), text.c_str());

        const auto diff =
            runCli({"diff", saved, "--snapshots", "8:9", "--format", "ndjson", "--fail-above", "104857599"});
        QCOMPARE(diff.exitCode, 4);
        std::size_t leaves = 0;
        for (std::size_t begin = 0; begin < diff.answers.size();) {
            const auto end = diff.answers.find('\n', begin);
            const auto line = Json::parse(diff.answers.substr(begin, end - begin), nullptr, false);
            begin = end + 1;
            if (!line.contains("leaf") || !line["leaf"].get<bool>() || line["state"] == "same") continue;
            ++leaves;
            QVERIFY2(has(line["path"].dump(), "alloc_100_mb"), line.dump().c_str());
            QCOMPARE(line["values"]["Outstanding"]["delta"].get<std::int64_t>(), std::int64_t{104'857'600});
            QCOMPARE(line["values"]["Count"]["delta"].get<std::int64_t>(), std::int64_t{1});
        }
        QCOMPARE(leaves, std::size_t{1});
        QCOMPARE(runCli({"diff", saved, "--snapshots", "8:9", "--fail-above", "104857600"}).exitCode, 0);
        const auto unknown = runCli({"diff", saved, "--snapshots", "8:11"});
        QCOMPARE(unknown.exitCode, 1);
        QVERIFY2(has(unknown.messages, "Snapshot 11 does not exist: the trace has 10, numbered 1 to 10."),
                 unknown.messages.c_str());
        // An instant added by the user gets the next number.
        const auto added = runCli({"diff", saved, "--snapshots", "10:11", "--snapshot", "0", "--format", "json"});
        QVERIFY2(added.exitCode == 0, added.messages.c_str());
        QCOMPARE(added.json()["total"]["values"]["Outstanding"]["after"].get<std::int64_t>(), std::int64_t{0});
        QCOMPARE(added.json()["after"]["traces"][0]["snapshot"].get<int>(), 11);
    }

    void growthMakesThemDue() {
        const QTemporaryDir folder;
        letGo(folder);
        const auto file = temporaryPath("grown.etl");
        const auto recorded = runCliProgram({"record", "-o", file, "--snapshot-on-growth", "1MB", "--",
                                             HIGHWATER_SNAPSHOT_BUFFERS, folder.path().toStdString()});
        QCOMPARE(recorded.exitCode, 0);
        const auto listed = runCli({"info", file, "--json"}).json()["snapshots"];
        QVERIFY2(!listed.empty(), recorded.messages.c_str());
        QVERIFY2(has(recorded.messages, "Took " + std::to_string(listed.size()) + " heap snapshot"),
                 recorded.messages.c_str());
        for (const auto& snapshot : listed)
            QCOMPARE(snapshot["origin"].get<std::string>(), std::string("growth"));
    }
    void reportsWhyNoSnapshotWasTaken() {
        const QTemporaryDir folder;
        letGo(folder);
        const auto ask = [&](std::vector<std::string> options) {
            options.insert(options.begin(), {"record", "-o", temporaryPath("none.etl")});
            options.insert(options.end(), {"--", HIGHWATER_SNAPSHOT_BUFFERS, folder.path().toStdString()});
            const auto answer = runCliProgram(options);
            return std::to_string(answer.exitCode) + " " + answer.messages;
        };
        const auto small = ask({"--snapshot-on-growth", "1000MB"});
        QVERIFY2(small.starts_with("0 ") && has(small, "No heap snapshot was taken: outstanding heap memory grew by at "
                                                       "most 333.0 MB, less than 1000.0 MB."),
                 small.c_str());
        const auto both = ask({"--snapshot-on-growth", "1000MB", "--snapshot-every", "3600"});
        QVERIFY2(has(both, " s, less than 3600 s, and outstanding heap memory grew by at most 333.0 MB"), both.c_str());
        QVERIFY(!has(ask({}), "heap snapshot"));
        const auto refused = ask({"--snapshot-on-growth", "1MB", "--virtualalloc"});
        QVERIFY2(refused.starts_with("1 ") && has(refused, "--virtualalloc alone does not record"), refused.c_str());
        QVERIFY(ask({"--snapshot-every", "5", "--virtualalloc"}).starts_with("1 "));
        QVERIFY(ask({"--snapshot-every", "3600", "--virtualalloc", "--heap"}).starts_with("0 "));
    }
    /// Without heap blocks no snapshot can be taken.
    void aSignalTakesNoneOfNothing() {
        const QTemporaryDir folder;
        const auto file = temporaryPath("pages.etl");
        QProcess recorder;
        recorder.start(HIGHWATER_CLI, {"record", "-o", QString::fromStdString(file), "--virtualalloc", "--",
                                       HIGHWATER_SNAPSHOT_BUFFERS, folder.path()});
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder.filePath("at.0")), 60'000);
        QCOMPARE(::kill(static_cast<pid_t>(recorder.processId()), SIGUSR1), 0);
        QTest::qWait(500); // it checks fifty times a second
        letGo(folder);
        QVERIFY(recorder.waitForFinished(60'000));
        const auto messages = recorder.readAllStandardError().toStdString();
        QCOMPARE(recorder.exitCode(), 0);
        QVERIFY2(has(messages, "No heap snapshot was taken because --virtualalloc alone does not record heap blocks"),
                 messages.c_str());
        QVERIFY(!has(messages, "Took"));
        QVERIFY(runCli({"info", file, "--json"}).json()["snapshots"].empty());
    }
    void discardedSnapshotsAreReported() {
        const QTemporaryDir folder;
        const auto file = temporaryPath("newest.etl");
        QProcess recorder;
        recorder.start(HIGHWATER_CLI,
                       {"record", "-o", QString::fromStdString(file), "--keep-last", "0.2s", "--snapshot-on-growth",
                        "512KB", "--", HIGHWATER_SNAPSHOT_BUFFERS, folder.path()});
        for (int step = 0; step <= 9; ++step) {
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder.filePath(QString("at.%1").arg(step))), 60'000);
            QTest::qWait(300);
            QFile go(folder.filePath(QString("go.%1").arg(step)));
            QVERIFY(go.open(QIODevice::WriteOnly));
        }
        QVERIFY(recorder.waitForFinished(60'000));
        const auto messages = recorder.readAllStandardError().toStdString();
        QVERIFY2(has(messages, "Took 9 heap snapshots."), messages.c_str());
        const auto listed = runCli({"info", file, "--json"}).json()["snapshots"];
        QVERIFY2(listed.size() < 9, messages.c_str());
        const auto first = listed.empty() ? 10 : listed[0]["number"].get<int>();
        QVERIFY2(has(messages, "Discarded snapshots 1 to " + std::to_string(first - 1) + " with the older part"),
                 messages.c_str());
        QVERIFY2(has(messages, listed.empty()       ? std::string("the file has none.")
                               : listed.size() == 1 ? std::string("the file has 9.")
                                                    : "the file has " + std::to_string(first) + " to 9."),
                 messages.c_str());
    }
};

HIGHWATER_TEST(LiveSnapshotsTest);
#include "live_snapshots_test.moc"
