#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <array>
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

std::size_t snapshotsOf(const pipeline::Recording& recording) {
    const auto trace = recording.trace().latest();
    return trace && trace->snapshots ? trace->snapshots->size() : 0;
}

} // namespace

/// Snapshots of a program that keeps more and more, recorded live.
class LiveSnapshotsTest : public QObject {
    Q_OBJECT
  private slots:
    void tenInstancesGrowByWhatWasKept() {
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
                QTest::qWait(1000); // what came before the first buffer is there
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
        // Opened along its one chain of calls, main forks into the three.
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
        QVERIFY2(has(unknown.messages, "There is no snapshot 11: the trace has 10, numbered 1 to 10."),
                 unknown.messages.c_str());
        // An instant of one's own is the next number.
        const auto added = runCli({"diff", saved, "--snapshots", "10:11", "--snapshot", "0", "--format", "json"});
        QVERIFY2(added.exitCode == 0, added.messages.c_str());
        QCOMPARE(added.json()["total"]["values"]["Outstanding"]["after"].get<std::int64_t>(), std::int64_t{0});
        QCOMPARE(added.json()["after"]["traces"][0]["snapshot"].get<int>(), 11);
    }
};

HIGHWATER_TEST(LiveSnapshotsTest);
#include "live_snapshots_test.moc"
