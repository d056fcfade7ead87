#include "ui/view/recording/record_page.h"

#include "tests/support/test_registry.h"
#include "tests/ui/view/recording/record_page_stage.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <limits>

using namespace highwater;
using namespace highwater::ui;
using tests::everyChoiceOther;
using tests::RecordPageStage;
using Attach = RecordPage::Attach;

class RecordPageTest : public QObject {
    Q_OBJECT
  private slots:
    void beginsInTheFieldForTheProgram() {
        RecordPageStage stage;
        stage.page.show();
        QVERIFY(QTest::qWaitForWindowActive(&stage.page));
        QTRY_VERIFY(stage.page.focusWidget() != nullptr);
        QTest::keyClicks(stage.page.focusWidget(), QStringLiteral("app"));
        QCOMPARE(stage.page.choices().program, QStringLiteral("app"));
    }
    /// All options can be scrolled into view.
    void showsAllOfItsOptions() {
        const auto usual = QApplication::font();
        const auto giveBack = qScopeGuard([&] { QApplication::setFont(usual); });
        for (const auto times : {1, 2}) {
            auto font = usual;
            font.setPointSizeF(usual.pointSizeF() * times);
            QApplication::setFont(font);
            RecordPageStage stage;
            stage.page.show();
            QTest::qWait(20);
            const auto* scrolled = stage.page.findChild<QScrollArea*>("recordOptions");
            for (const auto* label : scrolled->findChildren<QLabel*>()) {
                if (!label->isVisible() || !label->wordWrap()) continue;
                QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
            }
            for (const auto* tick : scrolled->findChildren<QCheckBox*>()) {
                const auto right = tick->mapTo(scrolled->widget(), QPoint(tick->sizeHint().width(), 0)).x();
                QVERIFY2(!tick->isVisible() || right <= scrolled->viewport()->width(), qPrintable(tick->text()));
            }
        }
    }
    void givesBackWhatItWasGiven() {
        RecordPageStage stage;
        QCOMPARE(stage.page.choices(), RecordChoices());
        stage.page.setChoices(everyChoiceOther());
        QCOMPARE(stage.page.choices(), everyChoiceOther());
        stage.page.setChoices({});
        QCOMPARE(stage.page.choices(), RecordChoices());
    }
    void keepsAmountsThatAreNotAskedForButNotTheirConditions() {
        RecordPageStage stage;
        stage.page.setChoices(everyChoiceOther());
        stage.tick("stopsAtBytes").setChecked(false);
        stage.tick("keepsLast").setChecked(false);
        const auto choices = stage.page.choices();
        QCOMPARE(choices.stopWhen, RecordChoices::StopWhen::Never);
        QCOMPARE(choices.stopMegabytes, 77);
        QCOMPARE(choices.keep, RecordChoices::Keep::All);
        QCOMPARE(choices.keepMegabytes, 123);
    }
    void limitsAmountsToAllowedValues() {
        RecordPageStage stage;
        RecordChoices choices;
        choices.stopMegabytes = std::numeric_limits<qint64>::max();
        choices.stopSeconds = 0;
        choices.keepMegabytes = -5;
        stage.page.setChoices(choices);
        QCOMPARE(stage.page.choices().stopMegabytes, 64 << 20);
        QCOMPARE(stage.page.choices().stopSeconds, 1);
        QVERIFY(stage.page.choices().keepMegabytes > 0);
    }
    void leavesOutEmptyLinesAndSpaceAround() {
        RecordPageStage stage;
        stage.field("launchProgram").setText("  /opt/app ");
        stage.page.findChild<QPlainTextEdit*>("launchEnvironment")->setPlainText("\nA=1\n\n  B=2  \n   \n");
        QCOMPARE(stage.page.choices().program, "/opt/app");
        QCOMPARE(stage.page.choices().environment, (QStringList{"A=1", "B=2"}));
    }
    void startsOnlyWithAProgramAndSomethingToRecord() {
        RecordPageStage stage;
        QVERIFY(!stage.canStart());
        stage.field("launchProgram").setText("   ");
        QVERIFY(!stage.canStart());
        stage.field("launchProgram").setText("app");
        QVERIFY(stage.canStart());
        stage.tick("recordHeap").setChecked(false);
        QVERIFY(stage.canStart());
        stage.tick("recordVirtualAlloc").setChecked(false);
        QVERIFY(!stage.canStart());
        QCOMPARE(stage.words("recordCost"), "Select at least one kind of allocation.");
    }
    void showsAProblemUntilAChange() {
        RecordPageStage stage;
        auto& problem = *stage.page.findChild<MessageStrip*>("recordProblem");
        stage.field("launchProgram").setText("app");
        QVERIFY(!problem.isVisible());
        stage.page.showProblem("There is no program app.");
        QVERIFY(problem.isVisible());
        QCOMPARE(problem.message(), "There is no program app.");
        stage.showRunning({{7, "light", "", "", 64, 1}}); // another page of it
        QVERIFY(!problem.isVisible());
        stage.tabs().setCurrentIndex(0);
        stage.page.showProblem("There is no program app.");
        QTest::keyClicks(&stage.field("launchProgram"), "2");
        QVERIFY(!problem.isVisible());
    }
    void reportsItsChoicesOnceWhenAccepted() {
        RecordPageStage stage;
        QSignalSpy started(&stage.page, &RecordPage::startWanted);
        stage.field("launchProgram").setText("app");
        stage.button("startRecording").click();
        QCOMPARE(started.count(), 1);
        QCOMPARE(started[0][0].value<RecordChoices>().program, "app");
        QVERIFY(stage.page.isVisible()); // the caller may find an error
    }
    void startsNothingWhenItIsCancelled() {
        RecordPageStage stage;
        QSignalSpy started(&stage.page, &RecordPage::startWanted);
        stage.field("launchProgram").setText("app");
        stage.page.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Cancel)->click();
        QVERIFY(started.isEmpty() && !stage.page.isVisible());
    }
    void recordsAProcessThatIsSelected() {
        RecordPageStage stage(Attach::Experimental);
        stage.showRunning({{7, "light", "", "", 64, 1}, {8, "heavy", "", "", 64, 1 << 20}});
        QCOMPARE(stage.names(), (QStringList{"heavy", "light"}));
        QVERIFY(!stage.canStart());
        stage.choose("light");
        QVERIFY(stage.canStart());
        QCOMPARE(stage.page.choices().pid, 7u);
        QCOMPARE(stage.page.choices().processName, "light");
        QVERIFY(!stage.tick("recordChildren").isEnabled()); // only for a program that is launched
        stage.page.setProcesses({{7, "light", "", "", 64, 1 << 21}, {8, "heavy", "", "", 64, 1 << 20}});
        QCOMPARE(stage.page.choices().pid, 7u); // the selection outlives a new list
        stage.tabs().setCurrentIndex(0);
        QCOMPARE(stage.page.choices().pid, 0u);
    }
    /// As if its window is closed meanwhile. The list then measures its rows again.
    void canGoWhileItIsOpen() {
        RecordPageStage stage;
        stage.showRunning({{7, "app", "", "", 64, 1}});
        QVERIFY(stage.list().isVisible());
    }
    void searchesInAllColumns() {
        RecordPageStage stage;
        stage.showRunning({{4242, "app", "", "anna", 64, 2}, {17, "other", "", "bert", 64, 1}});
        stage.field("processSearch").setText("BERT");
        QCOMPARE(stage.names(), QStringList{"other"});
        stage.field("processSearch").setText("424");
        QCOMPARE(stage.names(), QStringList{"app"});
        stage.field("processSearch").setText("[");
        QVERIFY(stage.names().isEmpty()); // not a pattern
    }
    void relaunchesUnattachablePrograms() {
        RecordPageStage stage(Attach::No);
        stage.showRunning({{7, "app", "\"/opt/my app\" --all  x", "", 64, 1}});
        stage.choose("app");
        QVERIFY(!stage.canStart());
        stage.button("takeCommandLine").click();
        QCOMPARE(stage.tabs().currentIndex(), 0);
        QCOMPARE(stage.page.choices().program, "/opt/my app");
        QCOMPARE(stage.page.choices().arguments, "--all  x");
        QVERIFY(stage.canStart());
    }
    void takesCommandLines_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("arguments");
        QTest::newRow("alone") << "/opt/app"
                               << "/opt/app"
                               << "";
        QTest::newRow("with arguments") << "/opt/app -a b"
                                        << "/opt/app"
                                        << "-a b";
        QTest::newRow("quoted alone") << "\"/my app\""
                                      << "/my app"
                                      << "";
        QTest::newRow("quote without end") << "\"/my app"
                                           << "\"/my app"
                                           << "";
    }
    void takesCommandLines() {
        QFETCH(QString, line);
        RecordPageStage stage(Attach::No);
        stage.showRunning({{7, "app", line, "", 64, 1}});
        stage.choose("app");
        stage.button("takeCommandLine").click();
        QTEST(stage.page.choices().program, "program");
        QTEST(stage.page.choices().arguments, "arguments");
    }
    /// As the system reports the process, not as it was typed.
    void takesTheExecutableAndTheFolderOfAProcess() {
        RecordPageStage stage(Attach::No);
        ListedProcess process{7, "leak", "../src/leak 60 700", "", 64, 1};
        const QTemporaryDir place;
        process.path = place.filePath("leak");
        process.folder = place.path();
        QFile executable(process.path);
        QVERIFY(executable.open(QIODevice::WriteOnly));
        stage.showRunning({process});
        stage.choose("leak");
        stage.button("takeCommandLine").click();
        QCOMPARE(stage.page.choices().program, process.path);
        QCOMPARE(stage.page.choices().arguments, "60 700");
        QCOMPARE(stage.page.choices().folder, process.folder);
    }
    /// A link to an executable may mean more than the executable: a Python of a virtual environment.
    void keepsTheNameThatAProcessWasStartedBy() {
        const QTemporaryDir folder;
        const auto link = folder.filePath("python");
        QVERIFY(QFile::link(QCoreApplication::applicationFilePath(), link));
        for (const auto& line : {link + " -m x", QString("./python -m x")}) {
            RecordPageStage stage(Attach::No);
            ListedProcess process{7, "app", line, "", 64, 1};
            process.path = QFileInfo(QCoreApplication::applicationFilePath()).canonicalFilePath();
            process.folder = folder.path();
            stage.showRunning({process});
            stage.choose("app");
            stage.button("takeCommandLine").click();
            QCOMPARE(stage.page.choices().program, link);
            QCOMPARE(stage.page.choices().arguments, "-m x");
        }
    }
    void keysSelectAndStart() {
        RecordPageStage stage(Attach::Experimental);
        QSignalSpy wanted(&stage.page, &RecordPage::startWanted);
        stage.showRunning({{7, "leak", "/opt/leak", "", 64, 1}, {8, "other", "/opt/other", "", 64, 2}});
        stage.field("processSearch").setFocus();
        QTest::keyClicks(&stage.field("processSearch"), "leak");
        QVERIFY(stage.canStart()); // only that one is possible
        stage.field("processSearch").clear();
        stage.list().clearSelection();
        stage.list().setCurrentIndex({});
        stage.list().setFocus(Qt::TabFocusReason);
        QVERIFY(!stage.canStart());
        QTest::keyClick(&stage.list(), Qt::Key_Down);
        QVERIFY(stage.canStart());
        QCOMPARE(stage.page.choices().processName, "other"); // the first one
        QTest::keyClick(&stage.list(), Qt::Key_Down);
        QCOMPARE(stage.page.choices().processName, "leak");
        QTest::keyClick(&stage.list(), Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].value<RecordChoices>().pid, 7u);
        QCOMPARE(stage.tabs().currentIndex(), 1);
    }
    /// A user who waits for a program has typed its name before.
    void selectsTheOnlyOneThatComesLater() {
        RecordPageStage stage(Attach::Experimental);
        QSignalSpy wanted(&stage.page, &RecordPage::startWanted);
        stage.showRunning({{7, "other", "", "", 64, 1}});
        stage.field("processSearch").setFocus();
        QTest::keyClicks(&stage.field("processSearch"), "late");
        QVERIFY(!stage.canStart());
        stage.page.setProcesses({{7, "other", "", "", 64, 1}, {8, "late", "", "", 64, 1}});
        QVERIFY(stage.canStart());
        QTest::keyClick(&stage.field("processSearch"), Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].value<RecordChoices>().pid, 8u);
        // A second one of that name does not change the selection; without a search nothing is selected automatically.
        stage.page.setProcesses({{8, "late", "", "", 64, 1}, {9, "late", "", "", 64, 5}});
        QCOMPARE(stage.page.choices().pid, 8u);
        stage.field("processSearch").clear();
        stage.page.setProcesses({});
        stage.page.setProcesses({{10, "alone", "", "", 64, 1}});
        QVERIFY(!stage.canStart());
    }
    void reportsThatNothingIsFound() {
        RecordPageStage stage;
        stage.showRunning({{7, "app", "", "", 64, 1}});
        auto* said = stage.page.findChild<QLabel*>("noProcess");
        QVERIFY(said && !said->isVisible());
        stage.field("processSearch").setText("nobody");
        QVERIFY(said->isVisible());
        QCOMPARE(said->text(), "No running process matches nobody.");
        stage.page.setProcesses({{7, "app", "", "", 64, 1}, {8, "nobody", "", "", 64, 1}});
        QVERIFY(!said->isVisible());
    }
    void takesNoCommandLineThatIsNotKnown() {
        RecordPageStage stage(Attach::No);
        stage.showRunning({{7, "app", "", "", 64, 1}});
        stage.choose("app");
        QVERIFY(!stage.button("takeCommandLine").isEnabled());
    }
    void listsAndSearchesCommandLines() {
        RecordPageStage stage;
        const auto longLine = "/usr/bin/python3 " + QString(5000, 'x') + " --needle";
        stage.showRunning(
            {{7, "python3", longLine, "", 64, 2}, {8, "python3", "/usr/bin/python3 serve.py", "", 64, 1}});
        const auto cell = stage.list().model()->index(1, ProcessListModel::kCommandLine);
        QCOMPARE(cell.data().toString(), "/usr/bin/python3 serve.py");
        QVERIFY(!stage.list().isColumnHidden(ProcessListModel::kCommandLine));
        QVERIFY(cell.data(Qt::ToolTipRole).toString().contains("serve.py"));
        stage.field("processSearch").setText("serve");
        QCOMPARE(stage.list().model()->rowCount(), 1);
        QCOMPARE(stage.list().model()->index(0, ProcessListModel::kPid).data().toString(), "8");
        stage.field("processSearch").setText("--needle"); // far beyond the visible part
        QCOMPARE(stage.list().model()->rowCount(), 1);
        QCOMPARE(stage.list().model()->index(0, ProcessListModel::kPid).data().toString(), "7");
    }
    void enablesAmountsWithTheirTicks() {
        RecordPageStage stage;
        auto* seconds = stage.page.findChild<QSpinBox*>("stopSeconds");
        auto* megabytes = stage.page.findChild<QSpinBox*>("stopMegabytes");
        QVERIFY(!seconds->isEnabled() && !megabytes->isEnabled());
        stage.tick("stopsAfter").setChecked(true);
        QVERIFY(seconds->isEnabled() && !megabytes->isEnabled());
        stage.tick("stopsAtBytes").setChecked(true);
        QVERIFY(megabytes->isEnabled());
        auto* minutesToKeep = stage.page.findChild<QSpinBox*>("keepMinutes");
        auto* megabytesToKeep = stage.page.findChild<QSpinBox*>("keepMegabytes");
        QVERIFY(!minutesToKeep->isEnabled());
        stage.tick("keepsLast").setChecked(true);
        QVERIFY(minutesToKeep->isEnabled() && minutesToKeep->isVisible() && !megabytesToKeep->isVisible());
        stage.page.findChild<QComboBox*>("keepUnit")->setCurrentIndex(1);
        QVERIFY(!minutesToKeep->isVisible() && megabytesToKeep->isVisible());
    }
    void showsTheCost() {
        RecordPageStage stage;
        const auto plain = stage.words("recordCost");
        stage.tick("recordFreeStacks").setChecked(true);
        QVERIFY(stage.words("recordCost").contains("of frees"));
        stage.tick("compressFile").setChecked(false);
        QVERIFY(stage.words("recordCost").contains("155 bytes"));
        stage.tick("recordFreeStacks").setChecked(false);
        QVERIFY(stage.words("recordCost") != plain);
        QVERIFY(stage.words("fileCost").contains("about four times larger"));
    }
};
HIGHWATER_TEST(RecordPageTest);
#include "record_page_test.moc"
