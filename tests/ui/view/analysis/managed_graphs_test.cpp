#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/format/column_format.h"
#include "ui/model/grouped_table_model.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/timeline/selection_amount.h"
#include "ui/view/timeline/timeline_view.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

constexpr ByteCount kTick = 100 * 1024;

/// A program that allocates strings in one function and bytes in another, and has two collections.
struct ManagedGraphStage {
    SmallTrace trace;
    AnalysisTabs tabs;

    explicit ManagedGraphStage(bool hasEvents = true) {
        trace.process(1, "a.exe");
        if (hasEvents) {
            for (std::int64_t i = 0; i < 20; ++i)
                trace.managed(100 + i, 1, "System.String", kTick, {0x400300, 0x400100});
            trace.managed(300, 1, "System.Byte[]", kTick, {0x400500, 0x400100});
            trace.collected(400, 1, {1000, 2000, 3000, 4000});
            trace.collected(600, 1, {500, 2500, 3000, 4000});
        }
        tabs.resize(1000, 700);
        tabs.show();
        tabs.shown().show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        tabs.showFirstTableWithData();
        wait();
    }
    bool wait() {
        QTest::qWait(1);
        return QTest::qWaitFor([this] { return tabs.isUpToDate(); });
    }
    void show(Table table) {
        auto& view = tabs.current();
        auto* before = view.state().graphs().front();
        if (before->table() == table) return;
        view.showGraph(table);
        view.state().removeGraph(*before);
        QVERIFY(wait());
    }
    GraphPanel& panel() { return *tabs.currentPanel(); }
    GroupedTableModel& model() { return panel().model(); }
    QModelIndex first(const QModelIndex& parent = {}) { return model().index(0, 0, parent); }
    QStringList charts() {
        auto* box = panel().findChild<QComboBox*>("chartType");
        const auto* list = qobject_cast<QListView*>(box->view());
        QStringList shown;
        for (int i = 0; i < box->count(); ++i) {
            if (!list->isRowHidden(i)) shown << box->itemText(i);
        }
        return shown;
    }
};

} // namespace

/// Managed Allocations and GC Heap Size in the window.
class ManagedGraphsTest : public QObject {
    Q_OBJECT
  private slots:
    void recordedDataIsShownAutomatically() {
        ManagedGraphStage stage;
        QCOMPARE(stage.panel().graph().table(), Table::Managed);
        QAbstractItemModelTester tester(&stage.model());
        QCOMPARE(stage.model().keyText(stage.first()), "a.exe (1)");
        const auto strings = stage.first(stage.first());
        QCOMPARE(stage.model().keyText(strings), "System.String");
        QCOMPARE(strings.siblingAtColumn(stage.model().columnCount() - 1).data().toString(), "2.0 MB");
    }
    void theTitleSaysThatSizesAreSampled() {
        ManagedGraphStage stage;
        QCOMPARE(columnTitle(Table::Managed, Column::Size), "Size (sampled)");
        QCOMPARE(columnTitle(Table::Heap, Column::Size), "Size");
        const auto tip = stage.model().headerData(stage.model().columnCount() - 1, Qt::Horizontal, Qt::ToolTipRole);
        QVERIFY2(tip.toString().contains("100 KB"), qPrintable(tip.toString()));
        const auto size = stage.model().columnCount() - 1;
        QVERIFY((stage.model().headerData(size, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>() &
                 Qt::AlignRight) != 0);
    }
    void chartsAreThoseThatSaySomething() {
        ManagedGraphStage stage;
        QCOMPARE(stage.charts(), (QStringList{"Line", "Stacked", "Bars", "Flames", "Icicle"}));
        stage.show(Table::GcHeap);
        QCOMPARE(stage.charts(), (QStringList{"Line", "Stacked", "Bars"}));
    }
    void aLeafOpensIntoItsSamples() {
        ManagedGraphStage stage;
        auto& table = stage.panel().table();
        auto layout = stage.panel().graph().layout();
        layout.keys = {Column::ManagedType};
        stage.panel().graph().setLayout(layout);
        QVERIFY(stage.wait());
        table.setFocus();
        table.setCurrentIndex(stage.first());
        QTest::keyClick(&table, Qt::Key_Right);
        QVERIFY(QTest::qWaitFor([&] { return stage.model().rowCount(stage.first()) == 20; }));
        QCOMPARE(stage.model().keyText(stage.first(stage.first())), "0.100000 s · 100.0 KB · thread 2");
    }
    void theSelectionShowsAllocatedBytes() {
        ManagedGraphStage stage;
        SelectionAmount measured;
        connect(&stage.panel(), &GraphPanel::selectionMeasured, this, [&](const auto& amount) { measured = amount; });
        stage.tabs.current().state().select(TimeRange{ms(200), ms(400)});
        QVERIFY(QTest::qWaitFor([&] { return measured.amount == "100.0 KB"; }));
        QCOMPARE(measured.name, "Allocated");
    }
    void generationsAreLinesOfTheirSizes() {
        ManagedGraphStage stage;
        stage.show(Table::GcHeap);
        const auto& series = stage.panel().timeline().answer()->timeline.series;
        QStringList lines;
        for (const auto& line : series)
            lines << QStringLiteral("%1 %2").arg(QString::fromStdString(line.name)).arg(line.atEnd);
        QCOMPARE(lines, (QStringList{"a.exe (1) 10000", "Large 4000", "Gen 2 3000", "Gen 1 2500", "Gen 0 500"}));
    }
    void aTraceWithoutThemHasNoAxesAndSaysHowTheyAreRecorded() {
        ManagedGraphStage stage(false);
        stage.show(Table::Managed);
        QVERIFY(QTest::qWaitFor([&] {
            for (const auto* label : stage.panel().findChildren<QLabel*>()) {
                if (label->isVisible() && label->text().contains("This trace has no managed allocations.") &&
                    label->text().contains("PerfView"))
                    return true;
            }
            return false;
        }));
    }
};
HIGHWATER_TEST(ManagedGraphsTest);
#include "managed_graphs_test.moc"
