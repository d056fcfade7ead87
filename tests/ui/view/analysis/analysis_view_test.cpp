#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/series_colors.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_header.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/table/pivot_header.h"
#include "ui/view/table/table_actions.h"
#include "ui/view/table/table_work.h"
#include "ui/view/timeline/timeline_view.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <tuple>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

struct AnalysisViewStage {
    SmallTrace trace;
    std::shared_ptr<analysis::FrameLabels> labels = std::make_shared<analysis::FrameLabels>();
    SeriesColors colors;
    TraceOnScreen shown;
    AnalysisView view{shown, colors};
    GraphPanel& panel = view.showGraph(Table::VirtualAlloc);
    QAbstractItemModelTester tester{&panel.model(), QAbstractItemModelTester::FailureReportingMode::Fatal};

    AnalysisViewStage() {
        trace.process(1, "a.exe").process(2, "b.exe");
        trace.commit(100, 1, 0x10000, 4 * kPage, {0x400300, 0x400200, 0x400100});
        trace.commit(200, 1, 0x90000, 8 * kPage, {0x400400, 0x400200, 0x400100});
        trace.commit(300, 2, 0x10000, kPage).decommit(600, 2, 0x10000, kPage);
        view.resize(1000, 640);
        view.show();
        shown.show(trace.publish(1000), labels);
        (void)QTest::qWaitFor([this] { return view.isUpToDate(); });
    }
    bool wait() {
        QTest::qWait(1); // the planner asks in the next turn
        return QTest::qWaitFor([this] { return view.isUpToDate(); });
    }
    QModelIndex row(const QString& text, const QModelIndex& parent = {}) {
        auto& model = panel.model();
        for (int i = 0; i < model.rowCount(parent); ++i) {
            if (model.keyText(model.index(i, 0, parent)) == text) return model.index(i, 0, parent);
        }
        return {};
    }
    QString cell(const QModelIndex& row, Column column) {
        auto& model = panel.model();
        for (int section = 1; section < model.columnCount(); ++section) {
            if (model.valueColumn(section) == column) return row.siblingAtColumn(section).data().toString();
        }
        return "no such column";
    }
    void choose(const QString& action) {
        auto* menu = openMenu();
        auto items = menu->actions();
        for (auto* item : menu->actions()) {
            if (item->menu()) items += item->menu()->actions();
        }
        for (auto* item : items) {
            if (item->objectName() == action) item->trigger();
        }
        menu->close();
    }
    QMenu* openMenu() {
        auto& table = panel.table();
        QContextMenuEvent event(QContextMenuEvent::Mouse, {20, 20}, table.viewport()->mapToGlobal(QPoint(20, 20)));
        QApplication::sendEvent(table.viewport(), &event);
        return table.findChild<QMenu*>("tableMenu");
    }
};

} // namespace

