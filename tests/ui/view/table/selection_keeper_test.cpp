#include "ui/view/table/selection_keeper.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/test_answer.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/analysis_state.h"
#include "ui/view/table/frozen_tree_view.h"
#include "ui/view/table/pivot_header.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <utility>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::KeyPath;

namespace {

using Paths = std::vector<KeyPath>;

KeyPath process(std::uint32_t key) { return {{Column::Process, key}}; }
/// The frames below the type "Impacting" (100) of process 1.
KeyPath stack(std::initializer_list<std::uint32_t> frames) {
    KeyPath path{{Column::Process, 1}, {Column::ImpactingType, 100}};
    for (const auto key : frames) {
        path.push_back({Column::Stack, key});
    }
    return path;
}

TableRow frameRow(std::uint32_t key, std::vector<TableRow> rows = {}) {
    return keyRow(Column::Stack, key, QStringLiteral("f%1").arg(key), std::move(rows));
}

std::shared_ptr<const TableAnswer> processWith(std::vector<TableRow> frames) {
    return stackAnswerOf(
        {row(1, "a.exe (1)", 2, 9, {keyRow(Column::ImpactingType, 100, "Impacting", std::move(frames))}),
         row(2, "b.exe (2)", 1, 1)});
}

/// a.exe > Impacting > f10 > f11 > f20 (> f21) and f22; b.exe.
std::shared_ptr<const TableAnswer> forkedRows() {
    return processWith({frameRow(10, {frameRow(11, {frameRow(20, {frameRow(21)}), frameRow(22)})})});
}

std::shared_ptr<const TableAnswer> manyProcesses(std::uint32_t first, std::uint32_t count) {
    std::vector<TableRow> rows;
    for (std::uint32_t key = first; key < first + count; ++key) {
        rows.push_back(row(key, QStringLiteral("p%1").arg(key), 1, 1));
    }
    return stackAnswerOf(std::move(rows));
}

struct SelectionKeeperStage {
    AnalysisState analysis;
    GraphState& graph = analysis.addGraph(analysis::Table::VirtualAlloc);
    SeriesColors colors;
    GroupedTableModel model{colors};
    FrozenTreeView view{new PivotHeader(graph), nullptr};
    SelectionKeeper* keeper = nullptr;

