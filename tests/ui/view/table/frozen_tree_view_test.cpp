#include "ui/view/table/frozen_tree_view.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/test_answer.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/analysis_state.h"
#include "ui/view/table/pivot_header.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

constexpr std::uint32_t kRows = 30'000;

/// Counts the rows whose place is requested, and its own paint events.
class CountingView : public FrozenTreeView {
  public:
    using FrozenTreeView::FrozenTreeView;
    [[nodiscard]] QRect visualRect(const QModelIndex& index) const override {
        ++asked;
        return FrozenTreeView::visualRect(index);
    }
    mutable int asked = 0;
    int painted = 0;

  protected:
    void paintEvent(QPaintEvent* event) override {
        ++painted;
        FrozenTreeView::paintEvent(event);
    }
};

struct FrozenTreeViewStage {
    AnalysisState analysis;
    GraphState& graph = analysis.addGraph(analysis::Table::VirtualAlloc);
    SeriesColors colors;
    GroupedTableModel model{colors};
    CountingView view{new PivotHeader(graph), nullptr};

    FrozenTreeViewStage() {
        view.setModel(&model);
        view.setUniformRowHeights(true);
        view.setHeader(&view.columns());
        view.resize(600, 300);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        std::vector<TableRow> rows;
        for (std::uint32_t key = 1; key <= kRows; ++key)
            rows.push_back(row(key, QStringLiteral("p%1").arg(key), 1, 1));
        model.setAnswer(stackAnswerOf(std::move(rows)));
        view.layOutNow();
        QCoreApplication::processEvents();
    }
};

} // namespace

class FrozenTreeViewTest : public QObject {
    Q_OBJECT
  private slots:
    void isPaintedAgainWithoutALookAtEachRow() {
        FrozenTreeViewStage stage;
        QTRY_VERIFY(stage.view.painted > 0);
        stage.view.asked = stage.view.painted = 0;
        stage.model.refreshColors(); // for all rows
        QTRY_VERIFY(stage.view.painted > 0);
        QVERIFY2(stage.view.asked < 200, qPrintable(QString::number(stage.view.asked)));
    }
    void isPaintedAgainWhereOneRowHasChanged() {
        FrozenTreeViewStage stage;
        QTRY_VERIFY(stage.view.painted > 0);
        const auto index = stage.model.index(2, 1);
        stage.view.painted = 0;
        emit stage.model.dataChanged(index, index, {Qt::DecorationRole});
        QTRY_VERIFY(stage.view.painted > 0);
    }
    /// As when a page below the table opens.
    void theCurrentRowStaysOnScreenInASmallerView() {
        FrozenTreeViewStage stage;
        const auto last = stage.view.rowsOnScreen().last();
        const auto current = last.siblingAtRow(last.row() - 2);
        stage.view.setCurrentIndex(current);
        stage.view.resize(600, 150);
        QCoreApplication::processEvents();
        const auto bottom = [&] { return stage.view.visualRect(current).bottom(); };
        QVERIFY(stage.view.isOnScreen(current) && bottom() < stage.view.viewport()->height());
        // A row that the user has scrolled away stays away.
        stage.view.scrollTo(stage.model.index(1000, 0));
        const auto top = stage.view.topRow();
        stage.view.resize(600, 120);
        QCoreApplication::processEvents();
        QCOMPARE(stage.view.topRow(), top);
    }
};

HIGHWATER_TEST(FrozenTreeViewTest);
#include "frozen_tree_view_test.moc"
