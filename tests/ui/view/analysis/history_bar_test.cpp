#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/analysis_state.h"
#include "ui/view/analysis/history_bar.h"

#include <QMenu>
#include <QTest>
#include <QToolButton>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

FilterStep processStep(std::uint64_t process, FilterScope scope = FilterScope::AllGraphs) {
    FilterStep step;
    step.clause.anyOf = {{{Column::Process, process}}};
    step.text = QStringLiteral("Process = p%1").arg(process);
    step.scope = scope;
    return step;
}

struct HistoryBarStage {
    AnalysisState state;
    GraphState& heap = state.addGraph(Table::Heap);
    HistoryBar bar;

    HistoryBarStage() {
        state.reset({ms(0), ms(10'000)});
        bar.setState(&state);
        bar.resize(900, 26);
        bar.show();
    }
    QList<QToolButton*> crumbs() { return bar.findChildren<QToolButton*>("crumb"); }
    QStringList texts() {
        QStringList texts;
        for (const auto* crumb : crumbs()) {
            texts << crumb->text();
        }
        return texts;
    }
    QToolButton& button(const char* name) { return *bar.findChild<QToolButton*>(name); }
    QList<QAction*> history() {
        auto* menu = button("historyList").menu();
        emit menu->aboutToShow();
        return menu->actions();
    }
};

} // namespace

class HistoryBarTest : public QObject {
    Q_OBJECT
  private slots:
    void showsWhereOneIs() {
        HistoryBarStage stage;
        QCOMPARE(stage.texts(), QStringList{"Whole trace"});
        QVERIFY(!stage.button("historyList").isEnabled());
        stage.state.zoomTo({ms(1000), ms(5000)});
        stage.state.zoomTo({ms(2000), ms(3000)}); // the place, not the way to it
        QCOMPARE(stage.texts(), (QStringList{"Whole trace", "2.000000 s to 3.000000 s  ×"}));
        QVERIFY(stage.crumbs()[1]->font().bold() && !stage.crumbs()[0]->font().bold());
        stage.heap.addFilter(processStep(1));
        QCOMPARE(stage.texts().last(), "Process = p1  ×");
    }
    void eachPartIsRemoved() {
        HistoryBarStage stage;
        stage.state.zoomTo({ms(1000), ms(5000)});
        stage.heap.addFilter(processStep(1));
        stage.heap.addFilter(processStep(2));
        QCOMPARE(stage.crumbs().size(), 4);
        QTest::mouseClick(stage.crumbs()[2], Qt::LeftButton);
        QCOMPARE(stage.heap.filterSteps(), std::vector{processStep(2)});
        QCOMPARE(stage.crumbs().size(), 3);
        QTest::keyClick(stage.crumbs()[1], Qt::Key_Space);
        QVERIFY(!stage.state.isZoomed());
        QCOMPARE(stage.texts(), (QStringList{"Whole trace", "Process = p2  ×"}));
        stage.state.back(); // was an ordinary step
        QCOMPARE(stage.state.visibleRange().end, ms(5000));
    }
    void goesBackAndForwardByTheList() {
        HistoryBarStage stage;
        stage.state.zoomTo({ms(1000), ms(5000)});
        stage.state.zoomTo({ms(2000), ms(3000)});
        QCOMPARE(stage.history().size(), 3);
        QVERIFY(stage.history().last()->isChecked() && !stage.history().first()->isChecked());
        stage.history()[0]->trigger();
        QVERIFY(!stage.state.isZoomed());
        stage.history()[2]->trigger(); // an undone step can be redone
        QCOMPARE(stage.state.visibleRange().start, ms(2000));
    }
    void overflowingStepsAreInAMenu() {
        HistoryBarStage stage;
        stage.state.zoomTo({ms(100), ms(9000)});
        for (std::uint64_t i = 1; i <= 6; ++i)
            stage.heap.addFilter(processStep(i));
        stage.bar.resize(460, 26);
        QVERIFY(stage.crumbs().size() < 8 && stage.crumbs().size() >= 2);
        QTRY_VERIFY(stage.crumbs().last()->width() > 0);
        QTest::qWait(1);
        auto& rest = stage.button("allCrumbs");
        QVERIFY(rest.geometry().right() <= stage.bar.width());
        QCOMPARE(rest.menu()->actions().size() + stage.crumbs().size(), 8);
        rest.menu()->actions().last()->trigger();
        QCOMPARE(stage.heap.filterSteps().size(), std::size_t{5});
    }
    void showsAndEndsAnInstant() {
        HistoryBarStage stage;
        stage.state.showInstant(ms(8550));
        QCOMPARE(stage.texts(), (QStringList{"Whole trace", "at 8.550000 s  ×"}));
        QTest::mouseClick(stage.crumbs()[1], Qt::LeftButton);
        QVERIFY(!stage.state.instant());
        QCOMPARE(stage.crumbs().size(), 1);
    }
    void showsTheOwnerOfAFilter() {
        HistoryBarStage stage;
        auto& commits = stage.state.addGraph(Table::VirtualAlloc);
        stage.heap.addFilter(processStep(1));
        stage.heap.addFilter(processStep(2, FilterScope::ThisGraph));
        QCOMPARE(stage.texts(), (QStringList{"Whole trace", "Process = p1  ×", "Heap Allocations: Process = p2  ×"}));
        QTest::mouseClick(stage.crumbs()[1], Qt::LeftButton); // in both
        QVERIFY(commits.filterSteps().empty());
        QCOMPARE(stage.heap.filterSteps().size(), std::size_t{1});
        stage.state.removeGraph(commits);
        QCOMPARE(stage.texts(), (QStringList{"Whole trace", "Process = p2  ×"}));
    }
    void followsAnotherAnalysis() {
        HistoryBarStage stage;
        AnalysisState other;
        other.reset({ms(0), ms(100)});
        other.zoomTo({ms(10), ms(20)});
        stage.bar.setState(&other);
        QCOMPARE(stage.crumbs().size(), 2);
        stage.heap.addFilter(processStep(1));
        stage.state.zoomTo({ms(1000), ms(5000)});
        QCOMPARE(stage.crumbs().size(), 2);
        stage.bar.setState(nullptr);
        QCOMPARE(stage.crumbs().size(), 0);
    }
};
HIGHWATER_TEST(HistoryBarTest);
#include "history_bar_test.moc"
