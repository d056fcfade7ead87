#include "ui/view/table/table_actions.h"

#include "tests/support/test_registry.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/analysis_state.h"

#include <QMenu>
#include <QSet>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <QTreeView>

using namespace highwater;
using namespace highwater::ui;
using analysis::Column, analysis::KeyPath;
using Mode = analysis::RowFilter::Clause::Mode;

namespace {

const KeyPath kProcessRow{{Column::Process, 7}};
const KeyPath kHeapRow{{Column::Process, 7}, {Column::Handle, 0x20000}};
const KeyPath kFrameRow{{Column::Process, 7}, {Column::Handle, 0x20000}, {Column::Stack, 3}};

/// A tree with one row per path, its graph, and the commands of both; with the keyboard.
struct TableActionsStage {
    AnalysisState analysis;
    GraphState& graph = analysis.addGraph(analysis::Table::Heap);
    QStandardItemModel model;
    QTreeView view;
    TableActions& actions = *new TableActions(graph, view);

    explicit TableActionsStage(const std::vector<KeyPath>& paths = {kProcessRow, kHeapRow, kFrameRow}) {
        for (const auto& path : paths) {
            auto* item = new QStandardItem("row");
            item->setData(QVariant::fromValue(path), GroupedTableModel::PathRole);
            model.appendRow(item);
        }
        layOut({Column::Process, Column::Handle, Column::Stack});
        view.setModel(&model);
        QObject::connect(view.selectionModel(), &QItemSelectionModel::selectionChanged, &actions,
                         &TableActions::refresh);
        actions.refresh();
        view.show();
        view.activateWindow();
        (void)QTest::qWaitForWindowActive(&view);
        view.setFocus();
    }
    void layOut(std::vector<Column> keys) {
        TableLayout layout{analysis::Table::Heap, {}, {Column::Count, Column::Size}, 1, {{Column::Size, true}}};
        for (const auto key : keys)
            layout.keys.emplace_back(key);
        graph.setLayout(layout);
    }
    void select(int row) { view.setCurrentIndex(model.index(row, 0)); }
    void press(int key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&view, static_cast<Qt::Key>(key), with); }
    [[nodiscard]] QAction& action(const char* name) const {
        auto* found = actions.findChild<QAction*>(name);
        if (found == nullptr) qFatal("there is no action %s", name);
        return *found;
    }
    [[nodiscard]] bool isEnabled(const char* name) const { return action(name).isEnabled(); }
    /// The enabled ones among these names.
    [[nodiscard]] QStringList enabledOf(std::initializer_list<const char*> names) const {
        QStringList enabled;
        for (const auto* name : names) {
            if (isEnabled(name)) enabled << name;
        }
        return enabled;
    }
    void filterToProcess() { graph.addFilter({{Mode::Keep, {kProcessRow}}, "a.exe"}); }
};

constexpr auto kOfSelection = {"filterTo", "filterOut", "annotate", "copy"};
constexpr auto kOfRows = {"hotPath", "expandAll", "collapseAll", "expandTo"};

} // namespace

/// Which commands of the table are enabled when, and the requests that they and their keys make.
class TableActionsTest : public QObject {
    Q_OBJECT
  private slots:
    void aHeapIsTheProcessAndTheHandleOfARow() {
        QCOMPARE(heapOf(kHeapRow), std::optional(kHeapRow));
        QCOMPARE(heapOf(kFrameRow), std::optional(kHeapRow));                                       // below it
        QCOMPARE(heapOf({kHeapRow[1], {Column::Thread, 1}, kHeapRow[0]}), std::optional(kHeapRow)); // in any order
        QVERIFY(!heapOf({}));
        QVERIFY(!heapOf(kProcessRow));
        QVERIFY(!heapOf({{Column::Handle, 0x20000}})); // the process is unknown
        QVERIFY(!heapOf({{Column::Process, 7}, {Column::Handle, 0}}));
        QVERIFY(heapOf({{Column::Process, 0}, {Column::Handle, 1}})); // the first process
    }

