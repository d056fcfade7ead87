#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/presets.h"
#include "ui/state/series_colors.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/timeline/series_legend_view.h"
#include "ui/view/timeline/timeline_view.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::KeyPath;
using analysis::Table;

namespace {

/// a.exe does two things, b.exe one; VirtualAlloc by process and type.
struct OpenedLinesStage {
    SmallTrace trace;
    std::shared_ptr<analysis::FrameLabels> labels = std::make_shared<analysis::FrameLabels>();
    SeriesColors colors;
    TraceOnScreen shown;
    AnalysisView view{shown, colors};
    GraphPanel& panel = view.showGraph(Table::VirtualAlloc);
    GraphState& graph = panel.graph();

    OpenedLinesStage() {
        trace.process(1, "a.exe").process(2, "b.exe");
        trace.commit(100, 1, 0x10000, 4 * kPage, {0x400300, 0x400200, 0x400100});
        trace.commit(200, 1, 0x90000, 8 * kPage, {0x400400, 0x400200, 0x400100});
        trace.commit(300, 1, 0xa0000, 2 * kPage, {0x400400, 0x400100}).decommit(600, 1, 0xa0000, 2 * kPage);
        trace.commit(300, 2, 0x10000, kPage);
        view.resize(1000, 640);
        view.show();
        shown.show(trace.publish(1000), labels);
        (void)wait();
    }
    bool wait() {
        QTest::qWait(1);
        return QTest::qWaitFor([this] { return view.isUpToDate(); });
    }
    [[nodiscard]] const std::vector<analysis::TimelineSeries>& series() const {
        return panel.timeline().answer()->timeline.series;
    }
    QStringList lines() const {
        QStringList lines;
        for (const auto& one : series())
            lines << QString(static_cast<qsizetype>(one.depth) * 2, QLatin1Char(' ')) +
                         QString::fromStdString(one.name);
        return lines;
    }
    QTreeWidgetItem* item(int place) const { return panel.legend().topLevelItem(place); }
    void press(QTreeWidgetItem* item, Qt::Key key) {
        panel.legend().setFocus();
        panel.legend().setCurrentItem(item);
        QTest::keyClick(&panel.legend(), key);
        QTest::qWait(1);
        QVERIFY(wait());
    }
    /// The square beside the table's row.
    QColor square(const KeyPath& path) const {
        const auto row = panel.model().indexOf(path);
        return row.siblingAtColumn(panel.model().keySection(row)).data(Qt::DecorationRole).value<QColor>();
    }
};

} // namespace

