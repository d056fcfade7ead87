#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"
#include "tests/core/agent/trials.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

using ReachabilityCounts = std::array<std::uint64_t, kReachabilities>;

/// Of the blocks of that size, in the only picture of the trace.
ReachabilityCounts countsOf(const store::PublishedTrace& trace, ByteCount bytes) {
    ReachabilityCounts counts{};
    for (const auto& block : trace.pictures->front()->blocks)
        if (block.bytes == bytes) ++counts[static_cast<std::size_t>(block.reachability)];
    return counts;
}

/// About missing pictures.
std::vector<std::string> sentencesOf(const store::PublishedTrace& trace) {
    auto sentences = trace.health.sentences();
    std::erase_if(sentences,
                  [](const std::string& sentence) { return sentence.find("o picture of ") == std::string::npos; });
    return sentences;
}

} // namespace

/// Pictures of programs that end.
class PictureAtExitTest : public QObject {
    Q_OBJECT

  private slots:
    void aProgramThatEndsByItselfHasAPicture_data() {
        QTest::addColumn<QString>("way");
        QTest::newRow("returns from main") << "return";
        QTest::newRow("exit()") << "exit";
        QTest::newRow("while its threads go on") << "busy";
    }
    void aProgramThatEndsByItselfHasAPicture() {
        QFETCH(const QString, way);
        const auto recording = record(way);
        recording->wait();
        QCOMPARE(recording->status().pictureRefusal, std::string());
        const auto trace = recording->trace().latest();
        QVERIFY(trace && trace->pictures && trace->pictures->size() == 1);
        QVERIFY((countsOf(*trace, 1301) == ReachabilityCounts{0, 0, 20, 0})); // leaked
        QVERIFY((countsOf(*trace, 1302) == ReachabilityCounts{0, 0, 0, 0}));  // freed by a destructor
        QVERIFY((countsOf(*trace, 1303) == ReachabilityCounts{20, 0, 0, 0})); // still held by a variable
        QCOMPARE(recording->trace().facts().programEnd->exitCode, 3u);
        const std::filesystem::path saved = folder_.filePath(way + ".etl").toStdString();
        QVERIFY(recording->save(saved).hasValue());
        const auto file = load(saved);
        QVERIFY(file->pictures && *file->pictures->front() == *trace->pictures->front());
    }
    /// The recorder has seen the register that referred to the map.
    void theRecorderRefersToNoBlock() {
        const auto recording = record("map");
        recording->wait();
        const auto trace = recording->trace().latest();
        QVERIFY(trace && trace->pictures && trace->pictures->size() == 1);
        const auto nodes = countsOf(*trace, 40);
        QCOMPARE(nodes[0] + nodes[1], std::uint64_t{0});
        QVERIFY(nodes[2] + nodes[3] >= 31);
    }
    /// Its heaps have no blocks of its parent, and are no roots.
    void leaksOfAProgramThatAForkHasExecutedAreUnreachable() {
        const auto recording = record("fork and exec", true);
        recording->wait();
        const auto trace = recording->trace().latest();
        QVERIFY(trace && trace->pictures && trace->pictures->size() == 1);
        QVERIFY((countsOf(*trace, 1301) == ReachabilityCounts{0, 0, 20, 0}));
        QVERIFY((countsOf(*trace, 1303) == ReachabilityCounts{20, 0, 0, 0}));
    }
    void otherEndsHaveNone_data() {
        QTest::addColumn<QString>("way");
        for (const auto* way : {"_exit", "signal", "exec", "fork"})
            QTest::newRow(way) << way;
    }
    void otherEndsHaveNone() {
        QFETCH(const QString, way);
        const auto recording = record(way);
        recording->wait();
        const auto trace = recording->trace().latest();
        QVERIFY(!trace->pictures);
        QCOMPARE(recording->status().pictureRefusal, std::string());
        QCOMPARE(sentencesOf(*trace).size(), std::size_t{1});
        QVERIFY2(sentencesOf(*trace).front().ends_with(
                     ") was taken at its end because it did not end by exit() or by returning from main."),
                 sentencesOf(*trace).front().c_str());
    }
    /// Here, that of the child: its parent ends by _exit().
    void aMissingPictureOfOneOfSeveralProgramsIsReported() {
        const auto recording = record("fork and exec", true);
        recording->wait();
        const auto trace = recording->trace().latest();
        QCOMPARE(sentencesOf(*trace),
                 std::vector<std::string>{fmt::format("No picture of the memory of exiting_program ({}) was taken at "
                                                      "its end because it did not end by exit() or by returning from "
                                                      "main.",
                                                      recording->targets().front())});
    }
    void aProgramThatHasNotEndedIsReported() {
        const auto recording = record("handler that hangs");
        QTRY_VERIFY(!recording->targets().empty() && recording->trace().latest() &&
                    recording->trace().latest()->heap.rows >= 60); // those that it plants
        recording->stop();
        recording->wait();
        QCOMPARE(sentencesOf(*recording->trace().latest()),
                 std::vector<std::string>{"No picture of memory was taken because the program had not ended when the "
                                          "recording was stopped. If it has called exit(), one of its handlers has not "
                                          "returned."});
        ::kill(static_cast<pid_t>(recording->targets().front()), SIGKILL);
    }
    /// At any instant of the picture. Nothing hangs, and no copy is left.
    void aProgramThatIsKilledMeanwhileEndsTheRecording() {
        for (int round = 0; round < 12; ++round) {
            QElapsedTimer timer;
            timer.start();
            const auto recording = record("return");
            QTRY_VERIFY(!recording->targets().empty());
            QTest::qSleep(40 + round * 10);
            ::kill(static_cast<pid_t>(recording->targets().front()), SIGKILL);
            recording->wait();
            QVERIFY(timer.elapsed() < 20'000);
            QCOMPARE(recording->trace().state(), LoadState::Finished);
        }
        QTRY_COMPARE(tests::copies("highwater-copy"), 0);
    }
    void aRecordingThatIsStoppedMeanwhileLetsTheProgramEnd() {
        for (int round = 0; round < 8; ++round) {
            const auto recording = record("return");
            QTRY_VERIFY(!recording->targets().empty());
            const auto pid = static_cast<pid_t>(recording->targets().front());
            QTest::qSleep(40 + round * 15);
            recording->stop();
            recording->wait();
            QTRY_VERIFY(::kill(pid, 0) != 0 ||
                        tests::fileText(QStringLiteral("/proc/%1/stat").arg(pid)).contains(") Z"));
        }
        QTRY_COMPARE(tests::copies("highwater-copy"), 0);
    }

  private:
    [[nodiscard]] std::unique_ptr<Recording> record(const QString& way, bool withChildren = false) const {
        source::CaptureLaunch launch;
        launch.program = HIGHWATER_AGENT_TARGETS "/exiting_program";
        launch.arguments = {way.toStdString()};
        source::CaptureOptions capture;
        capture.waitsAtExit = true;
        capture.children = withChildren;
        RecordingOptions options;
        options.spool = folder_.filePath(QStringLiteral("%1.spool").arg(++spools_)).toStdString();
        options.pictures.atExit = true;
        return std::make_unique<Recording>(
            [launch, capture](TraceHealth&) { return source::startCapture(launch, capture); }, std::move(options));
    }

    QTemporaryDir folder_{folderInMemory()};
    mutable int spools_ = 0;
};

HIGHWATER_TEST(PictureAtExitTest);
#include "picture_at_exit_test_linux.moc"