    void nothingCanBeDoneWithAnEmptyTable() {
        TableActionsStage stage(std::vector<KeyPath>{});
        QCOMPARE(stage.enabledOf(kOfSelection), QStringList());
        QCOMPARE(stage.enabledOf(kOfRows), QStringList());
        QCOMPARE(stage.enabledOf({"callersAndCallees", "heapOfSelection", "undo", "undoFilter", "clearFilterAction"}),
                 QStringList());
        for (const auto* action : stage.actions.exportActions())
            QVERIFY2(!action->isEnabled(), qPrintable(action->objectName()));
        QVERIFY(stage.isEnabled("annotations")); // other tables may have some
    }
    void rowsCanBeOpenedAndExported() {
        TableActionsStage stage;
        QCOMPARE(stage.enabledOf(kOfRows).size(), 4);
        QCOMPARE(stage.enabledOf(kOfSelection), QStringList());
        for (const auto* action : stage.actions.exportActions())
            QVERIFY2(action->isEnabled(), qPrintable(action->objectName()));
    }
    void selectedRowsCanBeFilteredAndCopied() {
        TableActionsStage stage;
        stage.select(0);
        QCOMPARE(stage.enabledOf(kOfSelection).size(), 4);
        stage.view.clearSelection();
        QCOMPARE(stage.enabledOf(kOfSelection), QStringList());
    }
    void functionsHaveCallersAndHeapsAPage() {
        TableActionsStage stage;
        const auto both = {"callersAndCallees", "heapOfSelection"};
        stage.select(0);
        QCOMPARE(stage.enabledOf(both), QStringList());
        stage.select(1);
        QCOMPARE(stage.enabledOf(both), QStringList{"heapOfSelection"});
        stage.select(2);
        QCOMPARE(stage.enabledOf(both), (QStringList{"callersAndCallees", "heapOfSelection"}));
        stage.view.clearSelection(); // the user did not select the current row
        QCOMPARE(stage.enabledOf(both), QStringList());
    }
    void stacksCanBeTurnedWhereThereAreAny() {
        TableActionsStage stage;
        auto& turn = *stage.actions.bottomUp();
        QVERIFY(turn.isEnabled() && !turn.isChecked());
        stage.layOut({Column::Process, Column::Handle});
        QVERIFY(!turn.isEnabled());
        stage.layOut({Column::Process, Column::StackBottomUp});
        QVERIFY(turn.isEnabled() && turn.isChecked());
    }

