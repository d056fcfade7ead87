#include "ui/view/recording/record_bar.h"

#include "ui/theme/theme_colors.h"

#include "tests/support/test_registry.h"

#include <QAction>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace highwater::ui;

namespace {

RecordBarFacts goingOn() {
    RecordBarFacts facts;
    facts.isOpen = facts.isRecording = facts.canSave = true;
    facts.name = "app";
    facts.pid = 4242;
    facts.elapsedMs = 3'723'999;
    facts.events = 1'234'567;
    facts.eventsPerSecond = 2000;
    facts.eventsLost = 3;
    facts.fileBytes = 5 << 20;
    return facts;
}

QString enabledCommands(const RecordBar& bar) {
    QStringList names;
    for (const auto* action : {bar.recordAction(), bar.stopAction(), bar.saveAction(), bar.markAction(),
                               bar.snapshotAction(), bar.discardAction()}) {
        if (action->isEnabled()) names << action->objectName();
    }
    return names.join(' ');
}

} // namespace

class RecordBarTest : public QObject {
    Q_OBJECT
  private slots:
    void offersOnlyToRecordAtFirst() {
        const RecordBar bar;
        QCOMPARE(enabledCommands(bar), "record");
        QVERIFY(!bar.followAction()->isVisible());
        QCOMPARE(bar.words().trimmed(), "");
    }
    void marksATraceThatIsOpen() {
        RecordBar bar;
        RecordBarFacts facts;
        facts.hasTrace = true;
        bar.setFacts(facts);
        QCOMPARE(enabledCommands(bar), "record markRecording takeSnapshot");
        QVERIFY2(bar.markAction()->toolTip().contains("cursor"), qPrintable(bar.markAction()->toolTip()));
        facts = goingOn();
        facts.hasTrace = true;
        facts.events = 0; // no event has arrived yet that a mark could refer to
        bar.setFacts(facts);
        QVERIFY(!bar.markAction()->isEnabled());
    }
    void showsInAmberHowMuchIsNotRecorded() {
        RecordBar bar;
        auto facts = goingOn();
        facts.privateBytes = {100 << 20, 158 << 20};
        bar.setFacts(facts);
        const auto* memory = bar.findChild<QLabel*>("recordMemory");
        QCOMPARE(memory->text(), "private 158.0 MB");
        QVERIFY(!memory->autoFillBackground() && memory->toolTip().isEmpty());
        facts.unrecordedBytes = 49 << 20;
        bar.setFacts(facts);
        QCOMPARE(memory->text(), "private 158.0 MB   ⚠ 49.0 MB not recorded");
        QVERIFY(memory->autoFillBackground() && !memory->toolTip().isEmpty());
        bar.resize(1000, bar.sizeHint().height());
        bar.show();
        const auto picture = bar.findChild<QLabel*>("recordMemory")->grab().toImage();
        QCOMPARE(picture.pixelColor(0, 0), amberGround(bar.palette()));
        bar.setFacts(goingOn()); // the next recording
        QVERIFY(memory->text().isEmpty() && !memory->autoFillBackground());
    }
    void showsTheStateOfARecording() {
        RecordBar bar;
        bar.setFacts(goingOn());
        QCOMPARE(bar.words(), "app (4242) 01:02:03   1,234,567 events   2,000/s   3 lost   file 5.0 MB");
        QCOMPARE(enabledCommands(bar), "stopRecording saveRecording markRecording takeSnapshot discardRecording");
        QVERIFY(bar.followAction()->isVisible());
    }
    void showsEndedRecordings() {
        RecordBar bar;
        auto facts = goingOn();
        facts.isRecording = false;
        const auto words = [&] {
            bar.setFacts(facts);
            return bar.words().section("   ", 0, 0);
        };
        QCOMPARE(words(), "app (4242) ended");
        facts.isStopped = true;
        QCOMPARE(words(), "app (4242) stopped");
        facts.ranOn = true;
        QCOMPARE(words(), "app (4242) stopped while the program was running");
        facts.end = "ended by signal 9 (SIGKILL)"; // known after all
        QCOMPARE(words(), "app (4242) ended by signal 9 (SIGKILL)");
    }
    void offersNotToWaitForNames() {
        RecordBar bar;
        auto facts = goingOn();
        facts.isCollectingNames = true;
        bar.setFacts(facts);
        QCOMPARE(bar.words(),
                 "app (4242) collecting names of managed code   01:02:03   1,234,567 events   3 lost   file 5.0 MB");
        QCOMPARE(bar.stopAction()->text(), "S&kip Names");
        QCOMPARE(bar.stopAction()->iconText(), "Skip Names");
        QVERIFY2(bar.stopAction()->toolTip().contains("address"), qPrintable(bar.stopAction()->toolTip()));
        facts.isCollectingNames = false;
        bar.setFacts(facts);
        QCOMPARE(bar.stopAction()->text(), "S&top");
        QCOMPARE(bar.stopAction()->iconText(), "Stop");
    }
    void showsThatARecordingHasEnded() {
        RecordBar bar;
        auto facts = goingOn();
        facts.isRecording = false;
        bar.setFacts(facts);
        QCOMPARE(bar.words(), "app (4242) ended   01:02:03   1,234,567 events   3 lost   file 5.0 MB");
        QCOMPARE(enabledCommands(bar), "record saveRecording discardRecording");
        QVERIFY(!bar.followAction()->isVisible());
    }
    void marksNothingBeforeTheFirstEvent() {
        RecordBar bar;
        auto facts = goingOn();
        facts.events = 0;
        facts.pid = 0;
        bar.setFacts(facts);
        QVERIFY(!bar.markAction()->isEnabled());
        QVERIFY(bar.words().startsWith("app 01:02:03"));
    }
    void showsTheStartOfTheKeptPart() {
        RecordBar bar;
        auto facts = goingOn();
        facts.keptFromMs = 61'000;
        bar.setFacts(facts);
        QVERIFY(bar.words().endsWith("kept from 00:01:01 on"));
    }
    void showsPrivateBytesWhileTheyAreKnown() {
        RecordBar bar;
        const auto* memory = bar.findChild<QLabel*>("recordMemory");
        auto facts = goingOn();
        facts.privateBytes = {1 << 20, 3 << 20};
        bar.setFacts(facts);
        QCOMPARE(memory->text(), "private 3.0 MB");
        facts.privateBytes.clear();
        bar.setFacts(facts);
        QCOMPARE(memory->text(), "");
    }
    void omitsRemovedThings() {
        RecordBar bar;
        bar.setFacts(goingOn());
        bar.setFacts({});
        QCOMPARE(bar.words().trimmed(), "");
        QCOMPARE(bar.findChild<QLabel*>("recordNumbers")->toolTip(), "");
        QCOMPARE(enabledCommands(bar), "record");
    }
    void showsANameLiterally() {
        RecordBar bar;
        auto facts = goingOn();
        facts.name = "a\nb";
        bar.setFacts(facts);
        QVERIFY(!bar.words().contains('\n'));
    }
    void isNotTriggeredByTheProgram() {
        RecordBar bar;
        QSignalSpy triggered(bar.followAction(), &QAction::triggered);
        bar.setFollowing(true);
        QVERIFY(bar.followAction()->isChecked());
        QVERIFY(triggered.isEmpty());
    }
};
HIGHWATER_TEST(RecordBarTest);
#include "record_bar_test.moc"
