#include "tests/support/test_registry.h"
#include "ui/state/analysis_state.h"
#include "ui/view/table/filter_bar.h"

#include <QAction>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using analysis::Column;
using analysis::Table;

namespace {

FilterStep stepOf(std::uint64_t process, FilterScope scope = FilterScope::AllGraphs) {
    FilterStep step;
    step.clause.anyOf = {{{Column::Process, process}}};
    step.text = QStringLiteral("Process = p%1").arg(process);
    step.scope = scope;
    return step;
}

struct FilterBarStage {
    AnalysisState analysis;
    GraphState& graph = analysis.addGraph(Table::Heap);
    FilterBar bar{graph};

    FilterBarStage() {
        analysis.reset({TraceTime{0}, TraceTime{1'000'000}});
        bar.resize(900, 30);
    }
    QPushButton* chip(int number = 0) { return bar.findChildren<QPushButton*>("filterChip").value(number); }
};

} // namespace

class FilterBarTest : public QObject {
    Q_OBJECT
  private slots:
    void isThereWhileThereIsAFilter() {
        FilterBarStage stage;
        QVERIFY(stage.bar.isHidden());
        stage.graph.addFilter(stepOf(1));
        QVERIFY(!stage.bar.isHidden());
        QTest::mouseClick(stage.chip(), Qt::LeftButton);
        QVERIFY(stage.graph.filterSteps().empty() && stage.bar.isHidden());
    }
    /// The window cannot get narrower than the bar's minimum.
    void longWordsDoNotMakeItWide() {
        FilterBarStage stage;
        for (std::uint64_t i = 1; i <= 5; ++i) {
            auto step = stepOf(i);
            step.text = QStringLiteral("Stack = module%1.dll!a function with a name that goes on and on").arg(i);
            stage.graph.addFilter(step);
        }
        QTest::qWait(1);
        QVERIFY2(stage.bar.minimumSizeHint().width() < 500,
                 qPrintable(QString::number(stage.bar.minimumSizeHint().width())));
        stage.bar.resize(600, 30);
        stage.bar.show();
        for (auto* chip : stage.bar.findChildren<QPushButton*>("filterChip")) {
            QVERIFY(chip->geometry().right() <= 600);
            QVERIFY(chip->toolTip().contains("goes on and on"));
        }
    }
    void showsTheScopeOfAStepIfThereAreSeveralGraphs() {
        FilterBarStage stage;
        stage.graph.addFilter(stepOf(1));
        QCOMPARE(stage.chip()->text(), "Process = p1  ×");
        QVERIFY(stage.chip()->toolTip().contains("all graphs in this tab"));
        auto& other = stage.analysis.addGraph(Table::VirtualAlloc);
        QCOMPARE(other.filterSteps(), std::vector{stepOf(1)}); // also in new graphs
        QTRY_COMPARE(stage.chip()->text(), "Process = p1 · all graphs  ×");
        stage.graph.addFilter(stepOf(2, FilterScope::ThisGraph));
        QTRY_VERIFY(stage.chip(1) && stage.chip(1)->text() == "Process = p2 · this graph  ×");
        QCOMPARE(other.filterSteps().size(), std::size_t{1});
        stage.analysis.removeGraph(other);
        QTRY_COMPARE(stage.chip()->text(), "Process = p1  ×");
    }
    void theMenuOfAChipChangesThat() {
        FilterBarStage stage;
        auto& other = stage.analysis.addGraph(Table::VirtualAlloc);
        stage.graph.addFilter(stepOf(1));
        QCOMPARE(other.filterSteps().size(), std::size_t{1});
        auto* one = stage.chip()->findChild<QAction*>("filterThisGraph");
        QVERIFY(one && !one->isChecked());
        one->trigger();
        QVERIFY(other.filterSteps().empty());
        QCOMPARE(stage.graph.filterSteps(), std::vector{stepOf(1, FilterScope::ThisGraph)});
        QTRY_VERIFY(stage.chip() && stage.chip()->findChild<QAction*>("filterThisGraph")->isChecked());
        stage.chip()->findChild<QAction*>("filterAllGraphs")->trigger();
        QCOMPARE(other.filterSteps().size(), std::size_t{1});
        stage.analysis.back(); // each is a step of the history
        QVERIFY(other.filterSteps().empty());
    }
    void aSharedFilterIsRemovedInAllGraphs() {
        FilterBarStage stage;
        auto& other = stage.analysis.addGraph(Table::VirtualAlloc);
        stage.graph.addFilter(stepOf(1));
        other.addFilter(stepOf(2, FilterScope::ThisGraph));
        other.removeFilter(0);
        QVERIFY(stage.graph.filterSteps().empty() && stage.bar.isHidden());
        QCOMPARE(other.filterSteps(), std::vector{stepOf(2, FilterScope::ThisGraph)});
        other.undoFilter();
        QCOMPARE(stage.graph.filterSteps(), std::vector{stepOf(1)});
        stage.graph.clearFilter();
        QCOMPARE(other.filterSteps(), std::vector{stepOf(2, FilterScope::ThisGraph)});
        // A filter that one graph cannot apply is only for the others.
        FilterStep handle;
        handle.clause.anyOf = {{{Column::Handle, 5}}};
        handle.text = "Handle = 5";
        handle.scope = FilterScope::AllGraphs;
        stage.graph.addFilter(handle);
        QCOMPARE(stage.graph.filterSteps().size(), std::size_t{1});
        QCOMPARE(other.filterSteps().size(), std::size_t{1});
    }
};
HIGHWATER_TEST(FilterBarTest);
#include "filter_bar_test.moc"
