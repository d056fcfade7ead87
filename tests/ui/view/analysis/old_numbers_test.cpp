#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/series_colors.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_header.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/grouped_table_view.h"

#include <QLabel>
#include <QTest>
#include <QThread>

#include <atomic>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Table;

namespace {

/// A panel whose table is held back.
struct OldNumbersStage {
    std::atomic<bool> isHeld{false};
    SmallTrace trace;
    SeriesColors colors;
    TraceOnScreen shown;
    AnalysisView view{shown, colors, nullptr, functions()};
    GraphPanel& panel = view.showGraph(Table::VirtualAlloc);

    OldNumbersStage() {
        trace.process(1, "a.exe").process(2, "b.exe");
        trace.commit(100, 1, 0x10000, 4 * kPage).commit(200, 1, 0x90000, 8 * kPage).commit(300, 2, 0x10000, kPage);
        view.resize(1000, 640);
        view.show();
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        (void)QTest::qWaitFor([this] { return view.isUpToDate(); });
    }
    ~OldNumbersStage() { isHeld = false; }
    QueryFunctions functions() {
        QueryFunctions functions;
        functions.table = [this](const TableRequest& request, std::stop_token stop) {
            while (isHeld && !stop.stop_requested())
                QThread::msleep(1);
            return answerTable(request, std::move(stop));
        };
        return functions;
    }
    void filter() {
        const auto path = panel.model().pathOf(panel.model().index(0, 0));
        panel.graph().addFilter(
            {.clause = {.mode = analysis::RowFilter::Clause::Mode::Keep, .anyOf = {path}}, .text = "one"});
    }
    [[nodiscard]] bool showsThatItCounts() const { return panel.header().findChild<QLabel*>("counting")->isVisible(); }
    /// The darkest ink of a number: 0 is black.
    [[nodiscard]] int darkest() const {
        int section = 1;
        while (panel.model().valueColumn(section) != analysis::ValueColumn(analysis::Column::Size))
            ++section;
        const auto cell = panel.model().index(1, section);
        panel.table().scrollTo(cell);
        const auto place = panel.table().visualRect(cell).adjusted(2, 2, -2, -2); // without the focus
        const auto picture = panel.table().viewport()->grab(place).toImage();
        int darkest = 255;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                darkest = std::min(darkest, qGray(picture.pixel(x, y)));
        return darkest;
    }
};

} // namespace

/// While a table is recounted, the old numbers must not look like those of the new filter.
class OldNumbersTest : public QObject {
    Q_OBJECT
  private slots:
    void areDimmedAndMarkedAsOld() {
        OldNumbersStage stage;
        auto& table = stage.panel.table();
        table.clearSelection();
        QVERIFY(!stage.showsThatItCounts() && !table.isOld());
        stage.isHeld = true;
        stage.filter();
        QCOMPARE(stage.panel.graph().filterSteps().size(), std::size_t{1}); // immediately
        QTRY_VERIFY(stage.showsThatItCounts());
        QVERIFY(table.isOld());
        QVERIFY(table.accessibleDescription().startsWith("Counting"));
        QCOMPARE(stage.panel.model().rowCount(), 2);
        stage.isHeld = false;
        QTRY_VERIFY(stage.view.isUpToDate());
        QVERIFY(!stage.showsThatItCounts() && !table.isOld());
        QVERIFY(table.accessibleDescription().isEmpty());
        QCOMPARE(stage.panel.model().rowCount(), 1);
    }
    void areNotDimmedWhereTheAnswerIsFast() {
        OldNumbersStage stage;
        bool wasOld = false;
        connect(&stage.panel.runner(), &QueryRunner::tableAnswered, this,
                [&] { wasOld = wasOld || stage.showsThatItCounts(); });
        stage.filter();
        QTRY_COMPARE(stage.panel.model().rowCount(), 1);
        QTest::qWait(300);
        QVERIFY(!wasOld && !stage.showsThatItCounts());
    }
    void areThoseOfTheIntervalToo() {
        OldNumbersStage stage;
        stage.isHeld = true;
        stage.view.state().zoomTo({ms(150), ms(250)});
        QTRY_VERIFY(stage.showsThatItCounts());
        stage.view.state().showAll(); // back to the range of the numbers
        QTRY_VERIFY(!stage.showsThatItCounts());
    }
    void areThoseOfAClosedTraceNoMore() {
        OldNumbersStage stage;
        stage.isHeld = true;
        stage.filter();
        QTRY_VERIFY(stage.showsThatItCounts());
        SmallTrace other;
        stage.shown.show(other.process(1, "c.exe").publish(500), std::make_shared<analysis::FrameLabels>());
        QTRY_VERIFY(!stage.panel.table().isOld());
        stage.isHeld = false;
    }
    void lookOtherThanNewOnes() {
        OldNumbersStage stage;
        auto& table = stage.panel.table();
        table.clearSelection();
        const auto before = stage.darkest();
        table.setOld(true);
        QVERIFY(stage.darkest() > before + 40);
        table.setOld(false);
        QCOMPARE(stage.darkest(), before);
    }
};
HIGHWATER_TEST(OldNumbersTest);
#include "old_numbers_test.moc"