/// Lines that are opened in the legend, with the table and the graph around it.
class OpenedLinesTest : public QObject {
    Q_OBJECT
  private slots:
    void opensLinesToTheEndOfTheStack() {
        OpenedLinesStage stage;
        QCOMPARE(stage.lines(), (QStringList{"a.exe (1)", "b.exe (2)"}));
        stage.press(stage.item(0), Qt::Key_Right);
        QCOMPARE(stage.lines(), (QStringList{"a.exe (1)", "  Impacting", "  Transient", "b.exe (2)"}));
        stage.press(stage.item(0)->child(0), Qt::Key_Right);
        stage.press(stage.item(0)->child(0)->child(0), Qt::Key_Right);
        stage.press(stage.item(0)->child(0)->child(0)->child(0), Qt::Key_Right);
        QCOMPARE(stage.lines(), (QStringList{"a.exe (1)", "  Impacting", "    0x400100", "      0x400200",
                                             "        0x400400", "        0x400300", "  Transient", "b.exe (2)"}));
        QVERIFY(!stage.item(0)->child(0)->child(0)->child(0)->child(0)->childCount());
        stage.press(stage.item(0), Qt::Key_Left);
        QCOMPARE(stage.lines(), (QStringList{"a.exe (1)", "b.exe (2)"}));
    }
    void theOldLinesStayUntilTheNewOnesAreThere() {
        OpenedLinesStage stage;
        const auto before = stage.panel.timeline().answer();
        stage.graph.turnSeries(stage.series()[0].path);
        QCOMPARE(stage.panel.timeline().answer(), before);
        QVERIFY(stage.item(0)->isExpanded() && !stage.panel.isUpToDate());
        QVERIFY(stage.wait());
        QVERIFY(stage.panel.timeline().answer() != before);
    }
    void openLinesAddUpToTheirOwn() {
        OpenedLinesStage stage;
        stage.graph.openSeriesTo(2);
        QVERIFY(stage.wait());
        const auto& series = stage.series();
        QCOMPARE(series.size(), std::size_t{5});
        // One event a slice: peaks are levels.
        for (std::size_t i = 0; i < series[0].peaks.size(); ++i) {
            const auto sum = series[1].peaks[i] + series[2].peaks[i];
            QVERIFY(sum == series[0].peaks[i]);
        }
        QCOMPARE(series[1].atEnd + series[2].atEnd, series[0].atEnd);
    }
    void legendTableAndGraphHaveOneColorForALine() {
        OpenedLinesStage stage;
        const auto a = stage.series()[0].path;
        const auto ofProcess = stage.square(a);
        QCOMPARE(ofProcess, stage.colors.knownColorOf(a));
        stage.graph.turnSeries(a);
        QVERIFY(stage.wait());
        const auto impacting = stage.series()[1].path;
        const auto transient = stage.series()[2].path;
        const auto color = stage.square(impacting);
        QVERIFY(color.isValid() && color != stage.square(transient) && color != ofProcess);
        QVERIFY(!stage.square(a).isValid()); // has no line at present
        const auto& layers = stage.panel.timeline().layers();
        QVERIFY(!layers.isShown(0));
        QCOMPARE(layers.colorOf(1), color);
        stage.graph.turnSeries(impacting); // zoomed further: the other one keeps its colour
        const auto before = stage.square(transient);
        QVERIFY(stage.wait());
        QCOMPARE(stage.square(transient), before);
        stage.graph.turnSeries(a);
        QVERIFY(stage.wait());
        QCOMPARE(stage.square(a), ofProcess);
    }
    /// One thing, one colour: layers, painted rows and painted rows inside of painted ones are not mixed.
    void drawnSeriesHaveTheLegendColor() {
        OpenedLinesStage stage;
        const auto a = stage.series()[0].path;
        const auto b = stage.series()[1].path;
        stage.graph.turnSeries(a);
        QVERIFY(stage.wait());
        const auto transient = stage.series()[2].path;
        stage.graph.turnSeries(a); // closed again
        stage.graph.setChart(ChartType::StackedArea);
        QVERIFY(stage.wait());
        auto& timeline = stage.panel.timeline();
        const auto pixelAt = [&](std::int64_t millis, double pages) {
            const auto x = timeline.coordinates().xOf(ms(millis));
            const auto picture = timeline.grab().toImage();
            const auto scale = picture.devicePixelRatio();
            return picture.pixelColor((QPointF(x, timeline.yOf(pages * double(kPage))) * scale).toPoint());
        };
        QCOMPARE(pixelAt(450, 7), stage.colors.knownColorOf(a)); // as a layer
        QCOMPARE(pixelAt(800, 12.5), stage.colors.knownColorOf(b));
        stage.graph.paintRows({a, transient});
        QTRY_VERIFY(timeline.painted() && timeline.painted()->rows.size() == 2);
        QVERIFY(stage.wait());
        QCOMPARE(pixelAt(450, 1), stage.colors.knownColorOf(transient)); // in its painted parent
        QCOMPARE(pixelAt(450, 7), stage.colors.knownColorOf(a));
        QCOMPARE(pixelAt(800, 12.5), stage.colors.knownColorOf(b));
        QCOMPARE(stage.square(a), stage.colors.knownColorOf(a));
    }
    /// Frames have colours of their own: squares of invisible lines would be misleading.
    void rowsHaveNoSquaresBesideAFlameGraph() {
        OpenedLinesStage stage;
        const auto a = stage.series()[0].path;
        QVERIFY(stage.square(a).isValid());
        stage.graph.setChart(ChartType::Flames);
        QVERIFY(stage.wait());
        QVERIFY(!stage.square(a).isValid());
        stage.graph.setChart(ChartType::Line);
        QVERIFY(stage.wait());
        QVERIFY(stage.square(a).isValid());
    }
    /// A painted row once had the colour of a line in another graph, or of one that was opened later.
    void paintedRowsHaveColorsOfTheirOwn() {
        OpenedLinesStage stage;
        stage.graph.turnSeries(stage.series()[0].path);
        QVERIFY(stage.wait());
        auto& other = stage.view.showGraph(Table::Frees);
        QVERIFY(stage.wait());
        const auto impacting = stage.series()[1].path;
        stage.graph.turnSeries(stage.series()[0].path); // closed again
        QVERIFY(stage.wait());
        auto row = stage.series()[1].path; // those of b.exe
        row.push_back(impacting[1]);
        stage.graph.paintRows({row});
        QTRY_VERIFY(stage.panel.timeline().paintedColors().size() == 1);
        const auto painted = stage.panel.timeline().paintedColors()[0];
        QVERIFY(painted != stage.colors.knownColorOf(impacting));
        for (const auto& series : other.timeline().answer()->timeline.series)
            QVERIFY(painted != stage.colors.knownColorOf(series.path));
        stage.graph.openSeriesTo(2);
        QVERIFY(stage.wait());
        QCOMPARE(stage.colors.knownColorOf(row), painted); // also as a line
        for (const auto& series : stage.series())
            QVERIFY(series.path == row || stage.colors.knownColorOf(series.path) != painted);
    }
    /// The Leaks page paints whole stacks, innermost frame first. They once had the name of the first caller: _start.
    void aPaintedStackHasTheNameOfItsOwner() {
        OpenedLinesStage stage;
        for (const std::size_t line : {0, 1, 2, 3}) { // lines of a.exe, down to the leaves of a stack
            stage.graph.turnSeries(stage.series()[line].path);
            QVERIFY(stage.wait());
        }
        const auto deepest = std::ranges::max_element(
            stage.series(), {}, [](const analysis::TimelineSeries& series) { return series.path.size(); });
        auto leafFirst = deepest->path;
        std::erase_if(leafFirst, [](const analysis::KeyStep& step) { return step.column == Column::ImpactingType; });
        QCOMPARE(leafFirst.size(), std::size_t{4});
        std::reverse(leafFirst.begin() + 1, leafFirst.end());
        for (auto& step : std::span(leafFirst).subspan(1))
            step.column = Column::StackBottomUp;
        stage.graph.paintRows({leafFirst});
        QVERIFY(stage.wait());
        const auto& legend = stage.panel.legend();
        QTRY_COMPARE(legend.topLevelItem(legend.topLevelItemCount() - 1)->text(0),
                     QString::fromStdString(deepest->name));
    }
    void aHiddenGroupTakesItsLinesAlong() {
        OpenedLinesStage stage;
        const auto a = stage.series()[0].path;
        stage.graph.turnSeries(a);
        QVERIFY(stage.wait());
        stage.graph.hideSeries({a});
        const auto& layers = stage.panel.timeline().layers();
        QVERIFY(!layers.isShown(1) && !layers.isShown(2) && layers.isShown(3));
    }
    void clickOnALineOpensARowInIt() {
        OpenedLinesStage stage;
        stage.graph.openSeriesTo(2);
        QVERIFY(stage.wait());
        stage.panel.planner().askRowAt({ms(290), ms(310)}, stage.series()[2].path);
        QTRY_COMPARE(stage.graph.paintedRows().size(), std::size_t{1});
        QCOMPARE(stage.graph.paintedRows()[0][1], stage.series()[2].path[1]);
    }
    void aStackIsOpenedFromTheTotal() {
        OpenedLinesStage stage;
        auto layout = stage.graph.layout();
        layout.keys = {Column::Stack};
        stage.graph.setLayout(layout);
        QVERIFY(stage.wait());
        QCOMPARE(stage.lines(), QStringList{"Total"});
        stage.press(stage.item(0), Qt::Key_Right);
        QCOMPARE(stage.lines(), (QStringList{"Total", "  0x400100", "  (no stack)"}));
        stage.press(stage.item(0), Qt::Key_Left);
        QCOMPARE(stage.lines(), QStringList{"Total"});
    }
    /// As docs/manual.md describes: with any preset whose keys contain them.
    void staysOpenUnderAnotherPreset() {
        OpenedLinesStage stage;
        stage.press(stage.item(0), Qt::Key_Right);
        const QStringList open{"a.exe (1)", "  Impacting", "  Transient", "b.exe (2)"};
        QCOMPARE(stage.lines(), open);
        const auto& presets = standardPresets(Table::VirtualAlloc);
        const auto first = stage.graph.layout().keyColumns();
        int others = 0;
        for (const auto& preset : presets) {
            const auto keys = preset.layout.keyColumns();
            usePreset(stage.graph, preset);
            QVERIFY(stage.wait());
            const bool hasThem = !keys.empty() && keys.front() == Column::Process;
            if (hasThem && keys.size() > 1) QVERIFY2(stage.item(0)->isExpanded(), qPrintable(preset.name));
            others += keys != first ? 1 : 0;
        }
        QVERIFY(others > 0);
        usePreset(stage.graph, presets.front());
        QVERIFY(stage.wait());
        QCOMPARE(stage.lines(), open);
    }
    void newTracesOpenAnew() {
        OpenedLinesStage stage;
        stage.graph.turnSeries(stage.series()[0].path);
        QVERIFY(stage.wait());
        stage.view.state().reset({ms(0), ms(1000)});
        QVERIFY(stage.graph.turnedSeries().empty());
    }
};
HIGHWATER_TEST(OpenedLinesTest);
#include "opened_lines_test.moc"
