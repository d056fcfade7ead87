#include "app/recording/record_controller.h"

#include "app/recording/record_requests.h"
#include "app/settings/application_settings.h"
#include "app/symbols/symbol_session.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/format/command_words.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/recording/record_bar.h"
#include "ui/view/recording/record_page.h"

#include <QMainWindow>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace highwater;
using app::RecordController;
using Fix = source::NoDataDiagnosis::Fix;

namespace {

constexpr int kControllerPatienceMs = 60'000;

struct RecordControllerStage {
    QTemporaryDir folder;
    app::ApplicationSettings settings{folder.filePath("settings.ini")};
    app::SymbolSession symbols{symbols::systemEnvironment()};
    QMainWindow window;
    ui::AnalysisTabs tabs{&window};
    RecordController& pages = *new RecordController(settings, symbols, tabs, window);
    QSignalSpy beginning{&pages, &RecordController::beginning};
    QSignalSpy messages{&pages, &RecordController::messageWanted};
    /// The first message.
    [[nodiscard]] ui::Message message() const { return messages[0][0].value<ui::Message>(); }
    QSignalSpy ended{&pages.session(), &app::RecordingSession::ended};
    QSignalSpy refused{&pages, &RecordController::startFailed};

    RecordControllerStage() { window.show(); }
    ~RecordControllerStage() { delete &pages; } // the others outlive it
    /// A missing program, which is refused.
    static ui::RecordChoices nowhere() {
        ui::RecordChoices choices;
        choices.program = "/nowhere/program";
        return choices;
    }
    /// A recording that lasts until it is stopped.
    static ui::RecordChoices example() {
        ui::RecordChoices choices;
        choices.program = RecordController::exampleProgram();
        choices.arguments = "--seconds 30 --speed 10";
        return choices;
    }
    bool waitForRefusal() {
        return QTest::qWaitFor([&] { return !refused.isEmpty(); }, kControllerPatienceMs);
    }
    bool waitForBeginning(qsizetype count = 1) {
        return QTest::qWaitFor([&] { return beginning.size() == count; }, kControllerPatienceMs);
    }
    bool waitForEnd() {
        return QTest::qWaitFor([&] { return !ended.isEmpty(); }, kControllerPatienceMs);
    }
    QString replayFile() {
        const auto file = folder.filePath("exercise2.etl");
        return fixtures::exercise2Trace().writeTo(file.toStdString()).hasValue() ? file : QString();
    }
    bool answerUnsaved(QMessageBox::StandardButton button) {
        auto* question = window.findChild<QMessageBox*>("unsavedRecording");
        if (!question) return false;
        question->button(button)->click();
        return true;
    }
};

} // namespace

