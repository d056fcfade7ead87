#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/model/grouped_table_model.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_drag.h"
#include "ui/view/analysis/graph_header.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/grouped_table_view.h"

#include <QDropEvent>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>
#include <QThread>
#include <QToolButton>

#include <atomic>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

struct AnalysisTabsStage {
    SmallTrace trace;
    std::shared_ptr<analysis::FrameLabels> labels = std::make_shared<analysis::FrameLabels>();
    AnalysisTabs tabs;

    AnalysisTabsStage() {
        trace.process(1, "a.exe").commit(100, 1, 0x10000, 4096).decommit(600, 1, 0x10000, 4096);
        tabs.resize(900, 640);
        tabs.show();
    }
    bool open() {
        tabs.shown().show(trace.publish(1000), labels);
        return wait();
    }
    bool wait() {
        QTest::qWait(1);
        return QTest::qWaitFor([this] { return tabs.isUpToDate(); });
    }
    AnalysisState& state() { return tabs.current().state(); }
    std::vector<Table> tables() {
        std::vector<Table> tables;
        for (const auto* graph : state().graphs()) {
            tables.push_back(graph->table());
        }
        return tables;
    }
    QStringList names() {
        QStringList names;
        for (int i = 0; i < tabs.count(); ++i) {
            names << tabs.tabText(i);
        }
        return names;
    }
    QAction& command(const char* name) { return *tabs.findChild<QAction*>(name); }
    QLineEdit* nameEditor() { return tabs.findChild<QLineEdit*>("tabName"); }
};

/// Like a mouse drag: events that a widget ignores go to its parent.
bool drag(QWidget& widget, Table table, QPoint position) {
    const auto mime = graphMimeData(table);
    QDragEnterEvent enter(position, Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &enter);
    QDragMoveEvent move(position, Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &move);
    return enter.isAccepted() && move.isAccepted();
}

bool drop(QWidget& widget, Table table, QPoint position) {
    if (!drag(widget, table, position)) return false;
    const auto mime = graphMimeData(table);
    QDropEvent drop(position, Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &drop);
    return drop.isAccepted();
}

} // namespace

