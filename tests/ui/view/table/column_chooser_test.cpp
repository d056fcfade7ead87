#include "tests/support/test_registry.h"
#include "tests/ui/support/printed_layout.h"
#include "ui/state/analysis_state.h"
#include "ui/view/table/column_chooser.h"

#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QTest>
#include <QTreeWidget>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

struct ColumnChooserStage {
    AnalysisState analysis;
    GraphState& graph = analysis.addGraph(Table::Heap);
    TraceFacts facts;
    QPointer<ColumnChooser> chooser;
    explicit ColumnChooserStage(TraceFacts known = {}) : facts(known) {
        graph.setLayout({Table::Heap, {Column::Process, Column::Stack}, {Column::Count, Column::Size}, 1, {}});
        chooser = new ColumnChooser(graph, facts, nullptr);
        chooser->popup({10, 10});
        (void)QTest::qWaitForWindowExposed(chooser);
    }
    ~ColumnChooserStage() { delete chooser; }
    ColumnChooserStage(const ColumnChooserStage&) = delete;
    QTreeWidget* list() { return chooser->findChild<QTreeWidget*>(); }
    QLineEdit* search() { return chooser->findChild<QLineEdit*>(); }
    QTreeWidgetItem* item(const QString& name) {
        const auto found = list()->findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
        return found.isEmpty() ? nullptr : found.first();
    }
    void clickBox(const QString& name) {
        const auto rect = list()->visualItemRect(item(name));
        list()->scrollToItem(item(name));
        QTest::mouseClick(list()->viewport(), Qt::LeftButton, {},
                          list()->visualItemRect(item(name)).topLeft() + QPoint(8, rect.height() / 2));
    }
};

} // namespace

class ColumnChooserTest : public QObject {
    Q_OBJECT
  private slots:
    void checksVisibleColumns() {
        ColumnChooserStage stage;
        QCOMPARE(stage.item("Process")->checkState(0), Qt::Checked);
        QCOMPARE(stage.item("Size")->checkState(0), Qt::Checked);
        QCOMPARE(stage.item("Peak Size")->checkState(0), Qt::Unchecked);
        QCOMPARE(stage.item("Process")->parent()->text(0), "Group rows by");
        QCOMPARE(stage.item("Peak Size")->parent()->text(0), "Values");
    }
    void addsAndRemovesByClicks() {
        ColumnChooserStage stage;
        stage.clickBox("Peak Size");
        QCOMPARE(printed(stage.graph.layout()), "Process Stack | Count Peak Size | Size");
        stage.clickBox("Thread");
        QCOMPARE(printed(stage.graph.layout()), "Process Thread Stack | Count Peak Size | Size");
        stage.clickBox("Count");
        QCOMPARE(printed(stage.graph.layout()), "Process Thread Stack | Peak Size | Size");
        QCOMPARE(stage.item("Count")->checkState(0), Qt::Unchecked);
    }
    void worksByKeys() {
        ColumnChooserStage stage;
        QVERIFY(stage.search()->hasFocus() || stage.chooser->focusWidget() == stage.search());
        QTest::keyClicks(stage.search(), "free");
        QCOMPARE(stage.list()->currentItem()->text(0), "FreeType");
        QTest::keyClick(stage.search(), Qt::Key_Down);
        QCOMPARE(stage.list()->currentItem()->text(0), "FreeTime"); // over the heading
        QTest::keyClick(stage.search(), Qt::Key_Return);
        QCOMPARE(printed(stage.graph.layout()), "Process Stack | Count FreeTime | Size");
        QTest::keyClick(stage.search(), Qt::Key_Return);
        QCOMPARE(printed(stage.graph.layout()), "Process Stack | Count | Size");
        QTest::keyClick(stage.search(), Qt::Key_Escape);
        QTRY_VERIFY(stage.chooser.isNull());
    }
    void searchesTheListForTypedText() {
        ColumnChooserStage stage;
        stage.list()->setFocus();
        QTest::keyClick(stage.list(), Qt::Key_P);
        QCOMPARE(stage.search()->text(), "p");
        QVERIFY(stage.item("Count")->isHidden());
        QVERIFY(!stage.item("Process")->isHidden());
    }
    void saysThatNothingMatches() {
        ColumnChooserStage stage;
        stage.search()->setText("xyz");
        QVERIFY(stage.chooser->findChild<QLabel*>("columnWords")->text().contains("No column matches"));
    }
    void disablesUnfillableColumnsWithTheReason() {
        TraceFacts facts;
        facts.hasRows = true;
        facts.hasEnds = false;
        ColumnChooserStage stage(facts);
        for (const auto* name : {"Bucket", "FreeTime"}) {
            auto* item = stage.item(name);
            QVERIFY(!item->flags().testFlag(Qt::ItemIsUserCheckable));
            QVERIFY(!item->text(1).isEmpty());
            QCOMPARE(item->foreground(0).color(), stage.list()->palette().color(QPalette::Disabled, QPalette::Text));
        }
        const auto before = stage.graph.layout();
        stage.search()->setText("Bucket");
        QVERIFY(stage.chooser->findChild<QLabel*>("columnWords")->text().contains("heap internals"));
        QTest::keyClick(stage.search(), Qt::Key_Return);
        stage.clickBox("Bucket");
        QVERIFY(stage.graph.layout() == before);
    }
    void removesColumnsThatCannotBeFilled() {
        TraceFacts facts;
        facts.hasRows = true;
        facts.hasStacks = false;
        ColumnChooserStage stage(facts);
        QCOMPARE(stage.item("Stack")->checkState(0), Qt::Checked);
        stage.clickBox("Stack");
        QCOMPARE(printed(stage.graph.layout()), "Process | Count | Size");
        QVERIFY(!stage.item("Stack")->flags().testFlag(Qt::ItemIsUserCheckable));
    }
    void keepsTheLastKey() {
        ColumnChooserStage stage;
        stage.clickBox("Stack");
        stage.clickBox("Process");
        QCOMPARE(printed(stage.graph.layout()), "Process | Count | Size");
        QCOMPARE(stage.item("Process")->checkState(0), Qt::Checked);
        QVERIFY(stage.chooser->findChild<QLabel*>("columnWords")->text().contains("At least one"));
    }
};
HIGHWATER_TEST(ColumnChooserTest);
#include "column_chooser_test.moc"
