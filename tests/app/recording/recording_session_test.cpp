#include "app/recording/recording_session.h"

#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace highwater;
using app::RecordingSession;
using pipeline::LoadState;

namespace {

constexpr int kSessionPatienceMs = 60'000;
using TracePointer = std::shared_ptr<const store::PublishedTrace>;
using LabelsPointer = std::shared_ptr<analysis::FrameLabels>;
using NotesPointer = std::shared_ptr<const TraceNotes>;

/// Tests use replays where these behave like recordings, because a replay does not need a recorder.
struct RecordingSessionStage {
    QTemporaryDir folder;
    RecordingSession session{folder.filePath("recordings")};
    QSignalSpy published{&session, &RecordingSession::published};
    QSignalSpy noted{&session, &RecordingSession::noted};
    QSignalSpy beginning{&session, &RecordingSession::beginning};
    QSignalSpy refused{&session, &RecordingSession::startFailed};
    QSignalSpy ended{&session, &RecordingSession::ended};
    QSignalSpy changed{&session, &RecordingSession::changed};
    QSignalSpy saved{&session, &RecordingSession::saved};
    QSignalSpy saveFailed{&session, &RecordingSession::saveFailed};

    QString traceFile() {
        const auto file = folder.filePath("exercise2.etl");
        if (!QFile::exists(file)) (void)fixtures::exercise2Trace().writeTo(file.toStdString());
        return file;
    }
    bool waitFor(const QSignalSpy& signal, qsizetype count = 1) {
        return QTest::qWaitFor([&] { return signal.size() >= count; }, kSessionPatienceMs);
    }
    /// To its end, as fast as possible.
    bool replay(const QString& file) {
        ended.clear();
        session.startReplay(file, 0);
        return waitFor(ended);
    }
    LoadState endState() { return ended.last()[0].value<LoadState>(); }
    QString refusal() { return refused.last()[0].toString(); }
    QString endSentence() { return ended.last()[1].toString(); }
    TracePointer newest() { return published.last()[0].value<TracePointer>(); }
    QStringList markNames() {
        QStringList names;
        if (noted.isEmpty()) return names;
        for (const auto& mark : noted.last()[0].value<NotesPointer>()->marks) {
            names << QString::fromStdString(mark.name);
        }
        return names;
    }
};

source::CaptureLaunch launchOf(const char* program) {
    source::CaptureLaunch launch;
    launch.program = program;
    return launch;
}

} // namespace

