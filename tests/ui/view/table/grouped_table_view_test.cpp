#include "tests/support/test_registry.h"
#include "tests/ui/support/test_answer.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/analysis_state.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/table/header_painter.h"
#include "ui/view/table/pivot_delegate.h"
#include "ui/view/table/pivot_header.h"
#include "ui/view/table/table_actions.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::KeyPath;

namespace {

TableRow frame(std::uint32_t key, std::vector<TableRow> rows = {}) {
    return keyRow(Column::Stack, key, QStringLiteral("f%1").arg(key), std::move(rows));
}

/// a.exe > Impacting > f10;f11 > fork of f20 (> f21) and f22; b.exe.
std::shared_ptr<const TableAnswer> forkedStack() {
    auto chain = frame(10, {frame(11, {frame(20, {frame(21)}), frame(22)})});
    return stackAnswerOf(
        {row(1, "a.exe (1)", 2, 9, {keyRow(Column::ImpactingType, 100, "Impacting", {std::move(chain)})}),
         row(2, "b.exe (2)", 1, 1)});
}

const KeyPath kFork{{Column::Process, 1}, {Column::ImpactingType, 100}, {Column::Stack, 10}, {Column::Stack, 11}};

struct GroupedTableViewStage {
    AnalysisState analysis;
    GraphState& graph = analysis.addGraph(analysis::Table::VirtualAlloc);
    SeriesColors colors;
    GroupedTableModel model{colors};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
    GroupedTableView view{graph, model};

    explicit GroupedTableViewStage(std::shared_ptr<const TableAnswer> answer = forkedStack()) {
        TableLayout layout{analysis::Table::VirtualAlloc,
                           {Column::Process, Column::ImpactingType, Column::Stack},
                           {Column::Count, Column::Size},
                           1,
                           {{Column::Size, true}}};
        graph.setLayout(layout);
        model.setLayout(layout);
        view.resize(900, 400);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        model.setAnswer(std::move(answer));
    }
    QModelIndex at(const KeyPath& path, int section = 0) const { return model.indexOf(path).siblingAtColumn(section); }
    QModelIndex process(int row = 0, int section = 0) const { return model.index(row, section); }
    /// Position of the triangle of a row of level 0.
    QPoint triangle(const QModelIndex& row) const {
        const auto cell = view.visualRect(row.siblingAtColumn(model.keySection(row)));
        return {cell.left() + 11, cell.center().y()};
    }
    void click(QPoint point) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, point); }
    void press(int key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&view, static_cast<Qt::Key>(key), with); }
    QStringList lines() const {
        QStringList lines;
        for (auto index = model.index(0, 0); index.isValid(); index = view.indexBelow(index)) {
            lines << model.keyText(index);
        }
        return lines;
    }
    QImage picture() { return view.viewport()->grab().toImage(); }
    /// The leftmost pixel of a row's cell that is not background.
    static int inkLeft(const QImage& picture, const QRect& cell) {
        const auto ground = picture.pixel(cell.right() - 10, cell.center().y());
        for (int x = cell.left(); x < cell.right(); ++x) {
            for (int y = cell.top() + 1; y < cell.bottom(); ++y) {
                if (picture.pixel(x, y) != ground) return x - cell.left();
            }
        }
        return -1;
    }
};

} // namespace

