#include "tests/app/main_window_test/window_user.h"
#include "tests/app/tools/rows_page.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QAction>
#include <QDockWidget>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// The window with a trace, and the page in it.
struct RowsStage : WindowStage {
    explicit RowsStage(const QString& path) : isReady(open({path}) && showOnly(analysis::Table::Heap)) {}
    [[nodiscard]] QString text() const { return page->shownView().text(); }

    bool isReady;
    RowsPage* page = new RowsPage(window.tabs(), window);
};

} // namespace

/// Behaviour that all pages share, tested with a page that only this test has.
class AskingPageTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }

    void asksNothingUntilItIsOpened() {
        RowsStage stage(path_);
        QVERIFY(stage.isReady);
        QTest::qWait(50);
        QVERIFY(!stage.page->isOpen());
        QCOMPARE(stage.page->asked, 0);
        QVERIFY(stage.page->isUpToDate());
        QCOMPARE(stage.text(), RowsView::emptyText());
    }
    void showsTheAnswerAndTakesTheFocus() {
        RowsStage stage(path_);
        QVERIFY(stage.isReady);
        QSignalSpy names(stage.page, &app::Page::namesWanted);
        QSignalSpy settled(stage.page, &app::Page::upToDate);
        stage.page->toggleAction()->trigger();
        QTRY_VERIFY(stage.text().endsWith(" rows"));
        QTRY_VERIFY(stage.page->isUpToDate()); // names of functions may make it ask again
        QVERIFY(!settled.isEmpty());
        QVERIFY(!names.isEmpty());
        QVERIFY(stage.page->shownView().wasBusy);
        QCOMPARE(stage.window.focusWidget(), &stage.page->shownView().line());
    }
    void asksAgainWhenTheGraphOrItsIntervalChanges() {
        RowsStage stage(path_);
        QVERIFY(stage.isReady);
        stage.page->show();
        QTRY_VERIFY(stage.text().endsWith(" rows"));
        const auto before = stage.page->asked;
        auto& state = stage.window.tabs().current().state();
        const auto whole = state.wholeRange();
        state.zoomTo({whole.start, {whole.start.ns + (whole.end.ns - whole.start.ns) / 2}});
        QTRY_COMPARE(stage.page->asked, before + 1);
        stage.window.tabs().current().showGraph(analysis::Table::VirtualAlloc);
        QTRY_COMPARE(stage.text(), "Only heaps are counted."); // the reason for the missing answer
        QTRY_VERIFY(stage.page->isUpToDate());
    }
    /// Otherwise, a busy machine would never answer while a trace grows: names come and go several times a second.
    void aRunningQuestionIsAnsweredWhileNamesComeAndGo() {
        RowsStage stage(path_);
        QVERIFY(stage.isReady);
        stage.page->show();
        QTRY_VERIFY(stage.text().endsWith(" rows"));
        QTRY_VERIFY(stage.page->isUpToDate());
        const auto before = stage.page->asked;
        isCountingHeld = true;
        auto& state = stage.window.tabs().current().state();
        const auto whole = state.wholeRange();
        state.zoomTo({whole.start, {whole.start.ns + (whole.end.ns - whole.start.ns) / 2}});
        QTRY_COMPARE(stage.page->asked, before + 1);
        const int cancelled = cancelledCounts;
        for (const bool coming : {true, false, true, false}) {
            stage.window.tabs().shown().setNamesComing(coming);
            QTest::qWait(10);
        }
        QVERIFY(stage.page->asked > before + 1);
        isCountingHeld = false;
        QTRY_VERIFY(stage.page->isUpToDate());
        QCOMPARE(cancelledCounts, cancelled);
    }
    void asksNothingWhileItIsHidden() {
        RowsStage stage(path_);
        QVERIFY(stage.isReady);
        stage.page->show();
        QTRY_VERIFY(stage.page->asked > 0);
        stage.page->toggleAction()->trigger();
        QTRY_VERIFY(!stage.page->isOpen());
        const auto before = stage.page->asked;
        stage.window.tabs().current().state().showAll();
        QTest::qWait(50);
        QCOMPARE(stage.page->asked, before);
    }
};

HIGHWATER_TEST(AskingPageTest);
#include "asking_page_test.moc"