class RecordingSessionTest : public QObject {
    Q_OBJECT
  private slots:
    void doesNothingWithoutARecording() {
        RecordingSessionStage stage;
        stage.session.stop();
        stage.session.save(stage.folder.filePath("a.etl"));
        stage.session.mark("here");
        stage.session.editMark(1, "there");
        stage.session.discard();
        QVERIFY(!stage.session.isOpen() && !stage.session.isRecording());
        QVERIFY(!stage.session.isSaving() && !stage.session.isUnsaved());
        QVERIFY(stage.changed.isEmpty() && stage.ended.isEmpty());
        QVERIFY(!QFile::exists(stage.folder.filePath("recordings"))); // created on demand
    }
    void publishesATraceUntilItsEnd() {
        RecordingSessionStage stage;
        QVERIFY(stage.replay(stage.traceFile()));
        QCOMPARE(stage.endState(), LoadState::Finished);
        QCOMPARE(stage.endSentence(), QString());
        QVERIFY(!stage.published.isEmpty());
        QVERIFY(stage.newest()->heap.rows > 0);
        for (const auto& publication : stage.published) { // so that rows keep their labels
            QCOMPARE(publication[1].value<LabelsPointer>(), stage.published[0][1].value<LabelsPointer>());
        }
        const auto& facts = stage.session.facts();
        QCOMPARE(facts.name, "exercise2.etl");
        QVERIFY(facts.events > 0);
        QCOMPARE(facts.missingEvents, std::uint64_t{0});
        QVERIFY(facts.spoolError.isEmpty());
    }
    void staysOpenAfterTheEndAndLosesNothingOfAReplay() {
        RecordingSessionStage stage;
        stage.session.startReplay(stage.traceFile(), 0);
        QVERIFY(stage.session.isStarting() && !stage.session.isOpen());
        QCOMPARE(stage.session.startingName(), "exercise2.etl");
        QVERIFY(stage.waitFor(stage.beginning));
        QVERIFY(!stage.session.isStarting() && stage.session.isOpen() && stage.session.isRecording());
        QVERIFY(stage.waitFor(stage.ended));
        QVERIFY(stage.session.isOpen() && !stage.session.isRecording());
        QVERIFY(!stage.session.isUnsaved()); // it has its file
        QVERIFY(stage.session.properties().firstTicks > 0);
    }
    void keepsAReplayOutOfTheFolderOfRecordings() {
        RecordingSessionStage stage;
        QVERIFY(stage.replay(stage.traceFile())); // it need not be recovered after a crash
        QVERIFY(!stage.session.spool().startsWith(stage.session.folder()));
        QVERIFY(QFile::exists(stage.session.spool()));
    }
    void reportsWhyNothingCanBePlayed() {
        RecordingSessionStage stage;
        stage.session.startReplay(stage.folder.filePath("nobody.etl"), 0);
        QVERIFY(stage.waitFor(stage.refused));
        QVERIFY2(stage.refusal().contains("nobody.etl"), qPrintable(stage.refusal()));
        QVERIFY(!stage.session.isOpen() && !stage.session.isStarting());
        QVERIFY(stage.beginning.isEmpty() && stage.published.isEmpty() && stage.ended.isEmpty());
    }
    void keepsTheOneBeforeUntilAnotherBegins() {
        RecordingSessionStage stage;
        QVERIFY(stage.replay(stage.traceFile()));
        const auto spool = stage.session.spool();
        stage.session.startReplay(stage.folder.filePath("nobody.etl"), 0);
        QVERIFY(stage.waitFor(stage.refused));
        QVERIFY(stage.session.isOpen() && QFile::exists(spool));
        QCOMPARE(stage.session.facts().name, "exercise2.etl");
        stage.session.save(stage.folder.filePath("saved.etl"));
        QVERIFY(stage.waitFor(stage.saved));
    }
    void beginsNothingThatWasGivenUp() {
        RecordingSessionStage stage;
        stage.session.startReplay(stage.traceFile(), 0);
        stage.session.abandonStart();
        QVERIFY(!stage.session.isStarting());
        QTest::qWait(300);
        QVERIFY(stage.beginning.isEmpty() && stage.refused.isEmpty() && !stage.session.isOpen());
    }
    void stopsARecordingThatHasJustStarted() {
        RecordingSessionStage stage;
        stage.session.startReplay(stage.traceFile(), 1); // half a minute
        stage.session.stop();
        QVERIFY(stage.waitFor(stage.ended));
        QVERIFY(stage.session.facts().isStopped && !stage.session.facts().ranOn);
    }
    void stopsARunningRecording() {
        RecordingSessionStage stage;
        stage.session.startReplay(stage.traceFile(), 1); // half a minute
        QVERIFY(stage.waitFor(stage.published));
        QVERIFY(stage.ended.isEmpty());
        stage.session.stop();
        QVERIFY(stage.waitFor(stage.ended));
        QVERIFY(stage.endState() != LoadState::Failed);
        QVERIFY(stage.newest()->wholeRange().end < fixtures::seconds(fixtures::exercise2::kTraceEnd));
    }
    void savesAFileThatReplaysTheSame() {
        RecordingSessionStage stage;
        QVERIFY(stage.replay(stage.traceFile()));
        const auto rows = stage.newest()->heap.rows;
        const auto file = stage.folder.filePath("saved.etl");
        stage.session.save(file);
        QVERIFY(stage.session.isSaving());
        QVERIFY(stage.waitFor(stage.saved));
        QVERIFY(!stage.session.isSaving());
        QCOMPARE(stage.saved[0][0].toString(), file);
        QCOMPARE(stage.saved[0][1].toString(), QString()); // it is complete
        QCOMPARE(stage.session.facts().fileBytes, static_cast<std::uint64_t>(QFileInfo(file).size()));
        QVERIFY(stage.replay(file));
        QCOMPARE(stage.newest()->heap.rows, rows);
    }
    void reportsWhyItCannotBeSavedAndRetries() {
        RecordingSessionStage stage;
        QVERIFY(stage.replay(stage.traceFile()));
        stage.session.save(stage.folder.filePath("no such folder/saved.etl"));
        QVERIFY(stage.waitFor(stage.saveFailed));
        QVERIFY(!stage.saveFailed[0][0].toString().isEmpty());
        QVERIFY(stage.saved.isEmpty() && !stage.session.isSaving());
        stage.session.save(stage.folder.filePath("saved.etl"));
        QVERIFY(stage.waitFor(stage.saved));
    }
    void namesInstants() {
        RecordingSessionStage stage;
        stage.session.startReplay(stage.traceFile(), 1);
        QVERIFY(stage.waitFor(stage.published));
        stage.session.mark("first");
        QVERIFY(QTest::qWaitFor([&] { return stage.markNames() == QStringList("first"); }, kSessionPatienceMs));
        const auto ticks = stage.noted.last()[0].value<NotesPointer>()->marks[0].ticks;
        stage.session.editMark(ticks, "another");
        QVERIFY(QTest::qWaitFor([&] { return stage.markNames() == QStringList("another"); }, kSessionPatienceMs));
        stage.session.editMark(ticks, {});
        QVERIFY(QTest::qWaitFor([&] { return stage.markNames().isEmpty(); }, kSessionPatienceMs));
    }
    /// Between the last arrival and the moment when the end of the data is known.
    void listsAMarkOfTheVeryEnd() {
        RecordingSessionStage stage;
        stage.session.startReplay(stage.traceFile(), 0);
        QVERIFY(stage.waitFor(stage.beginning));
        while (!stage.session.loader()->isDone())
            QThread::msleep(1); // without anyone watching meanwhile
        QVERIFY(stage.session.isRecording());
        stage.session.mark("the very end");
        QVERIFY(stage.waitFor(stage.ended));
        QCOMPARE(stage.markNames(), QStringList("the very end"));
        const auto whole = stage.newest()->wholeRange();
        const auto time = stage.noted.last()[0].value<NotesPointer>()->marks[0].time;
        QVERIFY(whole.start <= time && time < whole.end);
        const auto file = stage.folder.filePath("marked.etl");
        stage.session.save(file);
        QVERIFY(stage.waitFor(stage.saved));
        QVERIFY(stage.replay(file));
        QCOMPARE(stage.markNames(), QStringList("the very end")); // once
    }
    void marksNothingAfterTheEnd() {
        RecordingSessionStage stage;
        QVERIFY(stage.replay(stage.traceFile()));
        stage.session.mark("late");
        const auto file = stage.folder.filePath("saved.etl");
        stage.session.save(file);
        QVERIFY(stage.waitFor(stage.saved));
        QVERIFY(stage.replay(file));
        QVERIFY(!stage.markNames().contains("late"));
    }
    void deletesDiscardedRecordings() {
        RecordingSessionStage stage;
        QVERIFY(stage.replay(stage.traceFile()));
        const auto spool = stage.session.spool();
        stage.changed.clear();
        stage.session.discard();
        QVERIFY(!stage.session.isOpen() && !stage.session.isRecording());
        QCOMPARE(stage.changed.size(), 1);
        QVERIFY(QTest::qWaitFor([&] { return !QFile::exists(spool); }, kSessionPatienceMs));
    }
    void givesUpTheOneBefore() {
        RecordingSessionStage stage;
        stage.session.startReplay(stage.traceFile(), 1);
        QVERIFY(stage.waitFor(stage.published));
        const auto spool = stage.session.spool();
        const auto labels = stage.published[0][1].value<LabelsPointer>();
        stage.published.clear();
        QVERIFY(stage.replay(stage.traceFile()));
        QCOMPARE(stage.ended.size(), 1); // only those of the second
        QVERIFY(stage.newest()->heap.rows > 0);
        QVERIFY(stage.published[0][1].value<LabelsPointer>() != labels);
        QVERIFY(QTest::qWaitFor([&] { return !QFile::exists(spool); }, kSessionPatienceMs));
    }
    void finishesASaveOfADiscardedRecording() {
        RecordingSessionStage stage;
        QVERIFY(stage.replay(stage.traceFile()));
        const auto file = stage.folder.filePath("saved.etl");
        stage.session.save(file);
        stage.session.discard();
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(file); }, kSessionPatienceMs));
    }
    void makesANameForItsFileThatAnyFileSystemTakes() {
        RecordingSessionStage stage;
        const auto strange = stage.folder.filePath("a b;c.etl");
        QVERIFY(QFile::copy(stage.traceFile(), strange));
        QVERIFY(stage.replay(strange));
        const QFileInfo spool(stage.session.spool());
        QVERIFY2(spool.fileName().startsWith("a_b_c.etl "), qPrintable(spool.fileName()));
    }
    void createsNoFileForARefusedStart() {
        RecordingSessionStage stage;
        stage.session.start(launchOf("/nowhere/program"), {});
        QVERIFY(!stage.session.isUnsaved());
        QVERIFY(stage.waitFor(stage.refused));
        QVERIFY(!stage.refusal().isEmpty());
        QVERIFY(!stage.session.isUnsaved());
        QVERIFY(!QFile::exists(stage.folder.filePath("recordings")));
    }
    /// Not after the program has started: its unrecorded actions would be lost.
    void startsNothingWhereNoFileCanBeWritten() {
        RecordingSessionStage stage;
        QFile inTheWay(stage.folder.filePath("recordings"));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        stage.session.start(launchOf("/nowhere/program"), {});
        QVERIFY(stage.waitFor(stage.refused));
        QVERIFY2(stage.refusal().contains("Recording did not start.") &&
                     stage.refusal().contains(inTheWay.fileName()) && stage.refusal().contains("is not a folder"),
                 qPrintable(stage.refusal()));
        QVERIFY(stage.beginning.isEmpty());
        stage.session.start(1, "app", {});
        QVERIFY(stage.waitFor(stage.refused, 2));
        QVERIFY2(stage.refusal().contains("is not a folder"), qPrintable(stage.refusal()));
    }
    void refusesAProcessThatThereIsNot() {
        RecordingSessionStage stage;
        stage.session.start(4'000'000'000u, "app", {});
        QCOMPARE(stage.session.startingName(), "app");
        QVERIFY(stage.waitFor(stage.refused));
        QVERIFY(!stage.refusal().isEmpty());
    }
};
HIGHWATER_TEST(RecordingSessionTest);
#include "recording_session_test.moc"