class AnalysisTabsTest : public QObject {
    Q_OBJECT
  private slots:
    void startsAnotherTabLikeTheCurrentOne() {
        AnalysisTabsStage stage;
        QVERIFY(stage.open());
        auto layout = stage.tabs.currentPanel()->graph().layout();
        layout.columns.pop_back();
        layout.graphed = layout.columns.size();
        stage.tabs.currentPanel()->graph().setLayout(layout);
        stage.state().zoomTo({ms(100), ms(300)});
        QTest::mouseClick(stage.tabs.findChild<QToolButton*>("newAnalysis"), Qt::LeftButton);
        QVERIFY(stage.wait());
        QCOMPARE(stage.names(), (QStringList{"Analysis 1", "Analysis 2"}));
        QCOMPARE(stage.tabs.currentIndex(), 1);
        QVERIFY(stage.tabs.currentPanel()->graph().layout() == layout);
        QVERIFY(!stage.state().isZoomed()); // an interval of its own
        stage.state().zoomTo({ms(500), ms(600)});
        stage.tabs.setCurrentIndex(0);
        QCOMPARE(stage.state().visibleRange().end, ms(300));
    }
    void reopensATabAsItWas() {
        AnalysisTabsStage stage;
        QVERIFY(stage.open());
        auto& reopen = stage.command("reopenClosed");
        QCOMPARE(reopen.shortcut(), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T));
        QVERIFY(!reopen.isEnabled());
        stage.command("newTab").trigger();
        stage.tabs.setTabText(1, "Mine && yours");
        stage.tabs.linkCurrent(false);
        stage.state().zoomTo({ms(200), ms(400)});
        stage.tabs.current().showGraph(Table::Frees);
        stage.state().graphs().front()->setChart(ChartType::Bars);
        QVERIFY(stage.wait());
        const auto* closed = &stage.tabs.current();
        stage.command("closeTab").trigger();
        QCOMPARE(stage.tabs.count(), 1);
        QVERIFY(reopen.isEnabled());
        reopen.trigger();
        QCOMPARE(stage.names().last(), "Mine && yours");
        QCOMPARE(&stage.tabs.current(), closed);
        QVERIFY(stage.state().visibleRange() == (TimeRange{ms(200), ms(400)}));
        QVERIFY(stage.state().canGoBack());
        QCOMPARE(stage.tables(), (std::vector{Table::VirtualAlloc, Table::Frees}));
        QCOMPARE(stage.state().graphs().front()->chart(), ChartType::Bars);
        QVERIFY(stage.wait());
        QVERIFY(!reopen.isEnabled());
    }
    void reopensAGraphAsItWas() {
        AnalysisTabsStage stage;
        stage.trace.process(2, "b.exe").commit(200, 2, 0x20000, 4096);
        QVERIFY(stage.open());
        auto& graph = *stage.state().graphs().front();
        stage.tabs.current().showGraph(Table::Frees);
        graph.setChart(ChartType::StackedArea);
        FilterStep step;
        step.clause = {analysis::RowFilter::Clause::Mode::Keep, {{{Column::Process, 0}}, {{Column::Process, 1}}}};
        step.text = QStringLiteral("both");
        graph.addFilter(step);
        QVERIFY(stage.wait());
        auto* panel = stage.tabs.current().panels().front();
        QCOMPARE(panel->model().rowCount(), 2);
        panel->table().expand(panel->model().index(1, 0)); // by default only the first one is open
        QVERIFY(stage.wait());
        const auto open = panel->table().expandedPaths();
        QVERIFY(open.size() > 2);
        QTest::mouseClick(panel->findChild<QToolButton*>("closeGraph"), Qt::LeftButton);
        QTRY_COMPARE(stage.tables(), std::vector{Table::Frees});
        stage.command("newTab").trigger(); // from anywhere
        stage.command("reopenClosed").trigger();
        QCOMPARE(stage.tables(), (std::vector{Table::VirtualAlloc, Table::Frees}));
        QCOMPARE(&stage.tabs.currentPanel()->graph(), &graph);
        QCOMPARE(graph.chart(), ChartType::StackedArea);
        QCOMPARE(graph.filterSteps().size(), std::size_t{1});
        QVERIFY(stage.wait());
        const auto& table = stage.tabs.currentPanel()->table();
        QCOMPARE(table.expandedPaths().size(), open.size());
        QTRY_VERIFY(table.isExpanded(stage.tabs.currentPanel()->model().index(1, 0)));
    }
    void reopensNothingOfAnotherTrace() {
        AnalysisTabsStage stage;
        QVERIFY(stage.open());
        stage.command("newTab").trigger();
        stage.command("closeTab").trigger();
        stage.tabs.shown().show(stage.trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        QVERIFY(!stage.command("reopenClosed").isEnabled());
        stage.tabs.reopenClosed();
        QCOMPARE(stage.tabs.count(), 1);
    }
    void keepsOnlyTheTabsThatWereClosedLast() {
        AnalysisTabsStage stage;
        QVERIFY(stage.open());
        for (int i = 0; i < 5; ++i)
            stage.command("newTab").trigger();
        while (stage.tabs.count() > 1)
            stage.command("closeTab").trigger();
        while (stage.command("reopenClosed").isEnabled())
            stage.command("reopenClosed").trigger();
        QCOMPARE(stage.tabs.count(), 4);
    }
    void closesAllButTheLast() {
        AnalysisTabsStage stage;
        QVERIFY(!stage.command("closeTab").isEnabled());
        stage.command("newTab").trigger();
        stage.command("newTab").trigger();
        QCOMPARE(stage.tabs.count(), 3);
        stage.command("closeTab").trigger();
        QCOMPARE(stage.names(), (QStringList{"Analysis 1", "Analysis 2"}));
        QTest::mouseClick(stage.tabs.tabBar()->tabButton(0, QTabBar::RightSide), Qt::LeftButton);
        QCOMPARE(stage.names(), QStringList{"Analysis 2"});
        stage.tabs.closeAnalysis(0);
        QCOMPARE(stage.tabs.count(), 1);
    }
    void renamesByDoubleClick() {
        AnalysisTabsStage stage;
        QVERIFY(QTest::qWaitForWindowExposed(&stage.tabs));
        const auto middle = stage.tabs.tabBar()->tabRect(0).center();
        QTest::mouseDClick(stage.tabs.tabBar(), Qt::LeftButton, {}, middle);
        QVERIFY(stage.nameEditor());
        QTest::keyClicks(stage.nameEditor(), "The step");
        QTest::keyClick(stage.nameEditor(), Qt::Key_Return);
        QCOMPARE(stage.names(), QStringList{"The step"});
        QTRY_VERIFY(!stage.nameEditor());
        stage.command("renameTab").trigger();
        QTest::keyClicks(stage.nameEditor(), "Nothing");
        QTest::keyClick(stage.nameEditor(), Qt::Key_Escape);
        QCOMPARE(stage.names(), QStringList{"The step"});
    }
    void takesAGraphThatIsDroppedOnIt() {
        AnalysisTabsStage stage;
        QVERIFY(stage.open());
        const auto mime = graphMimeData(Table::Heap);
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&stage.tabs.current(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({50, 500}, Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&stage.tabs.current(), &drop);
        QVERIFY((stage.tables() == std::vector{Table::VirtualAlloc, Table::Heap}));
        QMimeData other;
        other.setText("something else");
        QDragEnterEvent stranger({50, 50}, Qt::CopyAction, &other, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&stage.tabs.current(), &stranger);
        QVERIFY(!stranger.isAccepted());
    }
    void aGraphLandsWhereTheLineIs() {
        AnalysisTabsStage stage;
        QVERIFY(stage.open());
        auto& view = stage.tabs.current();
        auto* mark = view.findChild<QWidget*>("dropMark");
        QVERIFY(mark);
        QVERIFY(drag(view, Table::Heap, {50, 20}));
        QTRY_VERIFY(mark->isVisible());
        QVERIFY2(mark->y() < 5, qPrintable(QString::number(mark->y()))); // before the existing graph
        QVERIFY(drag(view, Table::Heap, {50, view.height() - 60}));
        QVERIFY2(mark->y() > view.height() / 2, qPrintable(QString::number(mark->y())));
        QVERIFY(drop(view, Table::Heap, {50, 20}));
        QVERIFY(!mark->isVisible());
        QVERIFY((stage.tables() == std::vector{Table::Heap, Table::VirtualAlloc}));
        QVERIFY(drag(view, Table::Heap, {50, 20})); // already there: a frame around it
        QCOMPARE(mark->height(), view.panels().front()->height());
        QDragLeaveEvent leave;
        QApplication::sendEvent(&view, &leave);
        QVERIFY(!mark->isVisible());
    }
    void aTabTakesAGraphThatIsDroppedOnItsName() {
        AnalysisTabsStage stage;
        QVERIFY(stage.open());
        stage.command("newTab").trigger();
        auto& bar = *stage.tabs.tabBar();
        const auto first = bar.tabRect(0);
        QVERIFY(drag(bar, Table::Frees, first.center()));
        auto* mark = stage.tabs.findChild<QWidget*>("dropMark", Qt::FindDirectChildrenOnly);
        QVERIFY(mark && mark->isVisible());
        QCOMPARE(mark->geometry(), QRect(bar.mapTo(&stage.tabs, first.topLeft()), first.size()));
        QVERIFY(drop(bar, Table::Frees, first.center()));
        QVERIFY(!mark->isVisible());
        QCOMPARE(stage.tabs.count(), 2);
        QCOMPARE(stage.tabs.currentIndex(), 0);
        QVERIFY((stage.tables() == std::vector{Table::VirtualAlloc, Table::Frees}));
    }
    void theButtonForATabMakesOneOfAGraphThatIsDroppedOnIt() {
        AnalysisTabsStage stage;
        QVERIFY(stage.open());
        auto& button = *stage.tabs.findChild<QToolButton*>("newAnalysis");
        const auto middle = button.rect().center();
        QVERIFY(drag(button, Table::Heap, middle));
        auto* mark = stage.tabs.findChild<QWidget*>("dropMark", Qt::FindDirectChildrenOnly);
        QVERIFY(mark && mark->isVisible());
        QCOMPARE(mark->geometry(), QRect(button.mapTo(&stage.tabs, QPoint()), button.size()));
        QVERIFY(drop(button, Table::Heap, middle));
        QCOMPARE(stage.names(), (QStringList{"Analysis 1", "Analysis 2"}));
        QCOMPARE(stage.tabs.currentIndex(), 1);
        QVERIFY(stage.tables() == std::vector{Table::Heap});
        QVERIFY(stage.wait());
        // The rest of the line behaves the same.
        auto& history = *stage.tabs.findChild<QWidget*>("historyBar");
        QVERIFY(drop(history, Table::Frees, history.rect().center()));
        QCOMPARE(stage.tabs.count(), 3);
        QVERIFY(stage.tables() == std::vector{Table::Frees});
    }
    void movesGraphsUpAndDown() {
        AnalysisTabsStage stage;
        QVERIFY(stage.open());
        auto& heap = stage.tabs.current().showGraph(Table::Heap);
        QTest::mouseClick(heap.header().findChild<QToolButton*>("moveUp"), Qt::LeftButton);
        QTRY_VERIFY((stage.tables() == std::vector{Table::Heap, Table::VirtualAlloc}));
        QCOMPARE(stage.tabs.current().panels().front(), &heap);
        QTest::mouseClick(heap.header().findChild<QToolButton*>("moveDown"), Qt::LeftButton);
        QTRY_VERIFY((stage.tables() == std::vector{Table::VirtualAlloc, Table::Heap}));
    }
    void showsTheFirstTableThatHasRowsIfNothingWasTouched() {
        AnalysisTabsStage stage;
        QVERIFY(stage.open());
        stage.tabs.showFirstTableWithData();
        QVERIFY(stage.tables() == std::vector{Table::VirtualAlloc});
        auto& heap = stage.tabs.current().showGraph(Table::Heap);
        stage.state().removeGraph(*stage.state().graphs().front());
        QCOMPARE(&heap.graph(), stage.state().graphs().front());
        stage.state().select({ms(100), ms(200)});
        stage.tabs.showFirstTableWithData(); // someone is at work here
        QVERIFY(stage.tables() == std::vector{Table::Heap});
        stage.state().clearSelection();
        stage.tabs.showFirstTableWithData();
        QVERIFY(stage.tables() == std::vector{Table::VirtualAlloc});
    }
    void choosesTheFirstTableOfATraceOnce() {
        AnalysisTabsStage stage;
        QVERIFY(stage.open());
        auto both = std::make_shared<store::PublishedTrace>(*stage.tabs.shown().trace());
        both->isOfAgent = true;
        both->heap = both->virtualAlloc;
        stage.tabs.shown().show(both, std::make_shared<analysis::FrameLabels>());
        stage.tabs.showFirstTableWithData();
        QVERIFY(stage.tables() == std::vector{Table::Heap});
        stage.tabs.current().showGraph(Table::VirtualAlloc);
        stage.state().removeGraph(*stage.state().graphs().front());
        stage.tabs.showFirstTableWithData(); // the next publication
        QVERIFY(stage.tables() == std::vector{Table::VirtualAlloc});
    }
    void givesEveryGraphTheSamePresetsAndNewOnesTheLastChosen() {
        AnalysisTabsStage stage;
        auto own = standardPresets(Table::Heap).back();
        own.name = "Mine";
        stage.tabs.presets().save(own);
        stage.tabs.presets().setPreferred(Table::Heap, "Mine");
        auto& heap = stage.tabs.current().showGraph(Table::Heap);
        QCOMPARE(heap.graph().presetName(), "Mine");
        QVERIFY(heap.graph().layout().looksLike(own.layout));
    }
    void appliesOptionsToAllTabs() {
        AnalysisTabsStage stage;
        stage.command("newTab").trigger();
        auto options = stage.tabs.options();
        options.processExitFreesHeap = true;
        stage.tabs.setOptions(options);
        for (int i = 0; i < stage.tabs.count(); ++i) {
            stage.tabs.setCurrentIndex(i);
            QVERIFY(stage.state().options().processExitFreesHeap);
        }
        stage.command("newTab").trigger();
        QVERIFY(stage.state().options().processExitFreesHeap);
    }
    void showsALineWhileAnAnswerTakesLong() {
        auto gate = std::make_shared<std::atomic<bool>>(false); // closed: tables are not queried
        QueryFunctions functions;
        functions.table = [gate, real = functions.table](const TableRequest& request, std::stop_token stop) {
            while (!*gate)
                QThread::msleep(1);
            return real(request, std::move(stop));
        };
        SmallTrace trace;
        trace.process(1, "a.exe").commit(100, 1, 0x10000, 4096);
        AnalysisTabs tabs(nullptr, functions);
        tabs.resize(900, 640);
        tabs.show();
        const auto& header = tabs.currentPanel()->header();
        QVERIFY(!header.showsBusy());
        tabs.shown().show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        QTRY_VERIFY(header.showsBusy());
        *gate = true;
        QTRY_VERIFY(tabs.isUpToDate() && !header.showsBusy());
    }
    void explainsAnEmptyTab() {
        AnalysisTabsStage stage;
        stage.state().removeGraph(*stage.state().graphs().front());
        QVERIFY(stage.tabs.current().findChild<QWidget*>("noGraph")->isVisible());
        stage.tabs.current().showGraph(Table::Heap);
        QVERIFY(!stage.tabs.current().findChild<QWidget*>("noGraph")->isVisible());
    }
    void linkedTabsShowTheSameTime() {
        AnalysisTabsStage stage;
        QVERIFY(stage.open());
        auto* link = stage.tabs.findChild<QToolButton*>("linkTab");
        auto& first = stage.state();
        QTest::mouseClick(link, Qt::LeftButton);
        QVERIFY(link->isChecked());
        first.zoomTo({ms(200), ms(700)});
        first.select({ms(300), ms(400)});
        auto& second = stage.tabs.addAnalysis().state(); // like the previous one
        QVERIFY(link->isChecked());
        QVERIFY(second.visibleRange() == first.visibleRange() && second.selection() == first.selection());
        second.zoomTo({ms(250), ms(500)});
        QVERIFY(first.visibleRange() == (TimeRange{ms(250), ms(500)}));
        QVERIFY(!stage.tabs.tabIcon(0).isNull() && !stage.tabs.tabIcon(1).isNull());
        QTest::mouseClick(link, Qt::LeftButton);
        QVERIFY(stage.tabs.tabIcon(1).isNull());
        first.showAll();
        QVERIFY(second.visibleRange() == (TimeRange{ms(250), ms(500)})); // keeps its own
        stage.tabs.setCurrentIndex(0);
        QVERIFY(link->isChecked());
    }
    void linkedTabsAreReportedForStorage() {
        AnalysisTabsStage stage;
        QSignalSpy chosen(&stage.tabs, &AnalysisTabs::linkChosen);
        QTest::mouseClick(stage.tabs.findChild<QToolButton*>("linkTab"), Qt::LeftButton);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].toBool(), true);
    }
};
HIGHWATER_TEST(AnalysisTabsTest);
#include "analysis_tabs_test.moc"
