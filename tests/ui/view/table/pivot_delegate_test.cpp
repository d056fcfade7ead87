#include "tests/support/test_registry.h"
#include "tests/ui/support/test_answer.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/analysis_state.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/table/pivot_delegate.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;

namespace {

struct OpenDelegate : PivotDelegate {
    using PivotDelegate::initStyleOption;
    using PivotDelegate::PivotDelegate;
};

struct PivotDelegateStage {
    AnalysisState analysis;
    GraphState& graph = analysis.addGraph(analysis::Table::VirtualAlloc);
    SeriesColors colors;
    GroupedTableModel model{colors};
    GroupedTableView view{graph, model};
    OpenDelegate delegate{model, view};

    PivotDelegateStage() {
        auto frame = keyRow(Column::Stack, 10, QStringLiteral("a.dll!f"));
        for (auto* each : {&frame})
            each->values = {TraceTime{15'999'987'654}, std::int64_t{4096}};
        auto process = keyRow(Column::Process, 1, QStringLiteral("a_long_name.exe (1)"), {frame});
        process.values = frame.values;
        TableRow total;
        total.hasChildren = total.isOpen = true;
        total.rows = {process};
        total.values = frame.values;
        analysis::Query query;
        query.keys = {Column::Process, Column::Stack};
        query.columns = {Column::BeginTime, Column::Size};
        TableLayout layout{query.table, {Column::Process, Column::Stack}, {Column::BeginTime, Column::Size}, 1, {}};
        graph.setLayout(layout);
        model.setLayout(layout);
        model.setAnswer(std::make_shared<TableAnswer>(query, nullptr, std::move(total)));
    }
    QString textAt(int section, int width) {
        const auto index = model.index(0, section);
        QStyleOptionViewItem option;
        option.initFrom(&view);
        option.fontMetrics = view.fontMetrics();
        option.rect = QRect(0, 0, width, 20);
        delegate.initStyleOption(&option, index);
        return option.text;
    }
};

} // namespace

class PivotDelegateTest : public QObject {
    Q_OBJECT
  private slots:
    void aKeyNeedsRoomForItsTriangleAndColor() {
        PivotDelegateStage stage;
        const auto process = stage.model.index(0, 0);
        const auto text = stage.view.fontMetrics().horizontalAdvance("a_long_name.exe (1)");
        const int needed = stage.delegate.keyWidth(process, stage.view.fontMetrics());
        QVERIFY2(needed > text + PivotDelegate::kLevelWidth + 10, qPrintable(QString::number(needed - text)));
        QVERIFY(needed < text + 60);
        QCOMPARE(stage.delegate.keyWidth(process.siblingAtColumn(3), stage.view.fontMetrics()), needed);
    }
    void aTimeLosesDecimalsRatherThanBeingCut() {
        PivotDelegateStage stage;
        QCOMPARE(stage.textAt(3, 300), "15.999988 s");
        const auto brief = stage.view.fontMetrics().horizontalAdvance("16.0000 s");
        QCOMPARE(stage.textAt(3, brief + 8), "16.0000 s");
        QCOMPARE(stage.textAt(4, 5), "4.0 KB"); // the style truncates it
    }
};
HIGHWATER_TEST(PivotDelegateTest);
#include "pivot_delegate_test.moc"
