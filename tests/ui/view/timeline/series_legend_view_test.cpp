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

using analysis::KeyPath;

constexpr std::int64_t kMegabyte = 1 << 20;

KeyPath processPath(std::uint64_t key) { return {{analysis::Column::Process, key}}; }

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
        series.back().path = processPath(2);
        series.push_back({"(2 more)", 0, false, std::vector<SignedByteCount>(100, 0)});
        legend.setAnswer(answer);
        legend.resize(240, 200);
        legend.show();
        (void)QTest::qWaitForWindowExposed(&legend);
    }
    [[nodiscard]] QString value(int line) const { return legend.topLevelItem(line)->text(1); }
    /// app.exe is open: "Impacting", which can be opened, and "(3 more)"; other.exe can be opened.
    void open() {
        auto answer = std::make_shared<TimelineAnswer>(*spikyTimeline(kMegabyte));
        auto& series = answer->timeline.series;
        series[0].canOpen = series[0].isOpen = true;
        series.push_back({"Impacting", 1, true, std::vector<SignedByteCount>(100, 3 * kMegabyte / 2)});
        series.back().path = {series[0].path[0], {analysis::Column::ImpactingType, 1}};
        series.back().canOpen = true;
        series.push_back({"(3 more)", 0, false, std::vector<SignedByteCount>(100, 1)});
        series.back().path = series[0].path;
        series[1].depth = series[2].depth = 1;
        series.push_back({"other.exe (2)", 2, true, std::vector<SignedByteCount>(100, 3 * kMegabyte)});
        series.back().path = processPath(2);
        series.back().canOpen = true;
        series.push_back({"(2 more)", 0, false, std::vector<SignedByteCount>(100, 0)});
        graph.turnSeries(processPath(0));
        legend.setAnswer(answer);
    }
    /// 4 MB from 500 ms on, 5 MB in the last slice.
    void addPrivateBytes() {
        auto answer = std::make_shared<TimelineAnswer>(*spikyTimeline(kMegabyte));
        std::vector<SignedByteCount> peaks(100, 4 * kMegabyte);
        std::fill(peaks.begin(), peaks.begin() + 50, 0);
        peaks.back() = 5 * kMegabyte;
        answer->privateBytes = analysis::PrivateBytesLine{50, peaks, 5 * kMegabyte};
        legend.setAnswer(answer);
    }
    QMenu* menuOf(int line) { return menuAt(legend.topLevelItem(line)); }
    QMenu* menuAt(QTreeWidgetItem* item) {
        const auto position = legend.visualItemRect(item).center();
        const auto global = legend.viewport()->mapToGlobal(position);
        QContextMenuEvent event(QContextMenuEvent::Mouse, position, global);
        QApplication::sendEvent(legend.viewport(), &event);
        return legend.findChild<QMenu*>("legendMenu");
    }
    void choose(int line, const QString& action) { chooseAt(legend.topLevelItem(line), action); }
    void chooseAt(QTreeWidgetItem* of, const QString& action) {
        auto* menu = menuAt(of);
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
    void privateBytesHaveALineOfTheirOwn() {
        SeriesLegendViewStage stage;
        stage.addPrivateBytes();
        const auto line = stage.legend.topLevelItemCount() - 1;
        QCOMPARE(stage.legend.topLevelItem(line)->text(0), QString("Private bytes"));
        QCOMPARE(stage.value(line), QString("5.0 MB"));
        stage.legend.showValuesAt(ms(700));
        QCOMPARE(stage.value(line), QString("4.0 MB"));
        stage.legend.showValuesAt(ms(100)); // before the first sample
        QCOMPARE(stage.value(line), QString());
        QCOMPARE(stage.value(0), QString("1.0 MB"));
    }
    void hidesPrivateBytes() {
        SeriesLegendViewStage stage;
        stage.addPrivateBytes();
        const auto line = [&] { return stage.legend.topLevelItem(stage.legend.topLevelItemCount() - 1); };
        QCOMPARE(line()->checkState(0), Qt::Checked);
        line()->setCheckState(0, Qt::Unchecked);
        QTRY_VERIFY(!stage.graph.showsPrivateBytes());
        QCOMPARE(line()->checkState(0), Qt::Unchecked);
        line()->setCheckState(0, Qt::Checked);
        QTRY_VERIFY(stage.graph.showsPrivateBytes());
        stage.graph.setChart(ChartType::Lifetimes); // in which it is not drawn
        QCOMPARE(stage.legend.topLevelItemCount(), 1);
    }
    void showsPeaksAndValuesAtTheCursor() {
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
        painted->rows = {{processPath(9), std::vector<SignedByteCount>(100, kMegabyte / 2)}};
        (void)stage.colors.colorOf(processPath(9));
        stage.legend.setPainted(painted, {"kept\n<b>()"});
        QCOMPARE(stage.legend.topLevelItemCount(), 4);
        QVERIFY(!stage.legend.topLevelItem(3)->text(0).contains('\n'));
        QVERIFY(!stage.legend.topLevelItem(3)->flags().testFlag(Qt::ItemIsUserCheckable) ||
                !stage.legend.topLevelItem(3)->data(0, Qt::CheckStateRole).isValid());
        QCOMPARE(stage.value(3), "512.0 KB");
        stage.legend.setPainted(nullptr, {});
        QCOMPARE(stage.legend.topLevelItemCount(), 3);
    }
    void hidesALineByItsTick() {
        SeriesLegendViewStage stage;
        const auto tick = stage.legend.visualItemRect(stage.legend.topLevelItem(0)).topLeft() + QPoint(10, 8);
        QTest::mouseClick(stage.legend.viewport(), Qt::LeftButton, {}, tick);
        QTRY_COMPARE(stage.graph.hiddenSeries(), std::vector<KeyPath>{processPath(0)});
        QCOMPARE(stage.legend.topLevelItem(0)->checkState(0), Qt::Unchecked);
    }
    void isATreeOfOpenSeries() {
        SeriesLegendViewStage stage;
        stage.open();
        auto& legend = stage.legend;
        QCOMPARE(legend.topLevelItemCount(), 3);
        auto* app = legend.topLevelItem(0);
        QVERIFY(app->isExpanded());
        QCOMPARE(app->childCount(), 2);
        QCOMPARE(app->child(0)->text(0), "Impacting");
        QCOMPARE(app->child(0)->text(1), "1.5 MB");
        QCOMPARE(app->child(1)->text(0), "(3 more)");
        QVERIFY(app->icon(0).isNull() && !app->child(0)->icon(0).isNull()); // no line, no colour
        QVERIFY(app->child(0)->toolTip(0).contains("app.exe (1) › Impacting"));
        QCOMPARE(legend.topLevelItem(1)->childIndicatorPolicy(), QTreeWidgetItem::ShowIndicator);
        QCOMPARE(legend.topLevelItem(2)->childIndicatorPolicy(), QTreeWidgetItem::DontShowIndicator);
    }
    void opensAndClosesByKeys() {
        SeriesLegendViewStage stage;
        stage.open();
        stage.graph.openSeriesTo(1);
        QVERIFY(!stage.legend.topLevelItem(0)->isExpanded()); // immediately, the graph follows
        stage.legend.setCurrentItem(stage.legend.topLevelItem(1));
        QTest::keyClick(&stage.legend, Qt::Key_Right);
        QTRY_VERIFY(stage.graph.isSeriesOpen(processPath(2)));
        QVERIFY(stage.legend.topLevelItem(1)->isExpanded()); // its lines are being loaded
        QCOMPARE(stage.legend.currentItem(), stage.legend.topLevelItem(1));
        QTest::keyClick(&stage.legend, Qt::Key_Left);
        QTRY_VERIFY(!stage.graph.isSeriesOpen(processPath(2)));
        QVERIFY(stage.graph.turnedSeries().empty());
        stage.legend.setCurrentItem(stage.legend.topLevelItem(2));
        QTest::keyClick(&stage.legend, Qt::Key_Right);
        QTest::qWait(1);
        QVERIFY(stage.graph.turnedSeries().empty()); // "(2 more)" is not a line
    }
    void opensByItsArrow() {
        SeriesLegendViewStage stage;
        stage.open();
        stage.graph.openSeriesTo(1);
        const auto row = stage.legend.visualItemRect(stage.legend.topLevelItem(1));
        QTest::mouseClick(stage.legend.viewport(), Qt::LeftButton, {},
                          {stage.legend.indentation() / 2, row.center().y()});
        QTRY_VERIFY(stage.graph.isSeriesOpen(processPath(2)));
    }
    void opensByItsMenu() {
        SeriesLegendViewStage stage;
        stage.open();
        stage.choose(1, "turnLine");
        QVERIFY(stage.graph.isSeriesOpen(processPath(2)));
        auto* menu = stage.menuOf(1);
        auto* levels = menu->findChild<QMenu*>("lineLevels");
        QVERIFY(levels);
        QCOMPARE(levels->actions().size(), 2);
        QCOMPARE(levels->actions()[1]->text(), "Process, Impacting Type");
        levels->actions()[1]->trigger();
        delete menu;
        QCOMPARE(stage.graph.seriesLevels(), 2u);
        QVERIFY(stage.graph.turnedSeries().empty());
    }
    void hidesAGroupWithItsParts() {
        SeriesLegendViewStage stage;
        stage.open();
        auto* app = stage.legend.topLevelItem(0);
        app->setCheckState(0, Qt::Unchecked);
        QTRY_COMPARE(stage.graph.hiddenSeries(), std::vector<KeyPath>{processPath(0)});
        app = stage.legend.topLevelItem(0);
        QVERIFY(!app->child(0)->data(0, Qt::CheckStateRole).isValid()); // restored together with it
        stage.graph.hideSeries({});
        stage.chooseAt(stage.legend.topLevelItem(0)->child(0), "showOnlyLine");
        QCOMPARE(stage.graph.hiddenSeries(), std::vector<KeyPath>{processPath(2)}); // not its parent
    }
    void showsOnlyOneLineAndAllAgain() {
        SeriesLegendViewStage stage;
        stage.choose(1, "showOnlyLine");
        QCOMPARE(stage.graph.hiddenSeries(), std::vector<KeyPath>{processPath(0)});
        stage.choose(0, "showOnlyLine");
        QCOMPARE(stage.graph.hiddenSeries(), std::vector<KeyPath>{processPath(2)});
        stage.choose(0, "showAllLines");
        QVERIFY(stage.graph.hiddenSeries().empty());
    }
};
HIGHWATER_TEST(SeriesLegendViewTest);
#include "series_legend_view_test.moc"