    explicit SelectionKeeperStage(std::shared_ptr<const TableAnswer> answer = forkedRows()) {
        view.setModel(&model);
        view.setUniformRowHeights(true);
        view.setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
        view.setSelectionMode(QAbstractItemView::ExtendedSelection);
        view.setHeader(&view.columns());
        keeper = new SelectionKeeper(model, view);
        view.resize(600, 300);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        model.setAnswer(std::move(answer));
    }
    [[nodiscard]] bool isExpanded(const KeyPath& path) const { return view.isExpanded(model.indexOf(path)); }
    void select(const KeyPath& path) {
        view.selectionModel()->select(model.indexOf(path), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    [[nodiscard]] Paths selected() const { return keeper->selectedPaths(SelectionKeeper::kMaxSelected); }
    [[nodiscard]] KeyPath top() const { return model.pathOf(view.topRow()); }
};

} // namespace

/// Rows are identified by their keys, whatever answer is shown.
class SelectionKeeperTest : public QObject {
    Q_OBJECT
  private slots:
    void opensAChainOfSingleChildrenInOneGo() {
        SelectionKeeperStage stage;
        stage.view.expand(stage.model.indexOf(process(1)));
        QCOMPARE(stage.keeper->expandedPaths(), (Paths{process(1), stack({}), stack({10}), stack({10, 11})}));
        QVERIFY(stage.isExpanded(stack({10, 11})));
        QVERIFY(!stage.isExpanded(stack({10, 11, 20}))); // beyond the fork
    }
    void keepsOpenSelectedAndCurrentRowsOverAnAnswer() {
        SelectionKeeperStage stage;
        stage.view.expand(stage.model.indexOf(process(1)));
        stage.view.setCurrentIndex(stage.model.indexOf(stack({10, 11, 22})));
        stage.select(process(2));
        const auto before = stage.selected();
        QCOMPARE(before.size(), std::size_t{2});
        QSignalSpy changed(stage.keeper, &SelectionKeeper::selectionChanged);
        // The same rows, one more before them.
        auto rows = forkedRows()->total().rows;
        rows.insert(rows.begin(), row(3, "c.exe (3)", 5, 50));
        stage.model.setAnswer(stackAnswerOf(std::move(rows)));
        QVERIFY(stage.isExpanded(stack({10, 11})));
        QCOMPARE(stage.keeper->currentPath(), stack({10, 11, 22}));
        const auto after = stage.selected();
        QVERIFY(std::is_permutation(before.begin(), before.end(), after.begin(), after.end()));
        QCOMPARE(changed.count(), 0); // not by the user
    }
    void restoresRowsThatOthersReplaced() {
        SelectionKeeperStage stage;
        stage.view.expand(stage.model.indexOf(process(1)));
        stage.view.setCurrentIndex(stage.model.indexOf(stack({10, 11, 22})));
        for (int i = 0; i < 2; ++i)
            stage.model.setAnswer(stackAnswerOf({row(3, "c.exe (3)", 5, 50)}));
        QVERIFY(stage.selected().empty());
        stage.model.setAnswer(forkedRows());
        QCOMPARE(stage.selected(), Paths{stack({10, 11, 22})});
        QCOMPARE(stage.keeper->currentPath(), stack({10, 11, 22}));
        stage.model.setAnswer(stackAnswerOf({row(3, "c.exe (3)", 5, 50)}));
        stage.view.setCurrentIndex(stage.model.index(0, 0)); // the user wants another one now
        stage.model.setAnswer(forkedRows());
        QVERIFY(stage.selected().empty());
    }
    void restoresRowsThatVanished() {
        SelectionKeeperStage stage;
        stage.view.expand(stage.model.indexOf(process(1)));
        stage.view.setCurrentIndex(stage.model.indexOf(stack({10, 11, 22})));
        stage.model.setAnswer(stackAnswerOf({}));
        QCOMPARE(stage.keeper->rowViewState().selected, Paths{stack({10, 11, 22})}); // wanted in any case
        QCOMPARE(stage.keeper->rowViewState().current, Paths{stack({10, 11, 22})});
        stage.model.setAnswer(forkedRows());
        QVERIFY(stage.isExpanded(stack({10, 11})));
        QCOMPARE(stage.selected(), Paths{stack({10, 11, 22})});
        QCOMPARE(stage.keeper->currentPath(), stack({10, 11, 22}));
    }
    void goesOnWithAChainThatWasAForkBefore() {
        SelectionKeeperStage stage;
        stage.view.expand(stage.model.indexOf(process(1)));
        QVERIFY(!stage.isExpanded(stack({10, 11, 20})));
        stage.model.setAnswer(processWith({frameRow(10, {frameRow(11, {frameRow(20, {frameRow(21)})})})}));
        QVERIFY(stage.isExpanded(stack({10, 11, 20})));
    }
    void keepsRowsClosedByTheUser() {
        SelectionKeeperStage stage;
        stage.view.expand(stage.model.indexOf(process(1)));
        stage.view.expand(stage.model.indexOf(stack({10, 11, 20})));
        stage.view.collapse(stage.model.indexOf(stack({10, 11, 20})));
        stage.model.setAnswer(processWith({frameRow(10, {frameRow(11, {frameRow(20, {frameRow(21)})})})}));
        QVERIFY(stage.isExpanded(stack({10, 11})));
        QVERIFY(!stage.isExpanded(stack({10, 11, 20})));
    }
    void asksForRowsThatAreNotThereUntilTheyCome() {
        const auto answer = stackAnswerOf({closedRow(1, "a.exe (1)"), row(2, "b.exe (2)", 1, 1)});
        SelectionKeeperStage stage(answer);
        QSignalSpy wanted(stage.keeper, &SelectionKeeper::openWanted);
        stage.view.expand(stage.model.indexOf(process(1)));
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].value<ExpandRequest>().node, 1u);
        QCOMPARE(stage.keeper->rowViewState().opening, Paths{process(1)});
        stage.model.insertOpened(answer, forkedRows()->total().rows[0]);
        QVERIFY(stage.keeper->rowViewState().opening.empty());
        QVERIFY(stage.isExpanded(stack({10, 11})));
    }
    void asksTheNextAnswerAgainForRowsOnTheirWay() {
        const auto closed = [] { return stackAnswerOf({closedRow(1, "a.exe (1)"), row(2, "b.exe (2)", 1, 1)}); };
        SelectionKeeperStage stage(closed());
        stage.view.expand(stage.model.indexOf(process(1)));
        QSignalSpy wanted(stage.keeper, &SelectionKeeper::openWanted);
        stage.model.setAnswer(closed());
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].value<ExpandRequest>().node, 1u);
    }
    void revealsARowAndOpensTheWayToItAlone() {
        SelectionKeeperStage stage;
        stage.keeper->reveal(stack({10, 11, 20}));
        QVERIFY(!stage.keeper->isRevealing());
        QCOMPARE(stage.keeper->currentPath(), stack({10, 11, 20}));
        QCOMPARE(stage.selected(), Paths{stack({10, 11, 20})});
        QVERIFY(stage.isExpanded(stack({10, 11})));
        QVERIFY(!stage.isExpanded(stack({10, 11, 20})));
    }
    void asksOncePerAnswerForARowThatIsMissing() {
        SelectionKeeperStage stage;
        QSignalSpy wanted(stage.keeper, &SelectionKeeper::openWanted);
        const auto missing = stack({10, 99});
        stage.keeper->reveal(missing);
        QVERIFY(stage.keeper->isRevealing());
        QCOMPARE(stage.keeper->currentPath(), missing);
        QCOMPARE(wanted.count(), 1);
        const auto expansion = wanted[0][0].value<ExpandRequest>();
        QCOMPARE(expansion.mode, OpenMode::AlongPath);
        QCOMPARE(expansion.path, missing);
        stage.keeper->showOpened(expansion, stage.model.answer()->total()); // it was not found
        QCOMPARE(wanted.count(), 1);
        stage.model.setAnswer(forkedRows());
        QCOMPARE(wanted.count(), 2);
        stage.model.setAnswer(processWith({frameRow(10, {frameRow(99)})}));
        QCOMPARE(wanted.count(), 2);
        QVERIFY(!stage.keeper->isRevealing());
        QCOMPARE(stage.selected(), Paths{missing});
    }
    void givesUpRevealingWhenTheReaderSelects() {
        SelectionKeeperStage stage;
        stage.keeper->reveal(stack({99}));
        stage.view.setCurrentIndex(stage.model.indexOf(process(2)));
        QVERIFY(!stage.keeper->isRevealing());
        stage.model.setAnswer(processWith({frameRow(99)}));
        QCOMPARE(stage.keeper->currentPath(), process(2));
    }
    void revealsNothingByAnEmptyPath() {
        SelectionKeeperStage stage;
        QSignalSpy wanted(stage.keeper, &SelectionKeeper::openWanted);
        stage.keeper->reveal({});
        QVERIFY(!stage.keeper->isRevealing());
        QCOMPARE(wanted.count(), 0);
    }
    void numbersUserActionsAgain() {
        SelectionKeeperStage stage;
        auto isNew = [&, last = stage.keeper->version()]() mutable {
            return std::exchange(last, stage.keeper->version()) != stage.keeper->version();
        };
        QVERIFY(!isNew());
        stage.view.expand(stage.model.indexOf(process(1)));
        QVERIFY(isNew());
        stage.view.setCurrentIndex(stage.model.indexOf(process(2)));
        QVERIFY(isNew());
        stage.view.collapse(stage.model.indexOf(process(1)));
        QVERIFY(isNew());
        stage.model.setAnswer(forkedRows()); // not an action of the user
        QVERIFY(!isNew());
    }
    void takesTheNamesOfTheNextAnswer() {
        SelectionKeeperStage stage;
        stage.view.expand(stage.model.indexOf(process(1)));
        stage.view.setCurrentIndex(stage.model.indexOf(stack({10, 11, 22})));
        RowViewState renamed;
        renamed.expanded = {process(1), stack({}), stack({70})};
        renamed.selected = {stack({70, 72})};
        renamed.current = {stack({70, 72})};
        stage.keeper->rename(renamed);
        stage.model.setAnswer(processWith({frameRow(70, {frameRow(71), frameRow(72)})}));
        QCOMPARE(stage.keeper->expandedPaths(), renamed.expanded);
        QCOMPARE(stage.selected(), renamed.selected);
        QCOMPARE(stage.keeper->currentPath(), stack({70, 72}));
    }
    void keepsTheCurrentRowAtItsLineWhenNamesBringRowsTogether() {
        SelectionKeeperStage stage(manyProcesses(1, 100));
        stage.view.verticalScrollBar()->setValue(50);
        stage.view.setCurrentIndex(stage.model.indexOf(process(55)));
        const auto line = stage.view.lineOf(stage.view.currentIndex());
        auto renamed = stage.keeper->rowViewState();
        stage.keeper->rename(renamed);
        stage.model.setAnswer(manyProcesses(11, 90)); // ten rows less above
        QCOMPARE(stage.view.lineOf(stage.model.indexOf(process(55))), line);
        QCOMPARE(stage.top(), process(51));
    }
    void keepsTheRowOnTopWithoutACurrentOne() {
        SelectionKeeperStage stage(manyProcesses(1, 100));
        stage.view.verticalScrollBar()->setValue(50);
        QCOMPARE(stage.top(), process(51));
        stage.keeper->rename(stage.keeper->rowViewState());
        stage.model.setAnswer(manyProcesses(11, 90));
        QCOMPARE(stage.top(), process(51));
    }
    void sortingScrollsToTheFirstRow() {
        SelectionKeeperStage stage(manyProcesses(1, 100));
        stage.view.setCurrentIndex(stage.model.indexOf(process(55)));
        stage.view.verticalScrollBar()->setValue(50);
        const auto sorted = manyProcesses(1, 100);
        auto query = sorted->query();
        query.sort = {{Column::Count, true}};
        stage.model.setAnswer(std::make_shared<TableAnswer>(query, nullptr, TableRow(sorted->total())));
        QCOMPARE(stage.view.verticalScrollBar()->value(), 0);
        QCOMPARE(stage.keeper->currentPath(), process(55)); // the same row is current
        stage.view.verticalScrollBar()->setValue(20);
        stage.model.setAnswer(std::make_shared<TableAnswer>(query, nullptr, TableRow(sorted->total())));
        QCOMPARE(stage.view.verticalScrollBar()->value(), 20);
    }
    void opensLevelsOnly() {
        SelectionKeeperStage stage;
        stage.view.expand(stage.model.indexOf(process(1)));
        stage.keeper->showOpened({.mode = OpenMode::Levels, .levels = 2}, stage.model.answer()->total());
        QCOMPARE(stage.keeper->expandedPaths(), Paths{process(1)});
        stage.keeper->showOpened({.mode = OpenMode::Levels}, stage.model.answer()->total());
        QVERIFY(stage.isExpanded(stack({10, 11, 20})));
    }
    void opensTheHotPathAndGoesToItsLeaf() {
        SelectionKeeperStage stage;
        auto total = stage.model.answer()->total();
        auto* hot = &total;
        for (const auto index : {0, 0, 0, 0, 1}) {
            hot = &hot->rows[static_cast<std::size_t>(index)];
            hot->isHot = true;
        }
        stage.keeper->showOpened({.mode = OpenMode::HotPath}, total);
        QCOMPARE(stage.keeper->currentPath(), stack({10, 11, 22}));
        QVERIFY(stage.isExpanded(stack({10, 11})));
        QVERIFY(!stage.isExpanded(stack({10, 11, 20})));
    }
    /// The heaviest path of a new table, which the user has not selected, is shown from its first row.
    void aHotPathThatDoesNotFitIsShownFromItsFirstRow() {
        constexpr std::uint32_t kDepth = 60;
        TableRow frames = frameRow(1000 + kDepth);
        frames.isHot = true;
        for (auto key = 1000 + kDepth; key-- > 1000;) {
            frames = frameRow(key, {std::move(frames)});
            frames.isHot = true;
        }
        SelectionKeeperStage stage(processWith({std::move(frames)}));
        auto total = stage.model.answer()->total();
        total.rows[0].isHot = total.rows[0].rows[0].isHot = true;
        stage.keeper->showOpened({.mode = OpenMode::HotPath, .selects = false}, total);
        QCOMPARE(stage.top(), process(1));
        QVERIFY(stage.keeper->selectedPaths(1).empty());
        stage.keeper->showOpened({.mode = OpenMode::HotPath}, total);
        QVERIFY(stage.top() != process(1)); // the selected row does not fit together with it
    }
    void aRevealedRowIsShownWithItsParentsIfTheyFit() {
        std::vector<TableRow> rows;
        for (std::uint32_t key = 10; key < 60; ++key)
            rows.push_back(row(key, QStringLiteral("p%1").arg(key), 1, 1));
        rows.insert(
            rows.begin() + 20,
            row(1, "a.exe (1)", 2, 9, {keyRow(Column::ImpactingType, 100, "Impacting", {frameRow(10), frameRow(11)})}));
        SelectionKeeperStage stage(stackAnswerOf(std::move(rows)));
        stage.view.verticalScrollBar()->setValue(40);
        stage.keeper->reveal(stack({11}));
        QCOMPARE(stage.keeper->currentPath(), stack({11}));
        QCOMPARE(stage.top(), process(1));
    }
    void aHeldKeyDoesNotAddToRevealedRows() {
        SelectionKeeperStage stage;
        stage.view.setCurrentIndex(stage.model.indexOf(process(2)));
        QTest::keyPress(stage.view.windowHandle(), Qt::Key_Control, Qt::ControlModifier);
        QVERIFY(QGuiApplication::keyboardModifiers().testFlag(Qt::ControlModifier));
        stage.keeper->reveal(stack({10, 11, 22}));
        QCOMPARE(stage.selected(), Paths{stack({10, 11, 22})});
        QTest::keyRelease(stage.view.windowHandle(), Qt::Key_Control);
    }
    void limitsTheReportedSelection() {
        SelectionKeeperStage stage(manyProcesses(1, 20));
        stage.view.selectAll();
        QCOMPARE(stage.keeper->selectedPaths(8).size(), std::size_t{8});
        QCOMPARE(stage.keeper->selectedPaths(0).size(), std::size_t{0});
        QCOMPARE(stage.selected().size(), std::size_t{20});
    }
    void forgetsEverything() {
        SelectionKeeperStage stage;
        stage.view.expand(stage.model.indexOf(process(1)));
        stage.view.setCurrentIndex(stage.model.indexOf(process(2)));
        stage.keeper->forget();
        stage.model.setAnswer(forkedRows());
        QVERIFY(stage.keeper->expandedPaths().empty());
        QVERIFY(stage.selected().empty());
        QVERIFY(stage.keeper->currentPath().empty());
        QVERIFY(!stage.isExpanded(process(1)));
    }
    void closesAll() {
        SelectionKeeperStage stage;
        stage.view.expand(stage.model.indexOf(process(1)));
        stage.keeper->collapseAll();
        QVERIFY(stage.keeper->expandedPaths().empty());
        QVERIFY(!stage.isExpanded(process(1)));
    }
    void selectsTheRowAboveWhenTheSelectedRowIsHidden_data() {
        QTest::addColumn<bool>("isAll");
        QTest::newRow("one row is collapsed") << false;
        QTest::newRow("all rows are collapsed") << true;
    }
    void selectsTheRowAboveWhenTheSelectedRowIsHidden() {
        QFETCH(const bool, isAll);
        SelectionKeeperStage stage;
        const auto above = stage.model.indexOf(process(1));
        stage.view.expand(above);
        QVERIFY(stage.model.rowCount(above) > 0);
        stage.view.setCurrentIndex(stage.model.index(0, 0, above));
        if (isAll)
            stage.keeper->collapseAll();
        else
            stage.view.collapse(above);
        QCOMPARE(stage.keeper->currentPath(), process(1));
        QCOMPARE(stage.selected(), Paths({process(1)}));
    }
    void keepsTheSelectedRowWhenAnotherOneIsCollapsed() {
        SelectionKeeperStage stage;
        stage.view.expand(stage.model.indexOf(process(1)));
        stage.view.setCurrentIndex(stage.model.indexOf(process(2)));
        stage.view.collapse(stage.model.indexOf(process(1)));
        QCOMPARE(stage.keeper->currentPath(), process(2));
    }
};
HIGHWATER_TEST(SelectionKeeperTest);
#include "selection_keeper_test.moc"
