#include "ui/view/window/start_page.h"

#include "tests/support/test_registry.h"
#include "ui/theme/theme_colors.h"

#include <QApplication>
#include <QCommandLinkButton>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
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
    /// The visible ones. They come and go in the next turn of the event loop.
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
    /// Like Space.
    void enterPressesTheButtonThatHasTheFocus() {
        StartPageStage stage;
        stage.page.setLostRecordings({"A recording of app was not saved."});
        stage.page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.page));
        QSignalSpy record(&stage.page, &StartPage::recordWanted);
        QSignalSpy recover(&stage.page, &StartPage::recoverWanted);
        QSignalSpy back(&stage.page, &StartPage::backWanted);
        QTest::keyClick(stage.page.findChild<QCommandLinkButton*>("recordChoice"), Qt::Key_Return);
        QCOMPARE(record.size(), 1);
        QTest::keyClick(stage.page.findChild<QPushButton*>("recover"), Qt::Key_Enter);
        QCOMPARE(recover.size(), 1);
        stage.page.setOpenTrace("a.etl is open.");
        QTest::keyClick(stage.page.findChild<QPushButton*>("backToTrace"), Qt::Key_Return);
        QCOMPARE(back.size(), 1);
    }
    void requestsTheClickedEntry() {
        StartPageStage stage;
        QSignalSpy record(&stage.page, &StartPage::recordWanted);
        QSignalSpy open(&stage.page, &StartPage::openWanted);
        QSignalSpy example(&stage.page, &StartPage::exampleWanted);
        stage.click("recordChoice");
        QVERIFY(record.size() == 1 && open.isEmpty() && example.isEmpty());
        QSignalSpy attach(&stage.page, &StartPage::attachWanted);
        stage.click("attachChoice");
        QVERIFY(attach.size() == 1 && record.size() == 1);
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
        QCOMPARE(stage.cell(0, 1), QDir::toNativeSeparators("/x"));
        QCOMPARE(stage.cell(0, 2), "3.0 MB");
        QCOMPARE(stage.cell(0, 3), ""); // not known
        QCOMPARE(stage.cell(1, 0), "b.etl (+1 more)");
        QVERIFY(!stage.cell(1, 3).isEmpty());
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
    void showsTheStateOfARecentTrace() {
        StartPageStage stage;
        auto changed = recentTrace({"/x/a.etl"}), missing = changed;
        changed.state = RecentTrace::State::Changed;
        missing.state = RecentTrace::State::Missing;
        stage.page.setRecentTraces({changed, missing});
        QCOMPARE(stage.cell(0, 0), "a.etl (changed since)");
        QCOMPARE(stage.cell(1, 0), "a.etl (missing)");
    }
    void drawsTheOutlineOfARecentTrace() {
        StartPageStage stage;
        auto plain = recentTrace({"/x/a.etl"}), drawn = plain;
        drawn.outline = {0, 255, 10, 255, 0};
        stage.page.setRecentTraces({plain, drawn});
        const auto ink = [&](int row) {
            const auto picture = stage.recent().topLevelItem(row)->icon(0).pixmap(stage.recent().iconSize()).toImage();
            int count = 0;
            for (int x = 0; x < picture.width(); ++x)
                for (int y = 0; y < picture.height(); ++y)
                    count += picture.pixelColor(x, y).alpha() > 0 ? 1 : 0;
            return count;
        };
        QCOMPARE(ink(0), 0);
        QVERIFY(ink(1) > 100);
    }
    void delRemovesFromTheListAndTheNextIsCurrent() {
        StartPageStage stage;
        QList<RecentTrace> traces{recentTrace({"/x/a.etl"}), recentTrace({"/x/b.etl"}), recentTrace({"/x/c.etl"})};
        stage.page.setRecentTraces(traces);
        connect(&stage.page, &StartPage::removeWanted, &stage.page, [&](const QStringList& paths) {
            traces.removeIf([&](const RecentTrace& trace) { return trace.paths == paths; });
            stage.page.setRecentTraces(traces);
        });
        stage.page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.page));
        stage.recent().setFocus();
        stage.recent().setCurrentItem(stage.recent().topLevelItem(1));
        QTest::keyClick(&stage.recent(), Qt::Key_Delete);
        QCOMPARE(stage.recent().topLevelItemCount(), 2);
        QCOMPARE(stage.recent().currentItem()->text(0), "c.etl");
        QTest::keyClick(&stage.recent(), Qt::Key_Delete);
        QTest::keyClick(&stage.recent(), Qt::Key_Delete);
        QTest::keyClick(&stage.recent(), Qt::Key_Delete); // the list is empty
        QCOMPARE(stage.recent().topLevelItemCount(), 0);
        QVERIFY(!stage.recent().isVisible());
    }
    void tabReachesEveryPart() {
        StartPageStage stage;
        stage.page.setHasExample(true);
        stage.page.setLostRecordings({"a"});
        stage.page.setRecentTraces({recentTrace({"/x/a.etl"})});
        stage.page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.page));
        auto* first = stage.page.findChild<QCommandLinkButton*>("recordChoice");
        first->setFocus();
        QStringList reached{first->objectName()};
        for (int i = 0; i < 6; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            reached << QApplication::focusWidget()->objectName();
        }
        QCOMPARE(reached, (QStringList{"recordChoice", "attachChoice", "openChoice", "exampleChoice", "recover",
                                       "discard", "recentTraces"}));
    }
    /// The space for it in a window of 1000x700.
    void fitsASmallWindowWhole() {
        StartPageStage stage;
        stage.page.setHasExample(true);
        stage.page.setLostRecordings({"Unsaved recording of a", "of b", "of c", "of d"});
        QList<RecentTrace> traces;
        for (int i = 0; i < 10; ++i)
            traces << recentTrace({QStringLiteral("/a/folder/with a long name/and/another/%1.etl").arg(i)});
        stage.page.setRecentTraces(traces);
        stage.page.resize(1000, 600);
        auto* scroll = stage.page.findChild<QScrollArea*>("startScroll");
        QTRY_VERIFY(!scroll->verticalScrollBar()->isVisible() && !scroll->horizontalScrollBar()->isVisible());
        for (const QWidget* choice : stage.page.findChildren<QCommandLinkButton*>())
            QVERIFY2(choice->height() >= choice->heightForWidth(choice->width()), qPrintable(choice->objectName()));
        QVERIFY(!stage.recent().horizontalScrollBar()->isVisible());
        auto* lost = stage.page.findChild<QScrollArea*>("lostRecordings");
        QVERIFY(lost->verticalScrollBar()->maximum() > 0); // the others can be scrolled to
        stage.page.resize(1000, 300);
        QTRY_VERIFY(scroll->verticalScrollBar()->isVisible()); // nothing is squeezed
    }
    void paintsItsPictureInTheColoursOfTheTheme() {
        StartPageStage stage;
        auto* picture = stage.page.findChild<QWidget*>("examplePicture");
        QVERIFY(picture && picture->isVisible() && !picture->accessibleDescription().isEmpty());
        const auto series = themeColors(picture->palette()).series;
        const auto drawn = picture->grab().toImage();
        int first = 0, second = 0;
        for (int x = 0; x < drawn.width(); ++x) {
            for (int y = 0; y < drawn.height(); ++y) {
                first += drawn.pixel(x, y) == series[0] ? 1 : 0;
                second += drawn.pixel(x, y) == series[1] ? 1 : 0;
            }
        }
        QVERIFY2(first > 50 && second > 20, qPrintable(QStringLiteral("%1 %2").arg(first).arg(second)));
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
