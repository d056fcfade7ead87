#include "tests/support/test_registry.h"
#include "ui/state/analysis_state.h"
#include "ui/state/table/filter_step.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using analysis::Column;
using analysis::QueryExpression;
using analysis::Table;

namespace {

FilterStep queryStep(const QString& text, Table table = Table::VirtualAlloc) {
    const auto parsed = QueryExpression::parse(table, text.toStdString());
    if (!parsed.hasValue()) qFatal("%s", parsed.error().sentence.c_str());
    return {.clause = {}, .text = text, .query = parsed.value()};
}

FilterStep rowStep(std::uint64_t process) {
    FilterStep step;
    step.clause.anyOf = {{{Column::Process, process}}};
    step.text = QString::number(process);
    return step;
}

} // namespace

class FilterStepTest : public QObject {
    Q_OBJECT
  private slots:
    void joinsQueriesAndRows() {
        const auto filter =
            rowFilterOf(Table::VirtualAlloc, {queryStep("a OR b"), rowStep(1), queryStep("[Size]:>1KB")});
        QVERIFY(filter.hasValue());
        QCOMPARE(filter.value().clauses.size(), std::size_t{1});
        QCOMPARE(filter.value().query, queryStep("(a OR b) AND [Size]:>1KB").query);
    }
    void leavesOneQueryAsItIs() {
        const auto filter = rowFilterOf(Table::VirtualAlloc, {queryStep("NOT ([Size]:>1MB)")});
        QVERIFY(filter.hasValue() && filter.value().clauses.empty());
        QCOMPARE(filter.value().query, queryStep("NOT ([Size]:>1MB)").query);
        QVERIFY(rowFilterOf(Table::VirtualAlloc, {}).value().isEmpty());
    }
    void refusesWhatNoRowHas() {
        const auto filter = rowFilterOf(Table::VirtualAlloc, {queryStep("a"), queryStep("[Series Name]:=Process")});
        QVERIFY(!filter.hasValue());
        QVERIFY(filter.error().message.find("[Series Name]") != std::string::npos);
        QVERIFY(!rowFilterOf(Table::VirtualAlloc, {queryStep("a", Table::Heap)}).hasValue());
    }
    void isAStepOfTheFilterLikeOthers() {
        AnalysisState state;
        auto& graph = state.addGraph(Table::VirtualAlloc);
        graph.addFilter(rowStep(1));
        graph.addFilter(queryStep("a"));
        graph.addFilter(queryStep("a")); // already there
        QCOMPARE(graph.filterSteps().size(), std::size_t{2});
        QVERIFY(graph.filter().query.has_value());
        graph.replaceFilter(1, queryStep("b"));
        QCOMPARE(graph.filterSteps(), (std::vector<FilterStep>{rowStep(1), queryStep("b")}));
        QCOMPARE(graph.filter().query, queryStep("b").query);
        graph.undoFilter();
        QCOMPARE(graph.filter().query, queryStep("a").query);
        graph.undoFilter();
        QVERIFY(!graph.filter().query && graph.filter().clauses.size() == 1);
        state.back();
        QCOMPARE(graph.filter().query, queryStep("a").query);
        graph.clearFilter();
        QVERIFY(graph.filter().isEmpty());
    }
    void changesNothingWhenRefused() {
        AnalysisState state;
        auto& graph = state.addGraph(Table::VirtualAlloc);
        const auto refused = queryStep("[Series Name]:=Process");
        QVERIFY(!graph.refusal(refused).isEmpty() && graph.refusal(queryStep("a")).isEmpty());
        graph.addFilter(refused);
        QVERIFY(graph.filterSteps().empty() && !graph.canUndoFilter());
    }
};
HIGHWATER_TEST(FilterStepTest);
#include "filter_step_test.moc"
