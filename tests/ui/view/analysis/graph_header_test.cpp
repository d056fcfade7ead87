#include "tests/support/test_registry.h"
#include "ui/state/analysis_state.h"
#include "ui/state/presets.h"
#include "ui/view/analysis/graph_header.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace highwater::ui;
using highwater::analysis::Column;
using highwater::analysis::Table;

namespace {

struct GraphHeaderStage {
    AnalysisState analysis;
    GraphState& graph = analysis.addGraph(Table::VirtualAlloc);
    Presets presets;
    GraphHeader header{graph};

    GraphHeaderStage() {
        header.setPresets(presets);
        header.resize(800, GraphHeader::kHeight);
        header.show();
    }
    QComboBox& box() { return *header.findChild<QComboBox*>("preset"); }
    void click(const char* button) { QTest::mouseClick(header.findChild<QToolButton*>(button), Qt::LeftButton); }
};

} // namespace

class GraphHeaderTest : public QObject {
    Q_OBJECT
  private slots:
    void choosesTheChart() {
        GraphHeaderStage stage;
        auto* chart = stage.header.findChild<QComboBox*>("chartType");
        chart->setFocus();
        QTest::keyClick(chart, Qt::Key_Down);
        QCOMPARE(stage.graph.chart(), ChartType::StackedArea);
        stage.graph.setChart(ChartType::Bars);
        QCOMPARE(chart->currentIndex(), 2);
    }
    void selectsTheChart() {
        GraphHeaderStage stage;
        stage.click("graphOnly");
        QCOMPARE(stage.graph.parts(), GraphParts::GraphOnly);
        stage.click("tableOnly");
        QCOMPARE(stage.graph.parts(), GraphParts::TableOnly);
        stage.click("graphAndTable");
        QCOMPARE(stage.graph.parts(), GraphParts::GraphAndTable);
    }
    void movesOnlyAmongOthers() {
        GraphHeaderStage stage;
        auto* up = stage.header.findChild<QToolButton*>("moveUp");
        auto* down = stage.header.findChild<QToolButton*>("moveDown");
        QVERIFY(!up->isVisible() && !down->isVisible());
        stage.analysis.addGraph(Table::Heap);
        QVERIFY(up->isVisible() && !up->isEnabled() && down->isEnabled());
        QSignalSpy moves(&stage.header, &GraphHeader::moveWanted);
        QTest::mouseClick(down, Qt::LeftButton);
        QCOMPARE(moves.first().first().toInt(), 1);
    }
    void showsItsFullNameIfItFits() {
        GraphHeaderStage stage;
        auto* title = stage.header.findChild<QWidget*>("graphTitle");
        stage.header.resize(1200, GraphHeader::kHeight);
        QTRY_VERIFY(title->width() >= title->sizeHint().width());
    }
    void isCompactAndFitsBesideTheExplorer() {
        GraphHeaderStage stage;
        stage.analysis.addGraph(Table::Heap); // with the arrows
        QVERIFY(stage.header.height() <= 28);
        QVERIFY2(stage.header.minimumSizeHint().width() <= 780,
                 qPrintable(QString::number(stage.header.minimumSizeHint().width())));
        for (auto* button : stage.header.findChildren<QToolButton*>()) {
            QVERIFY2(!button->accessibleName().isEmpty(), qPrintable(button->objectName()));
            QVERIFY(button->focusPolicy() & Qt::TabFocus);
            QVERIFY(button->height() <= stage.header.height());
        }
    }
    void showsALineOnlyWhileWorkTakesLong() {
        GraphHeaderStage stage;
        stage.header.setBusy(true);
        QVERIFY(!stage.header.showsBusy()); // not at once
        QTRY_VERIFY(stage.header.showsBusy());
        stage.header.setBusy(false);
        QVERIFY(!stage.header.showsBusy());
        stage.header.setBusy(true);
        stage.header.setBusy(false);
        QTest::qWait(GraphHeader::kBusyDelayMs * 2);
        QVERIFY(!stage.header.showsBusy());
    }
};
HIGHWATER_TEST(GraphHeaderTest);
#include "graph_header_test.moc"
