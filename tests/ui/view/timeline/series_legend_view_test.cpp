#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "tests/ui/support/test_answer.h"
#include "ui/state/analysis_state.h"
#include "ui/state/series_colors.h"
#include "ui/view/timeline/series_legend_view.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QMenu>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

constexpr std::int64_t kMegabyte = 1 << 20;

/// A line of 1 MB with a spike of 2 MB at 500 ms, one of 3 MB, and "(2 more)".
struct SeriesLegendViewStage {
    AnalysisState state;
    GraphState& graph = state.addGraph(analysis::Table::VirtualAlloc);
    SeriesColors colors;
    SeriesLegendView legend{graph, colors};

    SeriesLegendViewStage() {
        state.reset({ms(0), ms(1000)});
        auto answer = std::make_shared<TimelineAnswer>(*spikyTimeline(kMegabyte));
        auto& series = answer->timeline.series;
        series.push_back({"other.exe (2)", 2, true, std::vector<SignedByteCount>(100, 3 * kMegabyte)});
        series.push_back({"(2 more)", 0, false, std::vector<SignedByteCount>(100, 0)});
        legend.setAnswer(answer);
        legend.resize(240, 200);
        legend.show();
        (void)QTest::qWaitForWindowExposed(&legend);
    }
    [[nodiscard]] QString value(int line) const { return legend.topLevelItem(line)->text(1); }
    void choose(int line, const QString& action) {
        const auto position = legend.visualItemRect(legend.topLevelItem(line)).center();
        const auto global = legend.viewport()->mapToGlobal(position);
        QContextMenuEvent event(QContextMenuEvent::Mouse, position, global);
        QApplication::sendEvent(legend.viewport(), &event);
        auto* menu = legend.findChild<QMenu*>("legendMenu");
        for (auto* item : menu->actions()) {
            if (item->objectName() == action) item->trigger();
        }
        menu->close();
        delete menu;
    }
};

} // namespace

class SeriesLegendViewTest : public QObject {
    Q_OBJECT
  private slots:
    void tellsPeaksAndValuesAtTheCursor() {
        SeriesLegendViewStage stage;
        QCOMPARE(stage.value(0), "2.0 MB");
        QCOMPARE(stage.legend.topLevelItem(2)->text(0), "(2 more)");
        stage.legend.showValuesAt(ms(100));
        QCOMPARE(stage.value(0), "1.0 MB");
        QCOMPARE(stage.legend.headerItem()->text(1), "At cursor");
        stage.legend.showValuesAt(ms(505));
        QCOMPARE(stage.value(0), "2.0 MB");
        stage.legend.showValuesAt(std::nullopt);
        QCOMPARE(stage.legend.headerItem()->text(1), "Peak");
    }
    void namesTheRowsThatArePainted() {
        SeriesLegendViewStage stage;
        auto painted = std::make_shared<PaintedAnswer>();
        painted->query.interval = {ms(0), ms(1000)};
        painted->rows = {{{}, std::vector<SignedByteCount>(100, kMegabyte / 2)}};
        stage.legend.setPainted(painted, {"kept\n<b>()"}, {Qt::red});
        QCOMPARE(stage.legend.topLevelItemCount(), 4);
        QVERIFY(!stage.legend.topLevelItem(3)->text(0).contains('\n'));
        QVERIFY(!stage.legend.topLevelItem(3)->flags().testFlag(Qt::ItemIsUserCheckable) ||
                !stage.legend.topLevelItem(3)->data(0, Qt::CheckStateRole).isValid());
        QCOMPARE(stage.value(3), "512.0 KB");
        stage.legend.setPainted(nullptr, {}, {});
        QCOMPARE(stage.legend.topLevelItemCount(), 3);
    }
    void hidesALineByItsTick() {
        SeriesLegendViewStage stage;
        const auto tick = stage.legend.visualItemRect(stage.legend.topLevelItem(0)).topLeft() + QPoint(10, 8);
        QTest::mouseClick(stage.legend.viewport(), Qt::LeftButton, {}, tick);
        QTRY_COMPARE(stage.graph.hiddenSeries(), QSet<quint64>{0});
        QCOMPARE(stage.legend.topLevelItem(0)->checkState(0), Qt::Unchecked);
    }
    void showsOnlyOneLineAndAllAgain() {
        SeriesLegendViewStage stage;
        stage.choose(1, "showOnlyLine");
        QCOMPARE(stage.graph.hiddenSeries(), QSet<quint64>{0});
        stage.choose(0, "showOnlyLine");
        QCOMPARE(stage.graph.hiddenSeries(), QSet<quint64>{2});
        stage.choose(0, "showAllLines");
        QVERIFY(stage.graph.hiddenSeries().isEmpty());
    }
};
HIGHWATER_TEST(SeriesLegendViewTest);
#include "series_legend_view_test.moc"
