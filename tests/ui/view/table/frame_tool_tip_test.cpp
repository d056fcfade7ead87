#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/series_colors.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/frame_tool_tip.h"
#include "ui/view/table/grouped_table_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QTest>
#include <QThread>
#include <QToolTip>

#include <atomic>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

/// a.exe > Impacting > 0x400100 > 0x400200.
struct FrameToolTipStage {
    std::atomic<bool> isHeld{false};
    std::atomic<int> asked{0};
    std::atomic<int> stopped{0};
    std::atomic<int> onGuiThread{0};
    SmallTrace trace;
    SeriesColors colors;
    TraceOnScreen shown;
    AnalysisView view{shown, colors, nullptr, functions()};
    GraphPanel& panel = view.showGraph(analysis::Table::VirtualAlloc);

    FrameToolTipStage() {
        trace.process(1, "a.exe").commit(100, 1, 0x10000, 4096, {0x400200, 0x400100});
        view.resize(1000, 640);
        view.show();
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        (void)QTest::qWaitFor([this] { return view.isUpToDate() && row(3).isValid(); });
    }
    QueryFunctions functions() {
        QueryFunctions watched;
        watched.facts = [this, gui = QThread::currentThread()](const FactsRequest& request, std::stop_token stop) {
            ++asked;
            if (QThread::currentThread() == gui) ++onGuiThread;
            while (isHeld && !stop.stop_requested()) {
                QThread::msleep(1);
            }
            if (stop.stop_requested()) ++stopped;
            return Result<QStringList>(QStringList{QStringLiteral("node %1").arg(request.node), "main.cpp:12"});
        };
        return watched;
    }
    /// The first row of each level.
    QModelIndex row(int level) {
        QModelIndex row;
        for (int i = 0; i <= level; ++i) {
            row = panel.model().index(0, 0, row);
        }
        return row.siblingAtColumn(panel.model().keySection(row));
    }
    void pointAt(const QModelIndex& index) {
        auto* viewport = panel.table().viewport();
        const auto place = panel.table().visualRect(index).center();
        QHelpEvent event(QEvent::ToolTip, place, viewport->mapToGlobal(place));
        QApplication::sendEvent(viewport, &event);
    }
    QString text() { return panel.toolTip().text(); }
};

} // namespace

class FrameToolTipTest : public QObject {
    Q_OBJECT
  private slots:
    void showsTheNameAtOnceAndTheRestWhenKnown() {
        FrameToolTipStage stage;
        stage.isHeld = true;
        const auto frame = stage.row(2);
        const auto node = stage.panel.model().nodeOf(frame);
        stage.pointAt(frame);
        QCOMPARE(stage.text(), "0x400100");
        QCOMPARE(QToolTip::text(), "0x400100");
        stage.isHeld = false;
        QTRY_COMPARE(QToolTip::text(), QStringLiteral("0x400100\nnode %1\nmain.cpp:12").arg(node));
        QCOMPARE(stage.onGuiThread.load(), 0);
        stage.pointAt(frame); // still there
        QCOMPARE(stage.asked.load(), 1);
    }
    void asksNoMoreWhenTheMouseHasMovedOn() {
        FrameToolTipStage stage;
        stage.isHeld = true;
        stage.pointAt(stage.row(2));
        QTRY_COMPARE(stage.asked.load(), 1);
        stage.pointAt(stage.row(3));
        QTRY_COMPARE(stage.stopped.load(), 1);
        QTRY_COMPARE(stage.asked.load(), 2);
        const auto place = stage.panel.table().visualRect(stage.row(0)).center();
        QTest::mouseMove(stage.panel.table().viewport(), place);
        QTRY_COMPARE(stage.stopped.load(), 2);
        QVERIFY(stage.text().isEmpty());
    }
    void leavesOtherRowsAlone() {
        FrameToolTipStage stage;
        stage.pointAt(stage.row(0));
        QTest::qWait(10);
        QCOMPARE(stage.asked.load(), 0);
        QCOMPARE(QToolTip::text(), "a.exe (1)");
    }
};
HIGHWATER_TEST(FrameToolTipTest);
#include "frame_tool_tip_test.moc"
