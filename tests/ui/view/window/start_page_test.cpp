#include "ui/view/window/start_page.h"

#include "tests/support/test_registry.h"

#include <QCommandLinkButton>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace highwater::ui;

namespace {

struct StartPageStage {
    StartPage page;

    StartPageStage() {
        page.resize(900, 700);
        page.show();
    }
    QTreeWidget& recent() { return *page.findChild<QTreeWidget*>("recentTraces"); }
    QString cell(int row, int column) { return recent().topLevelItem(row)->text(column); }
    void click(const char* choice) { QTest::mouseClick(page.findChild<QCommandLinkButton*>(choice), Qt::LeftButton); }
    /// Those that are shown. They come and go in the next turn of the event loop.
    QList<QWidget*> strips() {
        QList<QWidget*> shown;
        for (auto* strip : page.findChildren<QWidget*>("lostRecording")) {
            if (strip->isVisibleTo(&page)) shown << strip;
        }
        return shown;
    }
};

RecentTrace recentTrace(QStringList paths) {
    return {std::move(paths), 3 << 20, QDateTime(QDate(2026, 1, 2), QTime(3, 4)), 0, RecentTrace::State::Same};
}

} // namespace

class StartPageTest : public QObject {
    Q_OBJECT
  private slots:
    void namesATraceByItsFirstFile() {
        QCOMPARE(nameOfTrace({}), "");
        QCOMPARE(nameOfTrace({"/x/a.etl"}), "a.etl");
        QCOMPARE(nameOfTrace({"/x/a.etl", "/y/b.etl", "/y/c.etl"}), "a.etl (+2 more)");
    }
    void asksForWhatIsClicked() {
        StartPageStage stage;
        QSignalSpy record(&stage.page, &StartPage::recordWanted);
        QSignalSpy open(&stage.page, &StartPage::openWanted);
        QSignalSpy example(&stage.page, &StartPage::exampleWanted);
        stage.click("recordChoice");
        QVERIFY(record.size() == 1 && open.isEmpty() && example.isEmpty());
        stage.click("openChoice");
        QVERIFY(record.size() == 1 && open.size() == 1 && example.isEmpty());
        stage.page.setHasExample(true);
        stage.click("exampleChoice");
        QCOMPARE(example.size(), 1);
    }
    void offersTheExampleOnlyWhereItIs() {
        StartPageStage stage;
        auto* example = stage.page.findChild<QCommandLinkButton*>("exampleChoice");
        QVERIFY(!example->isVisible());
        stage.page.setHasExample(true);
        QVERIFY(example->isVisible());
        stage.page.setHasExample(false);
        QVERIFY(!example->isVisible());
    }
    void listsRecentTraces() {
        StartPageStage stage;
        QVERIFY(!stage.recent().isVisible());
        auto timed = recentTrace({"/x/b.etl", "/x/c.etl"});
        timed.durationNs = 2'000'000'000;
        stage.page.setRecentTraces({recentTrace({"/x/a.etl"}), timed});
        QVERIFY(stage.recent().isVisible());
        QCOMPARE(stage.recent().topLevelItemCount(), 2);
        QCOMPARE(stage.cell(0, 0), "a.etl");
        QCOMPARE(stage.cell(0, 1), "3.0 MB");
        QCOMPARE(stage.cell(0, 2), ""); // not known
        QCOMPARE(stage.cell(1, 0), "b.etl (+1 more)");
        QVERIFY(!stage.cell(1, 2).isEmpty());
        stage.page.setRecentTraces({});
        QVERIFY(!stage.recent().isVisible());
    }
    void opensAllFilesOfARecentTrace() {
        StartPageStage stage;
        const QStringList paths{"/x/b.etl", "/x/c.etl"};
        stage.page.setRecentTraces({recentTrace({"/x/a.etl"}), recentTrace(paths)});
        QSignalSpy wanted(&stage.page, &StartPage::recentWanted);
        emit stage.recent().itemActivated(stage.recent().topLevelItem(1), 0);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toStringList(), paths);
    }
    void saysWhatBecameOfARecentTrace() {
        StartPageStage stage;
        auto changed = recentTrace({"/x/a.etl"}), missing = changed;
        changed.state = RecentTrace::State::Changed;
        missing.state = RecentTrace::State::Missing;
        stage.page.setRecentTraces({changed, missing});
        QCOMPARE(stage.cell(0, 0), "a.etl (changed since)");
        QCOMPARE(stage.cell(1, 0), "a.etl (missing)");
    }
    void asksForALostRecordingByItsNumber() {
        StartPageStage stage;
        QVERIFY(stage.strips().isEmpty());
        stage.page.setLostRecordings({"Unsaved recording of a", "Unsaved recording of b"});
        QTRY_COMPARE(stage.strips().size(), 2);
        QCOMPARE(stage.strips()[1]->findChild<QLabel*>()->text(), "Unsaved recording of b");
        QSignalSpy recover(&stage.page, &StartPage::recoverWanted), discard(&stage.page, &StartPage::discardWanted);
        stage.strips()[1]->findChild<QPushButton*>("recover")->click();
        stage.strips()[0]->findChild<QPushButton*>("discard")->click();
        QCOMPARE(recover.size(), 1);
        QCOMPARE(recover[0][0].toInt(), 1);
        QCOMPARE(discard.size(), 1);
        QCOMPARE(discard[0][0].toInt(), 0);
    }
    void replacesLostRecordingsWhileOneOfTheirButtonsIsClicked() {
        StartPageStage stage;
        stage.page.setLostRecordings({"a", "b"});
        QTRY_COMPARE(stage.strips().size(), 2);
        connect(&stage.page, &StartPage::discardWanted, &stage.page, [&] { stage.page.setLostRecordings({"b"}); });
        stage.strips()[0]->findChild<QPushButton*>("discard")->click();
        QTRY_COMPARE(stage.strips().size(), 1);
        QCOMPARE(stage.strips()[0]->findChild<QLabel*>()->text(), "b");
    }
};
HIGHWATER_TEST(StartPageTest);
#include "start_page_test.moc"