    void filtersAreTakenBack() {
        TableActionsStage stage;
        const auto all = {"undo", "undoFilter", "clearFilterAction"};
        stage.filterToProcess();
        QCOMPARE(stage.enabledOf(all).size(), 3);
        stage.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(stage.graph.filterSteps().empty());
        QVERIFY(!stage.isEnabled("clearFilterAction"));
        stage.filterToProcess();
        stage.action("undoFilter").trigger();
        QVERIFY(stage.graph.filterSteps().empty());
        stage.filterToProcess();
        stage.action("clearFilterAction").trigger();
        QVERIFY(stage.graph.filterSteps().empty());
        QVERIFY(stage.isEnabled("undo")); // clearing is a step as well
        stage.action("undo").trigger();
        QCOMPARE(stage.graph.filterSteps().size(), std::size_t{1});
    }
    void anythingInTheHistoryCanBeUndone() {
        TableActionsStage stage;
        stage.analysis.reset({TraceTime{0}, TraceTime{1'000'000'000}});
        QVERIFY(!stage.isEnabled("undo"));
        const auto whole = stage.analysis.visibleRange();
        stage.analysis.zoomTo({TraceTime{0}, TraceTime{1'000'000}});
        QVERIFY(stage.isEnabled("undo"));
        QVERIFY(!stage.isEnabled("undoFilter"));
        stage.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(stage.analysis.visibleRange() == whole);
        QVERIFY(!stage.isEnabled("undo"));
    }

    void keysRequestTheirActions() {
        TableActionsStage stage;
        auto& actions = stage.actions;
        QSignalSpy filter(&actions, &TableActions::filterWanted), annotate(&actions, &TableActions::annotateWanted);
        QSignalSpy copy(&actions, &TableActions::copyWanted), hotPath(&actions, &TableActions::hotPathWanted);
        QSignalSpy collapse(&actions, &TableActions::collapseWanted), turn(&actions, &TableActions::turnWanted);
        QSignalSpy callers(&actions, &TableActions::callersWanted), heap(&actions, &TableActions::heapWanted);
        QSignalSpy holders(&actions, &TableActions::holdersWanted);
        QSignalSpy levels(&actions, &TableActions::levelsWanted);
        stage.select(2);
        stage.press(Qt::Key_F);
        stage.press(Qt::Key_F, Qt::ShiftModifier);
        QCOMPARE(filter.size(), 2);
        QVERIFY(filter[0][0].value<Mode>() == Mode::Keep && filter[1][0].value<Mode>() == Mode::Remove);
        stage.press(Qt::Key_A);
        stage.press(Qt::Key_C, Qt::ControlModifier);
        stage.press(Qt::Key_Right, Qt::ControlModifier);
        stage.press(Qt::Key_Left, Qt::ControlModifier);
        stage.press(Qt::Key_B, Qt::ControlModifier);
        stage.press(Qt::Key_C);
        stage.press(Qt::Key_H);
        stage.press(Qt::Key_B);
        stage.press(Qt::Key_Asterisk, Qt::ControlModifier);
        for (const auto* spy : {&annotate, &copy, &hotPath, &collapse, &turn, &callers, &heap, &holders, &levels})
            QVERIFY2(spy->size() == 1, spy->signal().constData());
        QVERIFY(levels[0][0].value<std::size_t>() == ExpandRequest::kAllLevels);
        QCOMPARE(filter.size(), 2);
    }
    void keysOfDisabledActionsDoNothing() {
        TableActionsStage stage;
        QSignalSpy filter(&stage.actions, &TableActions::filterWanted);
        QSignalSpy callers(&stage.actions, &TableActions::callersWanted);
        QSignalSpy heap(&stage.actions, &TableActions::heapWanted);
        stage.press(Qt::Key_F);
        QCOMPARE(filter.size(), 0); // nothing is selected
        stage.select(0);
        stage.press(Qt::Key_C);
        stage.press(Qt::Key_H);
        QVERIFY(callers.isEmpty() && heap.isEmpty()); // no function, no heap
    }
    void noTwoActionsHaveTheSameKeyOrName() {
        TableActionsStage stage;
        QSet<QString> keys, names;
        for (const auto* action : stage.actions.all()) {
            if (action->isSeparator()) continue;
            const auto key = action->shortcut().toString();
            QVERIFY2(!action->text().isEmpty() && !names.contains(action->text()), qPrintable(action->text()));
            QVERIFY2(key.isEmpty() || !keys.contains(key), qPrintable(key));
            names << action->text();
            keys << key;
        }
        QVERIFY(keys.size() > 8);
    }

    void levelsAreCalledLikeTheKeyColumns() {
        TableActionsStage stage;
        QSignalSpy levels(&stage.actions, &TableActions::levelsWanted);
        auto& menu = *stage.action("expandTo").menu();
        emit menu.aboutToShow();
        QCOMPARE(menu.actions().size(), 3);
        QCOMPARE(menu.actions()[0]->text(), "Process");
        menu.actions()[1]->trigger();
        QCOMPARE(levels.size(), 1);
        QCOMPARE(levels[0][0].value<std::size_t>(), std::size_t{2});
        stage.layOut({Column::Thread});
        emit menu.aboutToShow(); // built again each time
        QCOMPARE(menu.actions().size(), 1);
    }
    void exportsShownRowsOrLeavesInEachFormatOfAFile() {
        TableActionsStage stage;
        QSignalSpy exported(&stage.actions, &TableActions::exportWanted);
        QSignalSpy other(&stage.actions, &TableActions::formatWanted);
        QStringList names;
        for (auto* action : stage.actions.exportActions()) {
            names << action->objectName();
            action->trigger();
        }
        QCOMPARE(names, (QStringList{"exportShown-csv", "exportShown-json", "exportShown-ndjson", "exportLeaves-csv",
                                     "exportLeaves-json", "exportLeaves-ndjson", "exportAs-pprof",
                                     "exportAs-speedscope", "exportAs-sqlite", "exportAs-report"}));
        QCOMPARE(stage.actions.exportActions()[3]->text(), QString::fromUtf8("All Leaves as CSV\xE2\x80\xA6"));
        QCOMPARE(exported.size(), 6);
        QCOMPARE(other.size(), 4);
        QVERIFY(other[2][0].value<formats::TraceFormat>() == formats::TraceFormat::Sqlite);
        QCOMPARE(stage.actions.exportActions()[9]->text(), QString::fromUtf8("HTML Report\xE2\x80\xA6"));
        QVERIFY(exported[1][0].value<exports::TableRows>() == exports::TableRows::Tree);
        QVERIFY(exported[1][1].value<exports::TableFormat>() == exports::TableFormat::NestedJson);
        QVERIFY(exported[3][0].value<exports::TableRows>() == exports::TableRows::Leaves);
        QVERIFY(exported[3][1].value<exports::TableFormat>() == exports::TableFormat::Csv);
    }
    void labelsAreAskedFor() {
        TableActionsStage stage;
        QSignalSpy edit(&stage.actions, &TableActions::annotationsWanted);
        stage.action("annotations").trigger();
        QCOMPARE(edit.size(), 1);
    }
};

HIGHWATER_TEST(TableActionsTest);
#include "table_actions_test.moc"
