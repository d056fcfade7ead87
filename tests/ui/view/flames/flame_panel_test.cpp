#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/series_colors.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_header.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/flames/flame_view.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/timeline/series_legend_view.h"
#include "ui/view/timeline/timeline_view.h"

#include <QAction>
#include <QComboBox>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

struct FlamePanelStage {
    SmallTrace trace;
    SeriesColors colors;
    TraceOnScreen shown;
    AnalysisView view{shown, colors};
    GraphPanel& panel = view.showGraph(analysis::Table::VirtualAlloc);

    FlamePanelStage() {
        trace.process(1, "a.exe");
        trace.commit(100, 1, 0x10000, 4 * kPage, {0x400300, 0x400200, 0x400100});
        trace.commit(200, 1, 0x90000, 8 * kPage, {0x400400, 0x400200, 0x400100});
        view.resize(1000, 640);
        view.show();
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        (void)wait();
    }
    bool wait() {
        QTest::qWait(1);
        return QTest::qWaitFor([this] { return view.isUpToDate(); });
    }
    void choose(const char* chart) {
        auto* box = panel.header().findChild<QComboBox*>("chartType");
        box->setCurrentIndex(box->findText(chart));
        emit box->activated(box->currentIndex());
    }
};

} // namespace

/// A flame graph as a chart of a graph.
class FlamePanelTest : public QObject {
    Q_OBJECT
  private slots:
    void takesThePlaceOfTheTimeline() {
        FlamePanelStage stage;
        QVERIFY(!stage.panel.flames().isVisible());
        stage.choose("Flames");
        QVERIFY(stage.wait());
        QVERIFY(stage.panel.flames().isVisible());
        QVERIFY(!stage.panel.timeline().isVisible() && !stage.panel.legend().isVisible());
        QVERIFY(stage.panel.flames().width() > 900);
        QVERIFY(stage.panel.flames().canvas().root() == FlameRoot::Bottom);
        stage.choose("Icicle");
        QVERIFY(stage.panel.flames().canvas().root() == FlameRoot::Top);
        stage.choose("Line");
        QVERIFY(stage.panel.timeline().isVisible() && stage.panel.legend().isVisible());
    }
    void isUpToDateWhenTheFramesAreThere() {
        FlamePanelStage stage;
        stage.choose("Flames");
        QVERIFY(!stage.panel.isUpToDate());
        QVERIFY(stage.wait());
        QVERIFY(stage.panel.flames().canvas().answer());
    }
    void aSecondClickSelectsTheRow() {
        FlamePanelStage stage;
        stage.choose("Icicle");
        QVERIFY(stage.wait());
        stage.panel.graph().setParts(GraphParts::GraphOnly);
        auto& canvas = stage.panel.flames().canvas();
        const auto& tree = canvas.answer()->tree;
        std::uint32_t wanted = 0;
        for (std::uint32_t node = 1; node < tree.nodes.size(); ++node) {
            if (tree.text(node) == "0x400300") wanted = node;
        }
        const auto path = tree.path(wanted);
        const auto place = canvas.rectOf(wanted).center();
        QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(canvas.viewport(), Qt::LeftButton, {}, place);
        QTRY_COMPARE(stage.panel.table().currentPath(), path);
        QVERIFY(stage.panel.graph().parts() == GraphParts::GraphAndTable);
    }
    void exportsMatchTheScreen() {
        FlamePanelStage stage;
        const auto first = [&] { return stage.panel.exportActions().front()->objectName(); };
        QCOMPARE(first(), "exportPng");
        stage.choose("Flames");
        QCOMPARE(first(), "exportFlames");
    }
    void takesTheFocusOfAGraphAlone() {
        FlamePanelStage stage;
        stage.choose("Flames");
        stage.panel.graph().setParts(GraphParts::GraphOnly);
        stage.view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.view));
        stage.panel.takeFocus();
        QVERIFY(stage.panel.flames().canvas().hasFocus());
    }
};
HIGHWATER_TEST(FlamePanelTest);
#include "flame_panel_test.moc"