class AnalysisViewTest : public QObject {
    Q_OBJECT
  private slots:
    void showsTableAndTimelineOfATrace() {
        AnalysisViewStage stage;
        QCOMPARE(stage.panel.model().rowCount(), 2);
        QCOMPARE(stage.cell(stage.row("a.exe (1)"), Column::Size), "48.0 KB");
        QCOMPARE(stage.panel.timeline().answer()->timeline.series.size(), std::size_t{2});
    }
    /// Opens the path down to the owner once, without selecting it. Rows that the user closes stay closed.
    void opensTheHeaviestPathByItself() {
        AnalysisViewStage stage;
        auto& table = stage.panel.table();
        const auto owner = [&] {
            const auto fork =
                stage.row("0x400200", stage.row("0x400100", stage.row("Impacting", stage.row("a.exe (1)"))));
            return stage.row("0x400400", fork);
        };
        QTRY_VERIFY(owner().isValid() && table.isExpanded(owner().parent()));
        QVERIFY(table.selectionModel()->selectedRows().isEmpty() && !table.currentIndex().isValid());
        table.collapse(stage.row("a.exe (1)"));
        stage.view.state().zoomTo({ms(0), ms(250)});
        QVERIFY(stage.wait());
        QVERIFY(!table.isExpanded(stage.row("a.exe (1)")));
    }
    void followsTheZoom() {
        AnalysisViewStage stage;
        stage.view.state().zoomTo({ms(150), ms(250)});
        QVERIFY(stage.wait());
        QCOMPARE(stage.cell(stage.row("a.exe (1)"), Column::ImpactingSize), "32.0 KB");
        QVERIFY(!stage.row("b.exe (2)").isValid());
    }
    void opensAChainAndKeepsItOpenWhenTheAnswerIsReplaced() {
        AnalysisViewStage stage;
        auto& table = stage.panel.table();
        table.expand(stage.row("a.exe (1)"));
        const auto fork = [&] {
            return stage.row("0x400200", stage.row("0x400100", stage.row("Impacting", stage.row("a.exe (1)"))));
        };
        QTRY_VERIFY(fork().isValid() && stage.panel.model().rowCount(fork()) == 2);
        QVERIFY(table.isExpanded(fork()));
        table.setCurrentIndex(fork());
        stage.view.state().zoomTo({ms(0), ms(250)});
        QVERIFY(stage.wait());
        QVERIFY(table.isExpanded(fork()));
        QCOMPARE(table.currentIndex(), fork());
        QVERIFY(table.selectionModel()->isRowSelected(fork().row(), fork().parent()));
    }
    void opensTheHotPathInOneAction() {
        AnalysisViewStage stage;
        stage.choose("hotPath");
        QTRY_COMPARE(stage.panel.model().keyText(stage.panel.table().currentIndex()), "0x400400");
    }
    void filtersToTheSelectionByMenuAndUndoes() {
        AnalysisViewStage stage;
        stage.panel.table().setCurrentIndex(stage.row("b.exe (2)"));
        stage.choose("filterTo");
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel.model().rowCount(), 1);
        QTRY_COMPARE(stage.panel.timeline().answer()->timeline.series.size(), std::size_t{1});
        const auto chips = stage.view.findChildren<QPushButton*>("filterChip");
        QCOMPARE(chips.size(), 1);
        QVERIFY(chips.first()->text().startsWith("Process = b.exe (2)"));
        stage.choose("undoFilter");
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel.model().rowCount(), 2);
        stage.panel.table().setCurrentIndex(stage.row("b.exe (2)"));
        stage.choose("filterOut");
        QVERIFY(stage.wait());
        QVERIFY(!stage.row("b.exe (2)").isValid() && stage.row("a.exe (1)").isValid());
    }
    void annotatesTheSelectionByKeys() {
        AnalysisViewStage stage;
        auto& table = stage.panel.table();
        table.setFocus();
        table.setCurrentIndex(stage.row("b.exe (2)"));
        QTest::keyClick(&table, Qt::Key_A);
        auto* editor = stage.view.window()->findChild<QDialog*>("annotationEditor");
        QVERIFY(editor && editor->isVisible());
        QLineEdit* label = nullptr; // the one being typed in
        const auto isShown = [&] {
            for (auto* each : editor->findChildren<QLineEdit*>("annotationLabel"))
                if (each->isVisible()) label = each;
            return label != nullptr;
        };
        QTRY_VERIFY(isShown());
        QTest::keyClicks(label, "Mine <b>");
        QTest::keyClick(label, Qt::Key_Return);
        QVERIFY(stage.wait());
        QCOMPARE(stage.cell(stage.row("b.exe (2)"), Column::Annotation), "Mine <b>");
        QCOMPARE(stage.cell(stage.row("a.exe (1)"), Column::Annotation), "(none)");
        // Grouped by it, the graph has a line for each label.
        auto layout = stage.panel.graph().layout();
        layout.keys.insert(layout.keys.begin(), Column::Annotation);
        stage.panel.graph().setLayout(layout);
        QVERIFY(stage.wait());
        QVERIFY(stage.row("Mine <b>").isValid() && stage.row("(none)").isValid());
        QTRY_COMPARE(stage.panel.timeline().answer()->timeline.series.size(), std::size_t{2});
        // The remaining rows have a name, and the list can be emptied again.
        table.setCurrentIndex(stage.row("(none)"));
        stage.choose("annotate");
        editor = stage.view.window()->findChildren<QDialog*>("annotationEditor").last();
        QCOMPARE(editor->isVisible(), true);
        editor->reject();
        stage.panel.graph().undoLayout();
        stage.panel.graph().undoLayout();
        QVERIFY(stage.panel.graph().layout().annotations.empty());
        QVERIFY(stage.wait());
        QVERIFY(!stage.row("Mine <b>").isValid());
    }
    void removesAFilterByItsChip() {
        AnalysisViewStage stage;
        stage.panel.table().setCurrentIndex(stage.row("b.exe (2)"));
        stage.choose("filterTo");
        QVERIFY(stage.wait());
        QTest::mouseClick(stage.view.findChild<QPushButton*>("filterChip"), Qt::LeftButton);
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel.model().rowCount(), 2);
    }
    void reportsThatNothingMatchesAndOffersAFix() {
        AnalysisViewStage stage;
        stage.panel.table().setCurrentIndex(stage.row("b.exe (2)"));
        stage.choose("filterTo");
        QVERIFY(stage.wait());
        stage.view.state().zoomTo({ms(700), ms(800)});
        QVERIFY(stage.wait());
        auto* message = stage.view.findChild<MessageStrip*>();
        QVERIFY(message->isVisible());
        QCOMPARE(message->message(), "Nothing in this interval matches the filter “Process = b.exe (2)”.");
        stage.panel.graph().addFilter(
            {.clause = {},
             .text = "Size:>1GB",
             .query = analysis::QueryExpression::parse(Table::VirtualAlloc, "Size:>1GB").value()});
        QVERIFY(stage.wait());
        QCOMPARE(message->message(), "Nothing in this interval matches all of these filters: “Process = b.exe (2)”, "
                                     "“Size:>1GB”.");
        emit message->findChild<QLabel*>("messageText")->linkActivated("#");
        QVERIFY(stage.wait());
        QVERIFY(stage.panel.graph().filter().isEmpty() && !message->isVisible());
    }
    void sortsByAClickOnTheHeader() {
        AnalysisViewStage stage;
        auto* header = stage.panel.table().header();
        const int count = blueSection(stage.panel.graph().layout());
        const auto position = QPoint(header->sectionViewportPosition(count) + header->sectionSize(count) / 2, 5);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, position);
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel.graph().layout().sort, (std::vector<analysis::SortKey>{{Column::Count, true}}));
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, position);
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel.graph().layout().sort, (std::vector<analysis::SortKey>{{Column::Count, false}}));
        QCOMPARE(stage.panel.model().keyText(stage.panel.model().index(0, 0)), "b.exe (2)");
    }
    void regroupsRowsByAHeaderDraggedOverTheGoldBar() {
        AnalysisViewStage stage;
        auto& columns = stage.panel.table().columns();
        const auto middle = [&](int section) { return columns.places().section(section).center(); };
        const auto drag = [&](QPoint from, QPoint to) {
            QTest::mousePress(columns.viewport(), Qt::LeftButton, {}, from);
            QTest::mouseMove(columns.viewport(), (from + to) / 2);
            QTest::mouseMove(columns.viewport(), to);
            QTest::mouseRelease(columns.viewport(), Qt::LeftButton, {}, to);
        };
        drag(middle(1), columns.places().bar(LayoutBar::Gold).center() + QPoint(30, 0)); // Process becomes a value
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel.model().shownLayout().keyColumns(), (std::vector{Column::ImpactingType, Column::Stack}));
        const auto impacting = stage.row("Impacting");
        QCOMPARE(impacting.siblingAtColumn(goldSection(stage.panel.model().shownLayout())).data().toString(),
                 "a.exe (1)");
        drag(columns.places().bar(LayoutBar::Gold).center(), columns.places().section(2).topLeft() + QPoint(2, 5));
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel.model().shownLayout().keyColumns(), std::vector{Column::ImpactingType});
        QCOMPARE(columns.shownLayout(), stage.panel.model().shownLayout());
    }
    void writesColumnsInTheirUnit() {
        AnalysisViewStage stage;
        auto& graph = stage.panel.graph();
        const int size = sectionCount(graph.layout()) - 1;
        graph.setLayout(setFormat(graph.layout(), size, {ColumnUnit::Kilobytes, 0}));
        QCOMPARE(stage.cell(stage.row("a.exe (1)"), Column::Size), "48");
    }
    void showsSeveralGraphsThatShareTheTime() {
        AnalysisViewStage stage;
        auto& heap = stage.view.showGraph(Table::Heap);
        QVERIFY(stage.wait());
        QCOMPARE(heap.model().rowCount(), 0);
        QVERIFY(heap.findChild<MessageStrip*>()->message().startsWith("This trace has no heap allocations."));
        auto& frees = stage.view.showGraph(Table::Frees);
        QVERIFY(stage.wait());
        QCOMPARE(frees.model().rowCount(), 1);
        QCOMPARE(stage.view.currentPanel(), &frees);
        QCOMPARE(&stage.view.showGraph(Table::VirtualAlloc), &stage.panel); // already there
        QCOMPARE(stage.view.panels().size(), std::size_t{3});
        stage.view.state().zoomTo({ms(150), ms(250)});
        QVERIFY(stage.wait());
        QCOMPARE(frees.model().rowCount(), 0); // the only release is outside
    }
    void aDoubleClickOnTheTitleShowsAGraphAlone() {
        AnalysisViewStage stage;
        auto& heap = stage.view.showGraph(Table::Heap);
        auto& frees = stage.view.showGraph(Table::Frees);
        QVERIFY(stage.wait());
        const auto clickTitle = [](GraphPanel& panel) {
            QTest::mouseDClick(panel.header().findChild<QWidget*>("graphTitle"), Qt::LeftButton);
        };
        clickTitle(heap);
        QVERIFY(heap.isVisible() && !frees.isVisible() && !stage.panel.isVisible());
        QTRY_VERIFY(heap.height() > stage.view.height() / 2);
        clickTitle(heap);
        QVERIFY(heap.isVisible() && frees.isVisible() && stage.panel.isVisible());
        clickTitle(heap);
        stage.view.showGraph(Table::Frees); // the requested graph is visible
        QVERIFY(heap.isVisible() && frees.isVisible());
        clickTitle(heap);
        stage.view.state().removeGraph(heap.graph());
        QVERIFY(frees.isVisible() && stage.panel.isVisible());
    }
    void theInstantIsAskedForFromTheTable() {
        AnalysisViewStage stage;
        auto& timeline = stage.panel.timeline();
        const auto x = static_cast<int>(timeline.coordinates().xOf(ms(250)));
        const QPointF place(x, 60);
        QMouseEvent move(QEvent::MouseMove, place, timeline.mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(&timeline, &move);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&timeline, &leave);
        stage.panel.table().setFocus();
        QTest::keyClick(&stage.panel.table(), Qt::Key_L);
        const auto instant = stage.view.state().instant();
        QVERIFY(instant);
        QVERIFY2(std::abs(instant->ns - ms(250).ns) < ms(3).ns, qPrintable(QString::number(instant->ns)));
        QVERIFY(stage.wait());
        QTest::keyClick(&stage.panel.table(), Qt::Key_L); // restored
        QVERIFY(!stage.view.state().instant());
    }
    void aFilterHoldsForAllGraphsOrForOne() {
        AnalysisViewStage stage;
        auto& frees = stage.view.showGraph(Table::Frees);
        QVERIFY(stage.wait());
        stage.panel.table().setFocus();
        stage.panel.table().setCurrentIndex(stage.row("b.exe (2)"));
        QTest::keyClick(&stage.panel.table(), Qt::Key_F);
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel.graph().filterSteps().size(), std::size_t{1});
        QCOMPARE(frees.graph().filterSteps().size(), std::size_t{1});
        auto* chip = stage.panel.findChild<QPushButton*>("filterChip");
        QVERIFY2(chip->text().contains("all graphs"), qPrintable(chip->text()));
        auto* one = chip->findChild<QAction*>("filterThisGraph");
        QVERIFY(!one->isChecked() && chip->findChild<QAction*>("filterAllGraphs")->isChecked());
        one->trigger();
        QVERIFY(frees.graph().filterSteps().empty());
        QCOMPARE(stage.panel.graph().filterSteps().size(), std::size_t{1});
        stage.view.state().back(); // one step
        QCOMPARE(frees.graph().filterSteps().size(), std::size_t{1});
        stage.view.state().back();
        QVERIFY(stage.panel.graph().filterSteps().empty() && frees.graph().filterSteps().empty());
        stage.view.state().forward();
        QCOMPARE(frees.graph().filterSteps().size(), std::size_t{1});
        // A graph added later has it as well; one whose table lacks the column does not.
        auto& heap = stage.view.showGraph(Table::Heap);
        QCOMPARE(heap.graph().filterSteps().size(), std::size_t{1});
        FilterStep handle;
        handle.clause.anyOf = {{{Column::Handle, 5}}};
        handle.text = "Handle = 5";
        handle.scope = FilterScope::AllGraphs;
        heap.graph().addFilter(handle);
        QCOMPARE(heap.graph().filterSteps().size(), std::size_t{2});
        QCOMPARE(stage.panel.graph().filterSteps().size(), std::size_t{1});
        heap.graph().undoFilter();
        heap.graph().removeFilter(0);
        QVERIFY(stage.panel.graph().filterSteps().empty() && frees.graph().filterSteps().empty());
        QVERIFY(stage.wait());
    }
    void aGraphOfUnrecordedDataHasNoAxis() {
        AnalysisViewStage stage;
        auto& heap = stage.view.showGraph(Table::Heap);
        QVERIFY(stage.wait());
        QCOMPARE(heap.timeline().nothing(), "No heap allocations were recorded.");
        QVERIFY(stage.panel.timeline().nothing().isEmpty());
        auto* strip = heap.findChild<MessageStrip*>();
        QVERIFY2(strip->message().contains("wpr -start Heap"), qPrintable(strip->message()));
        stage.shown.setContents("It holds 12 events.");
        QVERIFY2(strip->message().endsWith("It holds 12 events."), qPrintable(strip->message()));
        // An empty filter or interval does not make the axis doubtful.
        stage.view.state().zoomTo({ms(700), ms(800)});
        stage.view.showGraph(Table::Frees);
        QVERIFY(stage.wait());
        for (auto* panel : stage.view.panels())
            QCOMPARE(panel->timeline().nothing().isEmpty(), panel != &heap);
        stage.shown.setLoading(true); // may still arrive
        QCOMPARE(heap.timeline().nothing(), "Waiting for the first heap allocation.");
        stage.shown.setLoading(false);
        QCOMPARE(heap.timeline().nothing(), "No heap allocations were recorded.");
    }
    void aGraphWithoutDataSaysWhichIsMissing() {
        AnalysisViewStage stage;
        const std::tuple<Table, const char*, const char*> graphs[] = {
            {Table::Managed, "Waiting for the first managed allocation.", "No managed allocations were recorded."},
            {Table::GcHeap, "Waiting for the first garbage collection.", "No managed heap sizes were recorded."},
            {Table::Snapshot, "Waiting for the first heap allocation.",
             "No heap snapshots or allocations were recorded."}};
        for (const auto& [table, waiting, missing] : graphs) {
            auto& panel = stage.view.showGraph(table);
            QVERIFY(stage.wait());
            stage.shown.setLoading(true);
            QCOMPARE(panel.timeline().nothing(), waiting);
            stage.shown.setLoading(false);
            QCOMPARE(panel.timeline().nothing(), missing);
        }
    }
    /// From the first moment of a recording on.
    void aGraphThatWaitsHasNoAxisUntilSomethingHasCome() {
        AnalysisViewStage stage;
        stage.shown.setLoading(true);
        SmallTrace empty;
        empty.process(1, "a.exe");
        stage.shown.show(empty.publish(10), std::make_shared<analysis::FrameLabels>());
        QCOMPARE(stage.panel.timeline().nothing(), "Waiting for the first VirtualAlloc allocation.");
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel.timeline().nothing(), "Waiting for the first VirtualAlloc allocation.");
        stage.shown.show(stage.trace.publish(1000), stage.labels);
        QVERIFY(stage.panel.timeline().nothing().isEmpty());
    }
    void closesAGraph() {
        AnalysisViewStage stage;
        auto& heap = stage.view.showGraph(Table::Heap);
        QTest::mouseClick(heap.findChild<QToolButton*>("closeGraph"), Qt::LeftButton);
        QTRY_COMPARE(stage.view.panels().size(), std::size_t{1});
        QCOMPARE(stage.view.currentPanel(), &stage.panel);
    }
    void copiesWithHeadersAndPlainNumbers() {
        AnalysisViewStage stage;
        stage.panel.table().setCurrentIndex(stage.row("a.exe (1)"));
        stage.choose("copy");
        const auto lines = QApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].contains("\tImpacting Size\t"));
        QVERIFY(lines[0].startsWith("Process\tImpacting Type\tCommit Stack\t"));
        QVERIFY(lines[1].startsWith("a.exe (1)\t\t\t"));
        QVERIFY(lines[1].endsWith("\t2\t49152\t49152"));
    }
    void expandsAllAndDownToALevel() {
        AnalysisViewStage stage;
        stage.choose("expandAll");
        const auto fork = [&] {
            return stage.row("0x400200", stage.row("0x400100", stage.row("Impacting", stage.row("a.exe (1)"))));
        };
        QTRY_VERIFY(stage.panel.table().isExpanded(stage.row("b.exe (2)")));
        QVERIFY(fork().isValid() && stage.panel.table().isExpanded(fork()));
        emit stage.panel.table().expandWanted({.mode = OpenMode::Levels, .levels = 2});
        QTRY_VERIFY(!stage.panel.table().isExpanded(fork().parent()));
        QVERIFY(stage.panel.table().isExpanded(stage.row("a.exe (1)")));
        QVERIFY(!stage.panel.table().isExpanded(stage.row("Impacting", stage.row("a.exe (1)"))));
        stage.choose("collapseAll");
        QVERIFY(!stage.panel.table().isExpanded(stage.row("a.exe (1)")));
    }
    void asksBeforeItOpensVeryManyRows() {
        AnalysisViewStage stage;
        for (std::uint64_t i = 0; i < 10'000; ++i) {
            stage.trace.commit(700, 2, 0x1000000 + i * kPage, kPage, {0x500000 + i * 16});
        }
        stage.shown.show(stage.trace.publish(1000), stage.labels);
        QVERIFY(stage.wait());
        auto* strip = stage.panel.findChild<MessageStrip*>("tableWork");
        stage.choose("expandAll");
        QTRY_COMPARE(strip->message(), "This expands 10,010 rows.");
        const auto impacting = [&] { return stage.row("Impacting", stage.row("b.exe (2)")); };
        QVERIFY(!stage.panel.table().isExpanded(stage.row("b.exe (2)")));
        emit strip->findChild<QLabel*>("messageText")->linkActivated("#");
        QTRY_COMPARE(stage.panel.model().rowCount(impacting()), 10'000);
        QTRY_VERIFY(stage.panel.table().isExpanded(impacting()) && !strip->isVisible());
    }
    void revealsARowThatIsNotOpenYet() {
        AnalysisViewStage stage;
        stage.choose("hotPath");
        auto& table = stage.panel.table();
        QTRY_COMPARE(stage.panel.model().keyText(table.currentIndex()), "0x400400");
        const auto path = stage.panel.model().pathOf(table.currentIndex());
        stage.choose("collapseAll");
        stage.view.state().zoomTo({ms(150), ms(250)}); // an answer in which nothing is open
        QVERIFY(stage.wait());
        table.setCurrentIndex({});
        table.reveal(path);
        QTRY_COMPARE(stage.panel.model().keyText(table.currentIndex()), "0x400400");
        QCOMPARE(stage.panel.graph().paintedRows(), std::vector<analysis::KeyPath>{path});
    }
    void paintsTheRowsThatTheTableHasSelectedAndNoOthers() {
        AnalysisViewStage stage;
        stage.choose("hotPath");
        auto& table = stage.panel.table();
        QTRY_COMPARE(stage.panel.model().keyText(table.currentIndex()), "0x400400");
        const std::vector<analysis::KeyPath> leaf{stage.panel.model().pathOf(table.currentIndex())};
        const auto& painted = stage.panel.graph().paintedRows();
        QCOMPARE(painted, leaf);
        const auto full = stage.panel.graph().layout();
        auto layout = full;
        layout.keys = {Column::Process, Column::Type};
        stage.panel.graph().setLayout(layout); // this table does not contain that row
        QVERIFY(stage.wait());
        QVERIFY(!table.selectionModel()->hasSelection());
        QVERIFY(painted.empty());
        layout.keys = {Column::Process, Column::ImpactingType};
        stage.panel.graph().setLayout(layout);
        QVERIFY(stage.wait());
        QVERIFY(painted.empty());
        stage.panel.graph().setLayout(full);
        QVERIFY(stage.wait());
        QTRY_COMPARE(stage.panel.model().keyText(table.currentIndex()), "0x400400");
        QVERIFY(table.selectionModel()->isSelected(table.currentIndex()));
        QCOMPARE(painted, leaf);
        stage.panel.graph().paintRows({{{Column::Process, 99}}}); // painted from elsewhere in the window
        stage.view.state().zoomTo({ms(150), ms(250)});
        QVERIFY(stage.wait());
        QCOMPARE(painted.size(), std::size_t{1});
    }
    void turnsStacksOverAndShowsTheLeafFirst() {
        AnalysisViewStage stage;
        stage.choose("bottomUp");
        QVERIFY(stage.wait());
        stage.panel.table().expand(stage.row("a.exe (1)"));
        QTRY_VERIFY(stage.row("0x400400", stage.row("Impacting", stage.row("a.exe (1)"))).isValid());
    }
    void exportsTheShownRowsAndTheLeaves() {
        AnalysisViewStage stage;
        const QTemporaryDir folder;
        auto* strip = stage.panel.findChild<MessageStrip*>("tableWork");
        const auto linesOf = [&](const QString& name) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll().count('\n') : 0;
        };
        stage.panel.table().collapseEverything();
        stage.panel.work().exportTo(folder.filePath("shown.csv"), exports::TableRows::Tree, exports::TableFormat::Csv);
        QTRY_VERIFY(strip->message().startsWith("Saved 2 rows as "));
        QCOMPARE(linesOf("shown.csv"), 3);
        stage.panel.work().exportTo(folder.filePath("leaves.csv"), exports::TableRows::Leaves,
                                    exports::TableFormat::Csv);
        QTRY_VERIFY(strip->message().startsWith("Saved 3 rows as "));
        QCOMPARE(linesOf("leaves.csv"), 4);
        stage.shown.setName("app.etl");
        stage.choose("exportShown-json");
        auto* dialog = stage.view.findChild<QFileDialog*>("exportDialog");
        QVERIFY(dialog && !dialog->isModal());
        QVERIFY2(dialog->selectedFiles().value(0).endsWith("/app VirtualAlloc Commit LifeTimes.json"),
                 qPrintable(dialog->selectedFiles().value(0)));
        dialog->close();
    }
    void confirmsThatAGraphWasSaved() {
        AnalysisViewStage stage;
        emit stage.panel.timeline().pictureSaved("/a/graph.png");
        const auto native = QDir::toNativeSeparators("/a/graph.png");
        const auto strips = stage.panel.findChildren<MessageStrip*>();
        QVERIFY(std::ranges::any_of(
            strips, [&](const MessageStrip* strip) { return strip->message() == "Graph saved as " + native + "."; }));
    }
    void drawsEachAllocationAndOpensItsRow() {
        AnalysisViewStage stage;
        auto* chart = stage.panel.header().findChild<QComboBox*>("chartType");
        chart->setCurrentIndex(chart->findText("Lifetimes"));
        emit chart->activated(chart->currentIndex());
        auto& view = stage.panel.timeline();
        const auto& bars = view.lifetimeBars();
        QTRY_COMPARE(bars.count(), std::size_t{3});
        QVERIFY(QString::fromStdString(bars.lifetime(1).function).contains("0x400400"));
        QVERIFY(bars.lifetime(2).end == ms(600));
        QVERIFY(bars.colorOf(0) == bars.colorOf(1) && bars.colorOf(1) != bars.colorOf(2)); // by process
        QTest::mouseClick(&view, Qt::LeftButton, {}, bars.boxOf(1).center().toPoint());
        QTRY_VERIFY(!stage.panel.graph().paintedRows().empty());
        stage.panel.graph().setChart(ChartType::Line);
        QCOMPARE(bars.count(), std::size_t{0});
    }
    /// Code that waits for a picture would wait forever for a graph that does not exist.
    void isUpToDateWithoutAGraphWhereATraceHasNoTimes() {
        AnalysisViewStage stage;
        auto summed = std::make_shared<store::PublishedTrace>(*stage.trace.publish(1000));
        summed->lacks.times = true;
        stage.shown.show(summed, stage.labels);
        QVERIFY(stage.wait());
        QVERIFY(stage.row("a.exe (1)").isValid());
        stage.shown.show(stage.trace.publish(1000), stage.labels);
        QVERIFY(stage.wait());
        QVERIFY(stage.panel.timeline().answer());
    }
    void isUpToDateWhenTheFirstLookIsOpen() {
        AnalysisViewStage stage; // waits for exactly that
        const auto fork = stage.row("0x400200", stage.row("0x400100", stage.row("Impacting", stage.row("a.exe (1)"))));
        QVERIFY(fork.isValid() && stage.panel.table().isExpanded(fork));
    }
    void paintedRowsKeepTheirColorWhateverIsZoomedTo() {
        AnalysisViewStage stage;
        auto& table = stage.panel.table();
        const auto click = [&](const QString& text, Qt::KeyboardModifiers modifiers) {
            const auto stacks =
                stage.row("0x400200", stage.row("0x400100", stage.row("Impacting", stage.row("a.exe (1)"))));
            const auto row = stage.row(text, stacks);
            const auto key = row.siblingAtColumn(stage.panel.model().keySection(row));
            table.scrollTo(key);
            QTest::mouseClick(table.viewport(), Qt::LeftButton, modifiers, table.visualRect(key).center());
            return stage.wait();
        };
        QVERIFY(click("0x400400", {}));
        const auto& colors = stage.panel.timeline().paintedColors();
        QTRY_COMPARE(colors.size(), std::size_t{1});
        const auto first = colors[0];
        stage.view.state().zoomTo({ms(50), ms(280)}); // without b.exe, and its line
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel.timeline().answer()->timeline.series.size(), std::size_t{1});
        QCOMPARE(colors, std::vector<QColor>{first});
        QVERIFY(click("0x400300", Qt::ControlModifier));
        QTRY_COMPARE(colors.size(), std::size_t{2});
        QCOMPARE(colors[0], first);
        const auto second = colors[1];
        QVERIFY(second != first);
        stage.view.state().showAll();
        QVERIFY(stage.wait());
        QCOMPARE(colors, (std::vector<QColor>{first, second}));
    }
    void typedTimesStayInTheirField() {
        AnalysisViewStage stage;
        stage.view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.view));
        auto* start = stage.view.findChild<QLineEdit*>("startTime");
        start->setFocus();
        start->selectAll();
        QTest::keyClicks(start, "0.15");
        QTest::keyClick(start, Qt::Key_Return);
        QVERIFY(stage.wait());
        QCOMPARE(stage.view.state().visibleRange().start, ms(150));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_A); // in the table that it annotates
        QVERIFY(!stage.view.findChild<QDialog*>() && !QApplication::activePopupWidget());
        QCOMPARE(start->text(), "a");
        QTest::keyClick(start, Qt::Key_Return); // refused: the user has to correct it
        QVERIFY(start->hasFocus());
        QTest::keyClick(start, Qt::Key_Escape);
        QVERIFY(start->hasFocus());
        QTest::keyClick(start, Qt::Key_Escape);
        QVERIFY(stage.panel.table().hasFocus());
    }
    void goesOnOpeningAChainThatWasOnItsWayWhenTheAnswerWasReplaced() {
        AnalysisViewStage stage;
        stage.choose("collapseAll");
        stage.view.state().zoomTo({ms(0), ms(900)}); // an answer in which nothing is open
        QVERIFY(stage.wait());
        stage.panel.table().setCurrentIndex(stage.row("a.exe (1)"));
        QTest::keyClick(&stage.panel.table(), Qt::Key_Right);
        stage.view.state().zoomTo({ms(0), ms(250)});
        QVERIFY(stage.wait());
        const auto fork = stage.row("0x400200", stage.row("0x400100", stage.row("Impacting", stage.row("a.exe (1)"))));
        QVERIFY(fork.isValid() && stage.panel.table().isExpanded(fork));
        QCOMPARE(stage.panel.model().rowCount(fork), 2);
    }
    void reversingStacksKeepsOpenRows() {
        AnalysisViewStage stage;
        const auto open = stage.panel.table().expandedPaths();
        QVERIFY(!open.empty());
        stage.panel.table().setFocus();
        for (int i = 0; i < 2; ++i) {
            QTest::keyClick(&stage.panel.table(), Qt::Key_B, Qt::ControlModifier);
            QVERIFY(stage.wait());
            QVERIFY(stage.panel.table().expandedPaths().size() >= open.size());
        }
        QCOMPARE(stage.panel.table().expandedPaths().size(), open.size());
    }
    void showsTheDifferenceOverASelection() {
        AnalysisViewStage stage;
        stage.view.state().select({ms(150), ms(250)});
        QTRY_COMPARE(stage.panel.timeline().words().last(), "Change +32.0 KB");
    }
    void takesMoreOfTheSameTrace() {
        AnalysisViewStage stage;
        stage.panel.table().setCurrentIndex(stage.row("b.exe (2)"));
        stage.trace.commit(1500, 2, 0x20000, kPage);
        stage.shown.show(stage.trace.publish(2000), stage.labels);
        QVERIFY(stage.wait());
        QCOMPARE(stage.view.state().visibleRange().end, ms(2000));
        QCOMPARE(stage.cell(stage.row("b.exe (2)"), Column::Count), "2");
        QCOMPARE(stage.panel.model().keyText(stage.panel.table().currentIndex()), "b.exe (2)");
    }
};
HIGHWATER_TEST(AnalysisViewTest);
#include "analysis_view_test.moc"
