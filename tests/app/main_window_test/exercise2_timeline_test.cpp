#include "tests/app/main_window_test/window_stage.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QAction>
#include <QLineEdit>
#include <QSignalSpy>

#include <algorithm>

using namespace highwater;
using namespace highwater::tests;
using analysis::Column;
using analysis::KeyPath;
using analysis::Table;

namespace {

TraceTime seconds(double value) { return {std::llround(value * 1e9)}; }

} // namespace

/// The graph of Exercise 2: selected rows painted, spikes clicked, instants viewed, in the whole window. Times are
/// those of the exercise plus 2.0 s: the spikes start at 3.5, 6.5, ... 30.5 s and last 100 ms.
class Exercise2TimelineTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }
    void init() {
        stage_ = std::make_unique<WindowStage>();
        QVERIFY(stage_->open({path_}));
    }
    void cleanup() { stage_.reset(); }

    void paintsTheTransientRowAsItsTenSpikes() {
        // In a range up to the end of the process everything ends, including the steady blocks, which are transient in
        // the whole trace.
        QVERIFY(stage_->zoom(2.5, 31.9));
        paint({kProcess, "Transient"});
        comparePaintedWithSpikes(10);
    }
    void paintsFourSpikesWhenZoomedToThem() {
        QVERIFY(stage_->zoom(2.5, 31.9));
        paint({kProcess, "Transient"});
        QVERIFY(stage_->zoom(20.0, 31.5)); // the painting follows
        comparePaintedWithSpikes(4);
        stage_->panel().table().clearSelection();
        stage_->panel().graph().paintRows({});
        QVERIFY(!timeline().painted());
    }
    void paintedRowsStartAtTheBaseLine() {
        QVERIFY(stage_->zoom(20.0, 31.5));
        paint({kProcess, "Transient"});
        const auto& shapes = timeline().scene().shapes;
        const auto band = std::find_if(shapes.begin(), shapes.end(),
                                       [](const auto& shape) { return shape.form == ui::TimelineShape::Form::Area; });
        QVERIFY(band != shapes.end());
        const auto slice = *timeline().layers().sliceAt(seconds(30.55));
        QCOMPARE(band->upper[slice], 10.0 * kMegabyte); // out of the 31 that the line shows
        QCOMPARE(band->lower[slice], 0.0);
        const auto between = *timeline().layers().sliceAt(seconds(29.0));
        QCOMPARE(band->upper[between], band->lower[between]); // empty
    }
    void paintsTheWholeProcessAsItsLine() {
        paint({kProcess});
        QTRY_VERIFY(timeline().painted());
        const auto& series = timeline().answer()->timeline.series.front();
        QCOMPARE(QString::fromStdString(series.name), kProcess);
        QCOMPARE(timeline().painted()->rows.front().peaks, series.peaks);
    }
    void findsTheRowOfAClickedSpike() {
        QVERIFY(stage_->zoom(20.0, 31.5));
        QSignalSpy wanted(&stage_->panel().runner(), &ui::QueryRunner::rowFound);
        click(24.55, 28.0 * kMegabyte);
        QTRY_COMPARE(wanted.count(), 1);
        const auto path = wanted.first().first().value<KeyPath>();
        QCOMPARE(textOf(path[0]), kProcess);
        QCOMPARE(path[1].column, Column::ImpactingType);
        QCOMPARE(path[1].key, static_cast<std::uint64_t>(analysis::Impact::Transient));
        QVERIFY(path.size() > 4); // down to the last frame
        // The row is opened and selected, which paints it: only the four spikes of the interval.
        auto& table = stage_->panel().table();
        QTRY_COMPARE(stage_->panel().model().pathOf(table.currentIndex()), path);
        QTRY_COMPARE(stage_->panel().graph().paintedRows(), std::vector<KeyPath>{path});
        QVERIFY(stage_->wait());
        comparePaintedWithSpikes(4);
    }
    void findsTheRowOfTheStep() {
        QVERIFY(stage_->zoom(16.0, 18.0));
        QSignalSpy wanted(&stage_->panel().runner(), &ui::QueryRunner::rowFound);
        click(17.0, 16.0 * kMegabyte);
        QTRY_COMPARE(wanted.count(), 1);
        const auto path = wanted.first().first().value<KeyPath>();
        QCOMPARE(textOf(path[0]), kProcess);
        QCOMPARE(path[1].key, static_cast<std::uint64_t>(analysis::Impact::Impacting));
    }
    void showsOutstandingBytesAtAnInstant() {
        hover(18.55);
        timeline().setFocus();
        QTest::keyClick(&timeline(), Qt::Key_L);
        QVERIFY(stage_->wait());
        QVERIFY(stage_->state().instant());
        QCOMPARE(stage_->cell({kProcess}, Column::Size), "31.0 MB"); // 10 + 10 + 1 + one spike of 10
        QTest::keyClick(&timeline(), Qt::Key_L);
        QVERIFY(stage_->wait());
        QCOMPARE(stage_->cell({kProcess}, Column::Size), "126.0 MB");
    }
    void showsAnInstantToTheNanosecondInEveryGraph() {
        stage_->window.tabs().current().showGraph(Table::Heap);
        stage_->state().showInstant(seconds(18.55));
        QVERIFY(stage_->wait());
        for (auto* panel : stage_->window.tabs().current().panels()) {
            QCOMPARE(panel->model().answer()->query().interval.start, seconds(18.55));
        }
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QVERIFY(!stage_->state().instant());
    }
    void drawsRowsWhenOnlyTheirCountIsGraphed() {
        QVERIFY(stage_->showOnly(Table::Heap));
        auto layout = stage_->panel().graph().layout();
        layout.columns = {Column::Size, Column::Count};
        layout.graphed = 1;
        stage_->panel().graph().setLayout(layout);
        QVERIFY(stage_->wait());
        const auto& series = timeline().answer()->timeline.series.front();
        QCOMPARE(QString::fromStdString(series.name), kProcess);
        // 1,200 of the growing heap and 40 of the busy one; its pairs live for 1 ms each.
        QCOMPARE(series.peaks.back(), SignedByteCount{1240});
        layout.columns = {Column::Count, Column::Size};
        stage_->panel().graph().setLayout(layout);
        QVERIFY(stage_->wait());
        QCOMPARE(timeline().answer()->timeline.series.front().peaks.back(), SignedByteCount{133120 + 40 * 256});
    }
    void stacksHonestly() {
        stage_->panel().graph().setChart(ui::ChartType::StackedArea);
        QVERIFY(stage_->wait());
        QTRY_VERIFY(timeline().answer()->total);
        const auto& total = timeline().answer()->total->peaks;
        const auto slice = *timeline().layers().sliceAt(seconds(18.55));
        QCOMPARE(total[slice], SignedByteCount{(31 + 16) * kMegabyte});
    }
    void showsAllFromTheTableByOneKey() {
        QVERIFY(stage_->zoom(20.0, 31.5));
        stage_->window.activateWindow();
        stage_->panel().table().setFocus();
        QTest::keyClick(&stage_->panel().table(), Qt::Key_Home, Qt::AltModifier);
        QTRY_VERIFY(!stage_->state().isZoomed());
    }
    void zoomsByTheFooter() {
        auto* start = stage_->window.findChild<QLineEdit*>("startTime");
        QVERIFY(start);
        start->setFocus();
        start->selectAll();
        QTest::keyClicks(start, "16.0 18.0");
        QTest::keyClick(start, Qt::Key_Return);
        QVERIFY(stage_->wait());
        QCOMPARE(stage_->cell({kProcess}, Column::ImpactingSize), "10.0 MB");
        QCOMPARE(stage_->window.findChild<QLineEdit*>("duration")->text(), "2.000000000 s");
    }

  private:
    ui::TimelineView& timeline() { return stage_->panel().timeline(); }
    /// Selects the row.
    void paint(const QStringList& row) {
        const auto index = stage_->row(row);
        QVERIFY(index.isValid());
        stage_->panel().table().setCurrentIndex(index);
        stage_->panel().graph().paintRows({stage_->panel().model().pathOf(index)});
        QVERIFY(stage_->wait());
        QTRY_VERIFY(timeline().painted());
    }
    /// Only slices that a spike of the visible range touches are painted, with 10 MB each.
    void comparePaintedWithSpikes(int wanted) {
        const auto visible = stage_->state().visibleRange();
        QTRY_VERIFY(timeline().painted() && timeline().painted()->query.interval == visible);
        const auto& answer = *timeline().painted();
        QCOMPARE(answer.rows.size(), std::size_t{1});
        const auto& edges = timeline().layers().edges();
        int spikes = 0;
        for (int i = 0; i < 10; ++i) {
            if (visible.contains(seconds(3.5 + 3.0 * i))) ++spikes;
        }
        QCOMPARE(spikes, wanted);
        for (std::size_t slice = 0; slice + 1 < edges.size(); ++slice) {
            bool isSpike = false;
            for (int i = 0; i < 10; ++i) {
                const auto begin = seconds(3.5 + 3.0 * i);
                const auto end = seconds(3.6 + 3.0 * i);
                if (begin < edges[slice + 1] && edges[slice] <= end) isSpike = true;
            }
            QCOMPARE(answer.rows.front().peaks[slice], isSpike ? 10 * kMegabyte : 0);
        }
    }
    QPoint place(double time, double amount) {
        return {static_cast<int>(std::lround(timeline().coordinates().xOf(seconds(time)))),
                static_cast<int>(std::lround(timeline().yOf(amount)))};
    }
    void click(double time, double amount) { QTest::mouseClick(&timeline(), Qt::LeftButton, {}, place(time, amount)); }
    void hover(double time) {
        const QPointF at(place(time, 0));
        QMouseEvent move(QEvent::MouseMove, at, timeline().mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&timeline(), &move);
    }
    QString textOf(const analysis::KeyStep& step) {
        auto& model = stage_->panel().model();
        for (int i = 0; i < model.rowCount(); ++i) {
            if (model.pathOf(model.index(i, 0)) == KeyPath{step}) return model.keyText(model.index(i, 0));
        }
        return {};
    }

    QTemporaryDir folder_;
    QString path_;
    std::unique_ptr<WindowStage> stage_;
};
HIGHWATER_TEST(Exercise2TimelineTest);
#include "exercise2_timeline_test.moc"