class RecordControllerTest : public QObject {
    Q_OBJECT
  private slots:
    void aPictureNeedsARecording() {
        RecordControllerStage stage;
        stage.window.findChild<ui::RecordBar*>()->pictureAction()->trigger();
        QCOMPARE(stage.messages.size(), qsizetype{1});
        QVERIFY(stage.message().text.contains("no program is being recorded"));
    }
    void aPictureOfARecordedProgramIsReported() {
#ifndef Q_OS_LINUX
        QSKIP("Pictures of memory are taken on Linux.");
#endif
        RecordControllerStage stage;
        stage.pages.start(RecordControllerStage::example());
        QVERIFY(stage.waitForBeginning());
        QTRY_VERIFY_WITH_TIMEOUT(stage.pages.session().facts().events > 0, kControllerPatienceMs);
        stage.messages.clear();
        stage.window.findChild<ui::RecordBar*>()->pictureAction()->trigger();
        QVERIFY(stage.message().text.contains("is being taken"));
        QTRY_COMPARE_WITH_TIMEOUT(stage.messages.size(), qsizetype{2}, kControllerPatienceMs);
        const auto text = stage.messages[1][0].value<ui::Message>().text;
        QVERIFY2(text.contains("The picture of memory is complete"), qPrintable(text));
    }
    /// Nobody waits for a picture of a program that is gone.
    void aPictureThatTheEndOvertakesIsReported_data() {
        QTest::addColumn<int>("ms");
        for (const int ms : {0, 10, 20, 40, 80})
            QTest::addRow("%d ms", ms) << ms;
    }
    void aPictureThatTheEndOvertakesIsReported() {
        QFETCH(int, ms);
#ifndef Q_OS_LINUX
        QSKIP("Pictures of memory are taken on Linux.");
#endif
        RecordControllerStage stage;
        stage.pages.start(RecordControllerStage::example());
        QVERIFY(stage.waitForBeginning());
        QTRY_VERIFY_WITH_TIMEOUT(stage.pages.session().facts().events > 0, kControllerPatienceMs);
        stage.messages.clear();
        const auto pid = QString::number(stage.pages.session().facts().pid);
        stage.window.findChild<ui::RecordBar*>()->pictureAction()->trigger();
        QVERIFY(stage.message().text.contains("is being taken"));
        QThread::msleep(static_cast<unsigned long>(ms));
        QCOMPARE(QProcess::execute("kill", {"-KILL", pid}), 0);
        QVERIFY(stage.waitForEnd());
        QTRY_VERIFY_WITH_TIMEOUT(stage.messages.size() > 1, kControllerPatienceMs);
        const auto text = stage.messages[1][0].value<ui::Message>().text;
        QVERIFY2(!text.contains("is being taken"), qPrintable(text));
    }
    void readsACommandLineAsItWasGiven_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("plain") << QStringList{"app", "-a", "b"};
        QTest::newRow("space") << QStringList{"my app", "two words", "c"};
        QTest::newRow("quotes") << QStringList{"app", "say \"hello\"", "\"", "a\"b"};
        QTest::newRow("alone") << QStringList{"app"};
        QTest::newRow("nothing") << QStringList{""};
    }
    void readsACommandLineAsItWasGiven() {
        QFETCH(QStringList, words);
        const auto choices = app::choicesOf(words);
        QCOMPARE(choices.program, words.first());
        QCOMPARE(ui::commandWords(choices.arguments).value(), words.mid(1));
    }
    void startsWithThePreviousChoices() {
        RecordControllerStage stage;
        stage.settings.setRecordChoices(stage.nowhere());
        stage.pages.ask();
        auto* page = stage.window.findChild<ui::RecordPage*>();
        QVERIFY(page && page->isVisible());
        QCOMPARE(page->choices(), stage.nowhere());
        stage.pages.ask();
        QCOMPARE(stage.window.findChildren<ui::RecordPage*>().size(), 1);
    }
    void remembersStartedPrograms() {
        RecordControllerStage stage;
        auto choices = stage.nowhere();
        choices.children = true;
        choices.managedNames = false;
        stage.pages.start(choices);
        QCOMPARE(stage.settings.recordChoices(), choices);
        QCOMPARE(stage.pages.session().startingName(), "program");
        stage.pages.ask(); // one at a time
        QVERIFY(!stage.window.findChild<ui::RecordPage*>());
        QVERIFY(stage.waitForRefusal());
        QVERIFY(stage.beginning.isEmpty()); // nothing is discarded for it
    }
    void followsTheEndWhileItGoesOn() {
        RecordControllerStage stage;
        const auto file = stage.replayFile();
        stage.pages.startReplay(file, 0);
        QVERIFY(!stage.tabs.current().state().followsEnd());
        QVERIFY(stage.waitForBeginning());
        QCOMPARE(stage.beginning[0][0].toString(), "exercise2.etl");
        QVERIFY(stage.tabs.current().state().followsEnd());
        QVERIFY(stage.waitForEnd());
        QVERIFY(!stage.tabs.current().state().followsEnd());
        QCOMPARE(stage.symbols.traces(), QStringList{file});
    }
    void showsItInTheBar() {
        RecordControllerStage stage;
        auto* bar = stage.window.findChild<ui::RecordBar*>();
        QVERIFY(bar);
        stage.pages.startReplay(stage.replayFile(), 0);
        QVERIFY(!bar->recordAction()->isEnabled() && bar->stopAction()->isEnabled());
        QVERIFY(stage.waitForEnd());
        QTRY_VERIFY(bar->words().startsWith("exercise2.etl"));
        QTRY_VERIFY(bar->saveAction()->isEnabled() && bar->recordAction()->isEnabled());
        bar->discardAction()->trigger(); // nothing is lost, so it does not ask
        QVERIFY(!stage.pages.session().isOpen());
        QCOMPARE(bar->words().trimmed(), "");
    }
    void leavesAtOnceWhenNothingIsLost() {
        RecordControllerStage stage;
        bool isLeft = false;
        stage.pages.leave([&] { isLeft = true; });
        QVERIFY(isLeft);
        stage.pages.startReplay(stage.replayFile(), 1);
        isLeft = false;
        stage.pages.leave([&] { isLeft = true; });
        QVERIFY(isLeft && !stage.pages.session().isStarting()); // it has not started
        stage.pages.startReplay(stage.replayFile(), 1);
        QVERIFY(stage.waitForBeginning());
        isLeft = false;
        stage.pages.leave([&] { isLeft = true; });
        QVERIFY(isLeft && !stage.pages.session().isOpen());
    }
    void asksBeforeARecordingIsLost() {
        RecordControllerStage stage;
        if (stage.example().program.isEmpty()) QSKIP("memory_test_app is not beside this program");
        stage.pages.start(stage.example());
        QVERIFY(stage.waitForBeginning());
        bool isLeft = false;
        stage.pages.leave([&] { isLeft = true; });
        QVERIFY(!isLeft);
        QVERIFY(stage.answerUnsaved(QMessageBox::Cancel));
        QVERIFY(!isLeft && stage.pages.session().isOpen());
        delete stage.window.findChild<QMessageBox*>("unsavedRecording");
        stage.pages.leave([&] { isLeft = true; });
        QVERIFY(stage.answerUnsaved(QMessageBox::Discard));
        QVERIFY(isLeft && !stage.pages.session().isOpen());
    }
    void offersHelpWhereNothingIsRecorded() {
        RecordControllerStage stage;
        if (stage.example().program.isEmpty()) QSKIP("memory_test_app is not beside this program");
        stage.pages.start(stage.example());
        QVERIFY(stage.waitForBeginning());
        emit stage.pages.session().noDataDiagnosed("It is quiet.", Fix::RecordChildren);
        QCOMPARE(stage.messages.size(), 1);
        QCOMPARE(stage.message().text, "It is quiet.");
        QCOMPARE(stage.message().tone, ui::MessageTone::Warning);
        const auto link = stage.message().link;
        QCOMPARE(link.text, "Launch Again With Its Children");
        link.act();
        QVERIFY(stage.settings.recordChoices().children);
        QCOMPARE(stage.settings.recordChoices().program, stage.example().program);
        QVERIFY(stage.waitForBeginning(2));
    }
    void startsNothingAgainThatItDidNotStart() {
        RecordControllerStage stage;
        ui::RecordChoices running;
        running.pid = 4'000'000'000u; // there is none
        running.processName = "app";
        stage.pages.start(running);
        emit stage.pages.session().noDataDiagnosed("It is quiet.", Fix::RecordHeap);
        QVERIFY(stage.message().link.text.isEmpty());
        QVERIFY(stage.waitForRefusal());
        QVERIFY(stage.beginning.isEmpty());
    }
    void reportsWhyNothingWasSaved() {
        RecordControllerStage stage;
        stage.pages.startReplay(stage.replayFile(), 0);
        QVERIFY(stage.waitForEnd());
        QSignalSpy saved(&stage.pages, &RecordController::saved);
        stage.pages.session().save(stage.folder.filePath("no such folder/a.etl"));
        QVERIFY(QTest::qWaitFor([&] { return !stage.messages.isEmpty(); }, kControllerPatienceMs));
        QVERIFY(!stage.message().text.isEmpty());
        QCOMPARE(stage.message().tone, ui::MessageTone::Warning);
        QVERIFY(saved.isEmpty());
        stage.pages.session().save(stage.folder.filePath("a.etl"));
        QVERIFY(QTest::qWaitFor([&] { return !saved.isEmpty(); }, kControllerPatienceMs));
        QCOMPARE(saved[0][0].toString(), stage.folder.filePath("a.etl"));
        QCOMPARE(stage.messages.size(), 1);
    }
};
HIGHWATER_TEST(RecordControllerTest);
#include "record_controller_test.moc"
