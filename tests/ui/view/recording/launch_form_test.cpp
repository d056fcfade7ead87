#include "ui/view/recording/launch_form.h"

#include "tests/support/test_registry.h"
#include "tests/ui/view/recording/record_page_stage.h"

#include <QAbstractButton>
#include <QDir>
#include <QFile>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace highwater;
using namespace highwater::ui;
using tests::everyChoiceOther;
using tests::RecordPageStage;

/// A part of the Record page.
class LaunchFormTest : public QObject {
    Q_OBJECT
  private slots:
    /// Arguments, folder and environment belong to the program that they were entered for.
    void givesNothingOfAProgramToAnother() {
        RecordPageStage stage;
        stage.page.setChoices(everyChoiceOther());
        stage.type("launchProgram", "/opt/other");
        QCOMPARE(stage.page.choices().program, "/opt/other");
        QCOMPARE(stage.page.choices().arguments, "");
        QCOMPARE(stage.page.choices().folder, "");
        QCOMPARE(stage.page.choices().environment, QStringList());
        QVERIFY(stage.strip("launchNote").isVisible());
        QVERIFY2(stage.strip("launchNote").message().contains("/opt/app"),
                 qPrintable(stage.strip("launchNote").message()));
        stage.follow("launchNote"); // on request they are restored
        QCOMPARE(stage.page.choices().arguments, everyChoiceOther().arguments);
        QCOMPARE(stage.page.choices().folder, "/tmp");
        QCOMPARE(stage.page.choices().environment, everyChoiceOther().environment);
    }
    void givesNothingToAProgramThatIsStartedAtOnce() {
        RecordPageStage stage;
        QSignalSpy started(&stage.page, &RecordPage::startWanted);
        stage.page.setChoices(everyChoiceOther());
        stage.field("launchProgram").setFocus();
        stage.field("launchProgram").selectAll();
        QTest::keyClicks(&stage.field("launchProgram"), "/opt/other");
        stage.button("startRecording").click(); // as by its key: the focus stays in the field
        QCOMPARE(started.count(), 1);
        QCOMPARE(started[0][0].value<RecordChoices>().arguments, "");
        QCOMPARE(started[0][0].value<RecordChoices>().environment, QStringList());
    }
    void keepsTypedTextForACorrectedProgram() {
        RecordPageStage stage;
        stage.type("launchArguments", "--all"); // before the program
        stage.type("launchProgram", "ap");
        QCOMPARE(stage.page.choices().arguments, "--all");
        stage.button("startRecording").click();
        stage.page.showProblem("There is no program ap.");
        stage.type("launchProgram", "app");
        QCOMPARE(stage.page.choices().arguments, "--all");
        stage.type("launchProgram", "other");
        QCOMPARE(stage.page.choices().arguments, "");
    }
    void takesAWholeCommandLine() {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("my programs"));
        QFile program(folder.filePath("my programs/app"));
        QVERIFY(program.open(QFile::WriteOnly));
        RecordPageStage stage;
        stage.type("launchProgram", program.fileName() + "  --port 80 'a b'");
        QCOMPARE(stage.page.choices().program, program.fileName());
        QCOMPARE(stage.page.choices().arguments, "--port 80 'a b'");
        stage.type("launchProgram", program.fileName() + " --port 81"); // instead of the others
        QCOMPARE(stage.page.choices().arguments, "--port 81");
        stage.type("launchProgram", "sh -c true"); // on the PATH; another program
        QCOMPARE(stage.page.choices().program, "sh");
        QCOMPARE(stage.page.choices().arguments, "-c true");
        QCOMPARE(stage.strip("launchNote").message(), QString("Cleared the arguments of %1.").arg(program.fileName()));
        stage.type("launchProgram", "no-such-program --all"); // the start reports it
        QCOMPARE(stage.page.choices().program, "no-such-program --all");
    }
    /// Arguments that were typed before the program stay behind those of the command line.
    void addsTypedArgumentsToACommandLine() {
        RecordPageStage stage;
        stage.type("launchArguments", "--all");
        stage.type("launchProgram", "sh -c true");
        QCOMPARE(stage.page.choices().arguments, "-c true --all");
    }
    /// A former program restores its own settings, by mouse and by key.
    void offersFormerPrograms() {
        RecordPageStage stage;
        QSignalSpy started(&stage.page, &RecordPage::startWanted);
        auto& list = *stage.page.findChild<QTreeWidget*>("launchTargets");
        QVERIFY(!list.isVisible());
        const LaunchTarget one{"/opt/one", "--all", "/tmp", {"A=1"}}, two{"two", "", "", {}};
        stage.page.setFormerTargets({one, two});
        QVERIFY(list.isVisible());
        stage.clickFormer(0);
        QCOMPARE(targetOf(stage.page.choices()), one);
        QVERIFY(stage.page.findChild<QPlainTextEdit*>("launchEnvironment")->isVisible());
        QVERIFY(!stage.strip("launchNote").isVisible()); // no typed text was lost
        stage.clickFormer(1);
        QCOMPARE(targetOf(stage.page.choices()), two);
        QVERIFY(!stage.page.findChild<QPlainTextEdit*>("launchEnvironment")->isVisible());
        QVERIFY(started.isEmpty());
        QTest::keyClick(&list, Qt::Key_Up);
        QTest::keyClick(&list, Qt::Key_Return);
        QCOMPARE(started.count(), 1);
        QCOMPARE(targetOf(started[0][0].value<RecordChoices>()), one);
    }
    void reportsTheEnvironmentOfAFormerProgram() {
        RecordPageStage stage;
        const LaunchTarget one{"/opt/one", "", "", {"TOKEN=secret", "B=2", "C=3"}}, two{"two", "", "", {"A=1"}};
        stage.page.setFormerTargets({one, two});
        const auto& list = *stage.page.findChild<QTreeWidget*>("launchTargets");
        QCOMPARE(list.topLevelItem(0)->text(2), "TOKEN=…, 3 variables");
        QCOMPARE(list.topLevelItem(1)->text(2), "A=…");
        QVERIFY(list.topLevelItem(0)->toolTip(0).contains("TOKEN, B, C"));
        QVERIFY(!list.topLevelItem(0)->toolTip(0).contains("secret"));
    }
    /// As after a restart of Highwater: only the names of variables are known.
    void reportsMissingVariables() {
        RecordPageStage stage;
        QSignalSpy started(&stage.page, &RecordPage::startWanted);
        auto& list = *stage.page.findChild<QTreeWidget*>("launchTargets");
        auto& environment = *stage.page.findChild<QPlainTextEdit*>("launchEnvironment");
        LaunchTarget one{"/opt/one", "", "", {}};
        one.forgotten = {"TOKEN", "PLACE"};
        stage.page.setFormerTargets({one});
        QCOMPARE(list.topLevelItem(0)->text(2), "TOKEN=…, 2 variables (not saved)");
        stage.clickFormer(0);
        QVERIFY(stage.strip("launchNote").isVisible());
        QVERIFY2(stage.strip("launchNote").message().contains("TOKEN, PLACE"),
                 qPrintable(stage.strip("launchNote").message()));
        QVERIFY(environment.isVisible());
        const auto* fold = stage.page.findChild<QAbstractButton*>("foldEnvironment");
        QVERIFY2(fold->text().contains("2 not saved"), qPrintable(fold->text()));
        // Neither Enter nor a double click starts it without a word.
        list.setFocus();
        list.setCurrentItem(list.topLevelItem(0));
        QTest::keyClick(&list, Qt::Key_Return);
        QCOMPARE(started.count(), 0);
        QCOMPARE(stage.page.focusWidget(), &environment);
        QTest::keyClicks(&environment, "TOKEN=1");
        QCOMPARE(stage.page.choices().forgotten, QStringList{"PLACE"});
        stage.button("startRecording").click(); // after reading the message, the user may do without
        QCOMPARE(started.count(), 1);
        QCOMPARE(started[0][0].value<RecordChoices>().environment, QStringList{"TOKEN=1"});
        QCOMPARE(started[0][0].value<RecordChoices>().forgotten, QStringList{"PLACE"}); // still passed on
    }
    void restoresTheFormReplacedByAFormerProgram() {
        RecordPageStage stage;
        stage.page.setFormerTargets({{"two", "--two", "", {}}});
        stage.type("launchProgram", "typed");
        stage.type("launchArguments", "--by hand");
        const auto typed = targetOf(stage.page.choices());
        stage.clickFormer(0);
        QCOMPARE(stage.page.choices().arguments, "--two");
        QVERIFY(stage.strip("launchNote").isVisible());
        stage.follow("launchNote");
        QCOMPARE(targetOf(stage.page.choices()), typed);
    }
    void takesFormerProgramsOffTheListAndBack() {
        RecordPageStage stage;
        QSignalSpy changes(&stage.page, &RecordPage::formerTargetsChanged);
        const LaunchTarget one{"one", "", "", {}}, two{"two", "", "", {}};
        stage.page.setFormerTargets({one, two});
        auto& list = *stage.page.findChild<QTreeWidget*>("launchTargets");
        list.setFocus();
        list.setCurrentItem(list.topLevelItem(0));
        QTest::keyClick(&list, Qt::Key_Delete);
        QCOMPARE(list.topLevelItemCount(), 1);
        QCOMPARE(changes.last()[0].value<QList<LaunchTarget>>(), QList<LaunchTarget>{two});
        QTest::keyClick(&list, Qt::Key_Delete);
        QTest::keyClick(&list, Qt::Key_Delete); // the list is already empty
        QVERIFY(!list.isVisible());
        stage.follow("launchNote");
        QCOMPARE(list.topLevelItemCount(), 1);
        QCOMPARE(changes.last()[0].value<QList<LaunchTarget>>(), QList<LaunchTarget>{two});
    }
    void foldsTheEnvironmentAwayWhereItIsEmpty() {
        RecordPageStage stage;
        auto& text = *stage.page.findChild<QPlainTextEdit*>("launchEnvironment");
        auto& fold = *stage.page.findChild<QAbstractButton*>("foldEnvironment");
        QVERIFY(!text.isVisible());
        QTest::mouseClick(&fold, Qt::LeftButton);
        QVERIFY(text.isVisible());
        text.setPlainText("A=1\n\nB=2");
        QVERIFY2(fold.text().contains("2"), qPrintable(fold.text())); // also shown while it is folded
        QTest::mouseClick(&fold, Qt::LeftButton);
        QVERIFY(!text.isVisible());
        stage.page.setChoices({});
        QVERIFY(!text.isVisible());
        stage.page.setChoices(everyChoiceOther());
        QVERIFY(text.isVisible());
    }
    void enterInAFieldStartsOnce() {
        RecordPageStage stage;
        QSignalSpy started(&stage.page, &RecordPage::startWanted);
        int times = 0;
        for (const auto* name : {"launchProgram", "launchArguments"}) {
            auto& field = stage.field(name);
            field.setFocus();
            QTest::keyClicks(&field, "app");
            QTest::keyClick(&field, Qt::Key_Return);
            QCOMPARE(started.count(), ++times);
        }
    }
    void showsAProblemBesideItsCause() {
        RecordPageStage stage;
        QSignalSpy started(&stage.page, &RecordPage::startWanted);
        auto& problem = stage.strip("recordProblem");
        const auto bottom = [&](const QWidget& widget) {
            return widget.mapTo(&stage.page, widget.rect().bottomLeft()).y();
        };
        stage.field("launchProgram").setText("app");
        stage.field("launchArguments").setText("'open");
        stage.button("startRecording").click();
        QCOMPARE(started.count(), 0);
        QVERIFY(problem.isVisible());
        QTRY_VERIFY(bottom(problem) > bottom(stage.field("launchArguments")));
        QVERIFY(bottom(problem) < bottom(stage.field("launchFolder")));
        QCOMPARE(stage.page.focusWidget(), &stage.field("launchArguments"));
        const auto* words = stage.page.findChild<QLabel*>("launchWords");
        QVERIFY2(!words->isVisible(), qPrintable(words->text())); // it would repeat the same
        stage.field("launchArguments").setText("'still open");
        QVERIFY(words->isVisible() && !problem.isVisible());
        stage.field("launchArguments").setText("open");
        QVERIFY(!problem.isVisible());
        auto& environment = *stage.page.findChild<QPlainTextEdit*>("launchEnvironment");
        environment.setPlainText("A=1\nno value");
        stage.button("startRecording").click();
        QCOMPARE(started.count(), 0);
        QVERIFY2(problem.isVisible() && problem.message().contains("no value"), qPrintable(problem.message()));
        QVERIFY(environment.isVisible()); // it was folded away
        QCOMPARE(environment.toPlainText(), "A=1\nno value");
        environment.setPlainText("A=1");
        stage.button("startRecording").click();
        QCOMPARE(started.count(), 1);
        stage.page.showProblem("There is no such folder.", RecordPage::Field::Folder);
        QTRY_VERIFY(bottom(problem) > bottom(stage.field("launchFolder")));
        QVERIFY(bottom(problem) < bottom(*stage.page.findChild<QWidget*>("foldEnvironment")));
    }
};
HIGHWATER_TEST(LaunchFormTest);
#include "launch_form_test.moc"
