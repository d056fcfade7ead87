#include "app/window/window_pages.h"

#include "tests/app/window/pages_stage.h"
#include "tests/support/test_registry.h"

#include <QAction>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using app::WindowPages;

class WindowPagesTest : public QObject {
    Q_OBJECT
  private slots:
    void beginsWithTheStartPage() {
        PagesStage stage;
        QVERIFY(stage.start.isVisible() && !stage.pages.isTraceShown() && !stage.pages.isAway());
        QCOMPARE(stage.window.windowTitle(), "Highwater");
        QVERIFY(!stage.toStart().isEnabled());
    }
    void showsTheTraceWithItsDocks() {
        PagesStage stage;
        QSignalSpy restored(&stage.pages, &WindowPages::layoutRestored);
        QSignalSpy shown(&stage.pages, &WindowPages::traceShown);
        stage.pages.setTitle("a.etl");
        stage.pages.showTrace();
        QVERIFY(stage.pages.isTraceShown() && stage.tabs.isVisible() && stage.explorer.isVisible());
        QCOMPARE(stage.window.windowTitle(), "a.etl - Highwater");
        QVERIFY(stage.toStart().isEnabled() && stage.explorer.toggleViewAction()->isEnabled());
        QCOMPARE(restored.size(), 1);
        QCOMPARE(shown.size(), 1);
    }
    void goesToTheStartPageAndBack() {
        PagesStage stage;
        stage.pages.showTrace();
        QSignalSpy started(&stage.pages, &WindowPages::startShown);
        stage.toStart().trigger();
        QCOMPARE(started.size(), 1);
        QVERIFY(stage.pages.isAway() && stage.start.isVisible() && !stage.explorer.isVisible());
        QVERIFY(!stage.explorer.toggleViewAction()->isEnabled());
        stage.pages.setOpenTrace("a.etl is open.");
        auto* back = stage.start.findChild<QPushButton*>("backToTrace");
        QVERIFY(back->isVisible());
        back->click();
        QVERIFY(!stage.pages.isAway() && stage.tabs.isVisible() && stage.explorer.isVisible());
        QVERIFY(!back->isVisibleTo(&stage.start));
    }
    void startPageShowsTheOpenTraceOnlyWhileAway() {
        PagesStage stage;
        stage.pages.setOpenTrace("a.etl is open.");
        QVERIFY(!stage.start.findChild<QPushButton*>("backToTrace")->isVisible());
    }
    void namesTheFleetWhileItsPageIsShown() {
        PagesStage stage;
        stage.pages.setTitle("a.etl");
        stage.pages.showTrace();
        stage.fleet.toggleAction()->trigger();
        QVERIFY(stage.pages.isFleetShown() && stage.pages.isAway());
        QCOMPARE(stage.window.windowTitle(), "Fleet - Highwater");
        stage.fleet.toggleAction()->trigger();
        QVERIFY(stage.pages.isTraceShown());
        QCOMPARE(stage.window.windowTitle(), "a.etl - Highwater");
    }
    void leavesTheFleetForTheStartPageWhereNothingIsOpen() {
        PagesStage stage;
        stage.fleet.toggleAction()->trigger();
        QVERIFY(stage.pages.isFleetShown() && !stage.pages.isAway());
        stage.fleet.toggleAction()->trigger();
        QVERIFY(stage.start.isVisible());
    }
    void givesTheFocusBack() {
        PagesStage stage;
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        auto* line = new QPushButton(&stage.tabs);
        stage.pages.showTrace();
        line->setFocus();
        QVERIFY(line->hasFocus());
        stage.pages.goToStart();
        stage.pages.backToTrace();
        QVERIFY(line->hasFocus());
        stage.pages.goToStart();
        stage.pages.beginTrace(); // nothing of the next trace had the focus
        stage.pages.showTrace();
        QVERIFY(!line->hasFocus());
    }
    /// Opening may fail.
    void isStillAwayFromATraceThatWasKept() {
        PagesStage stage;
        stage.pages.showTrace();
        stage.pages.goToStart();
        stage.pages.beginTrace();
        QVERIFY(!stage.pages.isAway());
        stage.pages.keepTrace();
        QVERIFY(stage.pages.isAway());
        stage.toStart().trigger();
        QVERIFY(stage.pages.isTraceShown());
    }
    void hidesPagesOfAClosedTrace() {
        PagesStage stage;
        stage.pages.setTitle("a.etl");
        stage.pages.showTrace();
        stage.pages.closeTrace();
        QVERIFY(stage.start.isVisible() && !stage.explorer.isVisible() && !stage.toStart().isEnabled());
        QCOMPARE(stage.window.windowTitle(), "Highwater");
    }
    void keepsTheLayoutOfTheTraceAlone() {
        PagesStage stage;
        stage.pages.keepLayout();
        QVERIFY(stage.settings.windowState().isEmpty()); // the start page has none
        stage.pages.showTrace();
        stage.pages.keepLayout();
        QVERIFY(!stage.settings.windowState().isEmpty());
        stage.window.addDockWidget(Qt::RightDockWidgetArea, &stage.explorer);
        stage.pages.showTrace();
        QCOMPARE(stage.window.dockWidgetArea(&stage.explorer), Qt::LeftDockWidgetArea);
    }
};
HIGHWATER_TEST(WindowPagesTest);
#include "window_pages_test.moc"
