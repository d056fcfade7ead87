#include "ui/state/linked_analyses.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"

#include <QSignalSpy>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

struct ThreeTabs {
    AnalysisState one, two, alone;
    LinkedAnalyses links;

    ThreeTabs() {
        for (auto* state : {&one, &two, &alone})
            state->reset({ms(0), ms(1000)});
        links.setLinked(one, true);
        links.setLinked(two, true);
    }
};

constexpr TimeRange kZoom{ms(200), ms(600)};

} // namespace

class LinkedAnalysesTest : public QObject {
    Q_OBJECT
  private slots:
    void aZoomIsSharedByThoseThatAreLinked() {
        ThreeTabs tabs;
        tabs.two.zoomTo(kZoom);
        QVERIFY(tabs.one.visibleRange() == kZoom);
        QVERIFY(!tabs.alone.isZoomed());
        tabs.one.back();
        QVERIFY(!tabs.two.isZoomed());
    }
    void aSelectionIsSharedAndCleared() {
        ThreeTabs tabs;
        tabs.one.select({ms(300), ms(400)});
        QVERIFY(tabs.two.selection() == tabs.one.selection());
        QVERIFY(!tabs.alone.selection());
        tabs.two.clearSelection();
        QVERIFY(!tabs.one.selection());
    }
    void theWheelIsOneStepInAllHistories() {
        ThreeTabs tabs;
        for (int i = 1; i <= 5; ++i)
            tabs.one.zoomTo({ms(i * 10), ms(1000 - i * 10)}, ZoomStep::Continued);
        QCOMPARE(tabs.one.historyPosition(), std::size_t{1});
        QCOMPARE(tabs.two.historyPosition(), std::size_t{1});
    }
    void eachFollowerIsNotifiedOnce() {
        ThreeTabs tabs;
        QSignalSpy one(&tabs.one, &AnalysisState::changed);
        QSignalSpy two(&tabs.two, &AnalysisState::changed);
        tabs.one.zoomTo(kZoom);
        QCOMPARE(one.count(), 1);
        QCOMPARE(two.count(), 1);
    }
    void joiningTabsTakeOverTheTime() {
        ThreeTabs tabs;
        tabs.one.zoomTo(kZoom);
        tabs.alone.zoomTo({ms(0), ms(100)});
        tabs.links.setLinked(tabs.alone, true);
        QVERIFY(tabs.alone.visibleRange() == kZoom && tabs.one.visibleRange() == kZoom);
    }
    void leavingTabsKeepTheirTime() {
        ThreeTabs tabs;
        tabs.one.zoomTo(kZoom);
        tabs.links.setLinked(tabs.two, false);
        QVERIFY(!tabs.links.isLinked(tabs.two));
        tabs.one.showAll();
        QVERIFY(tabs.two.visibleRange() == kZoom);
    }
    void aTabMayBeClosed() {
        ThreeTabs tabs;
        {
            AnalysisState closed;
            closed.reset({ms(0), ms(1000)});
            tabs.links.setLinked(closed, true);
        }
        tabs.one.zoomTo(kZoom);
        QVERIFY(tabs.two.visibleRange() == kZoom);
    }
    void anotherTraceIsReportedSeparately() {
        ThreeTabs tabs;
        tabs.one.zoomTo(kZoom);
        tabs.one.reset({ms(0), ms(50)});
        QVERIFY(tabs.two.visibleRange() == kZoom); // until it is reset
        tabs.two.reset({ms(0), ms(50)});
        tabs.one.zoomTo({ms(10), ms(20)});
        QVERIFY(tabs.two.visibleRange() == (TimeRange{ms(10), ms(20)}));
    }
};
HIGHWATER_TEST(LinkedAnalysesTest);
#include "linked_analyses_test.moc"