class GroupedTableViewTest : public QObject {
    Q_OBJECT
  private slots:
    /// Rust and Node have stacks with many forks.
    void aDeepFrameKeepsRoomForItsName() {
        constexpr std::uint32_t kForks = 60;
        auto deepest = frame(2 * kForks, {frame(1000), frame(1001)});
        for (std::uint32_t fork = kForks; fork-- > 1;)
            deepest = frame(2 * fork, {std::move(deepest), frame(2 * fork + 1)});
        GroupedTableViewStage stage(stackAnswerOf(
            {row(1, "a.exe (1)", 2, 9, {keyRow(Column::ImpactingType, 100, "Impacting", {std::move(deepest)})})}));
        KeyPath path{{Column::Process, 1}, {Column::ImpactingType, 100}};
        for (std::uint32_t fork = 1; fork <= kForks; ++fork)
            path.push_back({Column::Stack, 2 * fork});
        stage.view.reveal(path);
        const auto row = stage.at(path);
        QCOMPARE(stage.view.currentIndex(), row);
        const auto section = row.siblingAtColumn(stage.model.keySection(row));
        const auto cell = stage.view.visualRect(section);
        const auto* delegate = static_cast<const PivotDelegate*>(stage.view.itemDelegate());
        const auto triangle = delegate->triangleRect(section, cell);
        QVERIFY(!triangle.isEmpty());
        QVERIFY2(triangle.right() < cell.center().x(), qPrintable(QString::number(triangle.right())));
        QVERIFY(stage.view.viewport()->rect().contains(triangle));
        // A row further out is still further left.
        const auto top = stage.at({path.begin(), path.begin() + 4});
        const auto topSection = top.siblingAtColumn(stage.model.keySection(top));
        QVERIFY(delegate->triangleRect(topSection, stage.view.visualRect(topSection)).left() < triangle.left());
    }
    void opensAndClosesByItsTriangle() {
        GroupedTableViewStage stage;
        stage.click(stage.triangle(stage.process()));
        QVERIFY(stage.view.isExpanded(stage.process()));
        QVERIFY(!stage.view.selectionModel()->hasSelection()); // opening does not select anything
        // The chain is open down to the fork.
        QCOMPARE(stage.lines(), (QStringList{"a.exe (1)", "Impacting", "f10", "f11", "f20", "f22", "b.exe (2)"}));
        stage.click(stage.triangle(stage.at(kFork)));
        QVERIFY(!stage.view.isExpanded(stage.at(kFork)));
        stage.click(stage.triangle(stage.process()));
        QCOMPARE(stage.lines(), (QStringList{"a.exe (1)", "b.exe (2)"}));
        stage.click(stage.triangle(stage.process(1))); // there is none
        QCOMPARE(stage.view.currentIndex().row(), 1);
    }
    void columnsFitVisibleRows() {
        const auto longName = QStringLiteral("a_program_with_a_long_name.exe (12345)");
        GroupedTableViewStage stage(stackAnswerOf({row(1, longName, 2, 9), row(2, "b.exe (2)", 1, 1)}));
        const auto needed = stage.view.fontMetrics().horizontalAdvance(longName);
        QTRY_VERIFY2(stage.view.columns().sectionSize(1) > needed,
                     qPrintable(QString::number(stage.view.columns().sectionSize(1))));
        QVERIFY(stage.view.columns().sectionSize(1) < needed + 80);
    }
    void columnsFitRowsThatOpenWithoutMovingTheTriangle() {
        const auto longType = QStringLiteral("A type of which the name is longer than most");
        auto type = keyRow(Column::ImpactingType, 100, longType, {frame(10, {frame(11)})});
        GroupedTableViewStage stage(stackAnswerOf({row(1, "a.exe (1)", 2, 9, {std::move(type)})}));
        QTest::qWait(20); // everything fits
        const auto needed = stage.view.fontMetrics().horizontalAdvance(longType);
        const auto triangle = stage.triangle(stage.process());
        const int before = stage.view.columns().sectionSize(2);
        QVERIFY(before < needed);
        stage.click(triangle);
        QTRY_VERIFY(stage.view.columns().sectionSize(2) > needed);
        QCOMPARE(stage.triangle(stage.process()), triangle);
        const int process = stage.view.columns().sectionSize(1);
        stage.click(triangle); // closed: no column gets narrower again
        QTest::qWait(20);
        QVERIFY(stage.view.columns().sectionSize(2) > needed);
        QCOMPARE(stage.view.columns().sectionSize(1), process);
    }
    void aColumnThatWasDraggedKeepsItsWidth() {
        const auto longName = QStringLiteral("a_program_with_a_long_name.exe (12345)");
        GroupedTableViewStage stage(stackAnswerOf({row(1, "a.exe (1)", 2, 9)}));
        auto layout = stage.graph.layout();
        layout.keys.front().width = 77; // as by dragging an edge
        stage.graph.setLayout(layout);
        stage.model.setLayout(layout);
        stage.model.setAnswer(stackAnswerOf({row(1, longName, 2, 9)}));
        QTest::qWait(20);
        QCOMPARE(stage.view.columns().sectionSize(1), 77);
    }
    void opensByADoubleClickAnywhereInTheRow() {
        GroupedTableViewStage stage;
        const auto size = stage.view.visualRect(stage.process(0, 5)).center();
        QTest::mouseDClick(stage.view.viewport(), Qt::LeftButton, {}, size);
        QVERIFY(stage.view.isExpanded(stage.process()));
        QTest::mouseDClick(stage.view.viewport(), Qt::LeftButton, {}, size);
        QVERIFY(!stage.view.isExpanded(stage.process()));
    }
    void isDrivenByTheKeyboard() {
        GroupedTableViewStage stage;
        stage.view.setCurrentIndex(stage.process());
        const auto current = [&] { return stage.model.keyText(stage.view.currentIndex()); };
        stage.press(Qt::Key_Right);
        QVERIFY(stage.view.isExpanded(stage.at(kFork)));
        stage.press(Qt::Key_Right);
        QCOMPARE(current(), "Impacting");
        stage.press(Qt::Key_End);
        QCOMPARE(current(), "b.exe (2)");
        stage.press(Qt::Key_Home);
        QCOMPARE(current(), "a.exe (1)");
        stage.press(Qt::Key_Down);
        stage.press(Qt::Key_Down);
        stage.press(Qt::Key_Down);
        QCOMPARE(current(), "f11");
        stage.press(Qt::Key_Left);
        QVERIFY(!stage.view.isExpanded(stage.at(kFork)));
        stage.press(Qt::Key_Left);
        QCOMPARE(current(), "f10");
        stage.press(Qt::Key_Minus);
        QCOMPARE(stage.lines().size(), 4);
        stage.press(Qt::Key_Plus);
        QCOMPARE(stage.lines().size(), 7); // the whole chain again
        stage.press(Qt::Key_Return);
        QCOMPARE(stage.lines().size(), 4);
        QSignalSpy wanted(&stage.view, &GroupedTableView::expandWanted);
        stage.press(Qt::Key_Asterisk);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].value<ExpandRequest>().node, 10U);
    }
    void drawsChainsBelowEachOtherAndForksWithBranches() {
        GroupedTableViewStage stage;
        stage.view.expandAll();
        const auto picture = stage.picture();
        const auto cell = [&](const KeyPath& path) { return stage.view.visualRect(stage.at(path, 3)); };
        auto branch = kFork;
        branch.push_back({Column::Stack, 20});
        auto last = kFork;
        last.push_back({Column::Stack, 22});
        const KeyPath root(kFork.begin(), kFork.begin() + 3);
        const auto atRoot = GroupedTableViewStage::inkLeft(picture, cell(root));
        QCOMPARE(GroupedTableViewStage::inkLeft(picture, cell(kFork)), atRoot); // a chain is not indented
        // The line of the fork is below the triangle and ends at the last branch.
        const int x = cell(kFork).left() + 11;
        const auto isInk = [&](const QRect& rect, int y) {
            return picture.pixel(x, y) != picture.pixel(rect.right() - 10, y);
        };
        QVERIFY(isInk(cell(branch), cell(branch).top() + 1) && isInk(cell(branch), cell(branch).bottom() - 1));
        QVERIFY(isInk(cell(last), cell(last).top() + 1) && !isInk(cell(last), cell(last).bottom() - 1));
        QVERIFY(!isInk(cell(root), cell(root).bottom()));
    }
    void drawsTheBarsThroughTheRows() {
        GroupedTableViewStage stage;
        const auto picture = stage.picture();
        const auto edge = [&](int section) { return stage.view.header()->sectionViewportPosition(section); };
        for (const int y : {5, picture.height() - 5}) {
            QCOMPARE(picture.pixelColor(edge(4) - 1, y),
                     HeaderPainter::barColor(LayoutBar::Gold, stage.view.palette()));
            QCOMPARE(picture.pixelColor(edge(4) - 3, y),
                     HeaderPainter::barColor(LayoutBar::Gold, stage.view.palette()));
            QCOMPARE(picture.pixelColor(edge(5), y), HeaderPainter::barColor(LayoutBar::Blue, stage.view.palette()));
            QCOMPARE(picture.pixelColor(edge(5) + 2, y),
                     HeaderPainter::barColor(LayoutBar::Blue, stage.view.palette()));
            QVERIFY(picture.pixelColor(edge(5) + 3, y) !=
                    HeaderPainter::barColor(LayoutBar::Blue, stage.view.palette()));
        }
    }
    void keepsLineNumberAndFirstKeyInPlaceWhenScrolledSideways() {
        GroupedTableViewStage stage;
        stage.view.resize(400, 300);
        stage.view.expandAll();
        auto* header = stage.view.header();
        const int frozen = header->sectionSize(0) + header->sectionSize(1);
        const auto before = stage.picture();
        stage.view.horizontalScrollBar()->setValue(stage.view.horizontalScrollBar()->maximum());
        QVERIFY(header->offset() > 0);
        QCOMPARE(stage.view.frozenSections(), 2);
        QCOMPARE(stage.view.frozenWidth(), frozen);
        const auto after = stage.picture();
        const QRect left(0, 0, frozen - 1, 80);
        QCOMPARE(after.copy(left), before.copy(left));
        QVERIFY(after.copy(QRect(frozen, 0, 80, 80)) != before.copy(QRect(frozen, 0, 80, 80)));
        QCOMPARE(stage.view.indexAt({5, 5}).column(), 0);
        QCOMPARE(stage.view.indexAt({frozen - 2, 5}), stage.process(0, 1));
        QCOMPARE(stage.view.indexAt({390, 5}).column(), 5);
        stage.click(stage.triangle(stage.process())); // where it is visible
        QVERIFY(!stage.view.isExpanded(stage.process()));
        stage.view.setCurrentIndex(stage.process(1));
        QVERIFY(header->offset() > 0); // selecting a row does not scroll back
    }
    void numbersLinesAsTheyStand() {
        std::vector<TableRow> rows;
        for (std::uint32_t i = 1; i <= 200; ++i) {
            rows.push_back(row(i, QString::number(i), 1, 1));
        }
        GroupedTableViewStage stage(answerOf(std::move(rows)));
        QCOMPARE(stage.view.lineAt(0), 1);
        stage.view.scrollTo(stage.process(150), QAbstractItemView::PositionAtTop);
        const auto rect = stage.view.visualRect(stage.process(150));
        QCOMPARE(stage.view.lineAt(rect.center().y()), 151);
    }
    /// A page paints the rows that it filters to; Back takes both back.
    void goingBackPaintsTheSelectionAgain() {
        GroupedTableViewStage stage;
        stage.analysis.reset({TraceTime{0}, TraceTime{1000}});
        const std::vector<KeyPath> selected{{{Column::Process, 2}}};
        stage.view.selectionModel()->select(stage.at(selected[0]),
                                            QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        QCOMPARE(stage.graph.paintedRows(), selected);
        stage.analysis.zoomTo({TraceTime{100}, TraceTime{200}});
        stage.graph.paintRows({kFork});
        stage.analysis.back();
        QCOMPARE(stage.graph.paintedRows(), selected);
        // Without a selection, the rows of the page stay.
        stage.view.clearSelection();
        stage.graph.paintRows({kFork});
        stage.analysis.forward();
        QCOMPARE(stage.graph.paintedRows(), std::vector<KeyPath>{kFork});
    }
    void paintsSelectedRowsInTheGraph() {
        std::vector<TableRow> rows;
        for (std::uint32_t i = 1; i <= 12; ++i) {
            rows.push_back(row(i, QString::number(i), 1, 1));
        }
        GroupedTableViewStage stage(answerOf(rows));
        stage.click(stage.view.visualRect(stage.process(2, 1)).center());
        QCOMPARE(stage.graph.paintedRows(), (std::vector<KeyPath>{{{Column::Process, 3}}}));
        QTest::mouseClick(stage.view.viewport(), Qt::LeftButton, Qt::ControlModifier,
                          stage.view.visualRect(stage.process(0, 1)).center());
        QCOMPARE(stage.graph.paintedRows().size(), std::size_t{2});
        QSignalSpy changed(&stage.graph, &GraphState::changed);
        stage.model.setAnswer(answerOf(rows));
        QCOMPARE(changed.count(), 0); // a new answer does not change the selection
        QCOMPARE(stage.view.selectionModel()->selectedRows().size(), 2);
        stage.press(Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(stage.graph.paintedRows().size(), GroupedTableView::kMaxPaintedRows);
    }
    void revealsARowWhenItsRowsHaveCome() {
        const auto answer = stackAnswerOf({closedRow(2, "b.exe (2)"), closedRow(1, "a.exe (1)")});
        GroupedTableViewStage stage(answer);
        QSignalSpy wanted(&stage.view, &GroupedTableView::openWanted);
        stage.view.reveal(kFork);
        QCOMPARE(wanted.count(), 1);
        const auto expansion = wanted[0][0].value<ExpandRequest>();
        QCOMPARE(expansion.mode, OpenMode::AlongPath);
        QCOMPARE(expansion.path, kFork);
        QVERIFY(!stage.view.currentIndex().isValid());
        auto opened = forkedStack()->total();
        std::swap(opened.rows[0], opened.rows[1]);
        stage.model.insertOpened(answer, opened);
        QCOMPARE(stage.view.currentIndex(), stage.at(kFork));
        QVERIFY(stage.view.visualRect(stage.at(kFork)).isValid());
        QCOMPARE(stage.graph.paintedRows(), std::vector<KeyPath>{kFork});
    }
    void revealsARowOfTheNextAnswerAndAsksForItsRows() {
        GroupedTableViewStage stage(stackAnswerOf({}));
        stage.view.reveal(kFork);
        const KeyPath parent(kFork.begin(), kFork.end() - 1);
        QCOMPARE(stage.view.expandedPaths(), std::vector<KeyPath>{parent});
        stage.model.setAnswer(forkedStack());
        QCOMPARE(stage.view.currentIndex(), stage.at(kFork));
    }
    void givesUpRevealingWhenTheReaderSelects() {
        const auto answer = stackAnswerOf({closedRow(1, "a.exe (1)"), closedRow(2, "b.exe (2)")});
        GroupedTableViewStage stage(answer);
        stage.view.reveal(kFork);
        stage.click(stage.view.visualRect(stage.process(1, 1)).center());
        stage.model.insertOpened(answer, forkedStack()->total());
        QCOMPARE(stage.view.currentIndex().siblingAtColumn(0), stage.process(1));
    }
    void opensADeepChainInOneGo() {
        auto leaf = frame(5000);
        for (std::uint32_t key = 4999; key > 1000; --key) {
            leaf = frame(key, {std::move(leaf)});
        }
        GroupedTableViewStage stage(stackAnswerOf({row(1, "a.exe (1)", 1, 1, {std::move(leaf)})}));
        stage.view.setCurrentIndex(stage.process());
        stage.press(Qt::Key_Right);
        QCOMPARE(stage.view.expandedPaths().size(), std::size_t{4000});
        stage.press(Qt::Key_End);
        QCOMPARE(stage.model.keyText(stage.view.currentIndex()), "f5000");
    }
    void keepsRowsOpenThatVanishAndComeBack() {
        GroupedTableViewStage stage;
        stage.view.expandAll();
        const auto all = stage.lines();
        stage.model.setAnswer(stackAnswerOf({row(2, "b.exe (2)", 1, 1)}));
        QCOMPARE(stage.lines(), QStringList{"b.exe (2)"});
        stage.model.setAnswer(answerOf({row(1, "a.exe (1)", 1, 1, {row(7, "x", 1, 1)})})); // grouped differently
        QCOMPARE(stage.lines(), (QStringList{"a.exe (1)", "x"}));
        stage.model.setAnswer(forkedStack());
        QCOMPARE(stage.lines(), all);
        stage.view.collapseEverything();
        stage.model.setAnswer(forkedStack());
        QCOMPARE(stage.lines(), (QStringList{"a.exe (1)", "b.exe (2)"}));
    }
    void turnsStacksOver() {
        GroupedTableViewStage stage;
        stage.view.expandAll();
        auto* bottomUp = stage.view.findChild<QAction*>("bottomUp");
        QVERIFY(bottomUp->isEnabled() && !bottomUp->isChecked());
        bottomUp->trigger();
        QCOMPARE(stage.graph.layout().keyColumns(),
                 (std::vector{Column::Process, Column::ImpactingType, Column::StackBottomUp}));
        QVERIFY(bottomUp->isChecked());
        const auto open = stage.view.expandedPaths();
        bottomUp->trigger();
        QCOMPARE(stage.graph.layout().keyColumns()[2], Column::Stack);
        QCOMPARE(stage.view.expandedPaths(), open); // turned back, everything is as before
        auto layout = stage.graph.layout();
        layout.keys.pop_back();
        stage.graph.setLayout(layout);
        QVERIFY(!bottomUp->isEnabled());
    }
    void copiesTheWholePathOfEachRow() {
        GroupedTableViewStage stage;
        stage.view.expandAll();
        stage.view.setCurrentIndex(stage.process(1));
        stage.view.selectionModel()->select(stage.at(kFork), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        stage.press(Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text().split('\n'),
                 (QStringList{"Process\tImpacting Type\tCommit Stack\tCount\tSize", // in the order on screen
                              "a.exe (1)\tImpacting\tf10;f11\t1\t11", "b.exe (2)\t\t\t1\t1"}));
    }
    void describesItsContent() {
        GroupedTableViewStage stage;
        stage.view.expand(stage.process());
        stage.view.collapse(stage.at(kFork));
        QStringList texts;
        for (const auto& [row, level] : stage.view.shownRows().rows) {
            texts << QString::number(level) + row->text;
        }
        QCOMPARE(texts, (QStringList{"0a.exe (1)", "1Impacting", "2f10", "3f11", "0b.exe (2)"}));
    }
};
HIGHWATER_TEST(GroupedTableViewTest);
#include "grouped_table_view_test.moc"
