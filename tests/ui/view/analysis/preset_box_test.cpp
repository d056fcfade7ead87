#include "ui/view/analysis/preset_box.h"

#include "tests/support/test_registry.h"
#include "ui/state/analysis_state.h"
#include "ui/state/presets.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QInputDialog>
#include <QLineEdit>
#include <QTest>

using namespace highwater::ui;
using highwater::analysis::Column;
using highwater::analysis::Table;

namespace {

struct PresetBoxStage {
    AnalysisState analysis;
    GraphState& graph = analysis.addGraph(Table::VirtualAlloc);
    Presets presets;
    PresetBox box{graph};

    PresetBoxStage() {
        box.setPresets(presets);
        box.resize(400, box.sizeHint().height());
        box.show();
    }
    QComboBox& list() { return *box.findChild<QComboBox*>("preset"); }
    QAction& command(const char* name) { return *box.findChild<QAction*>(name); }
    /// Moves down to this preset, as a user does.
    void chooseByKeys(const QString& name) {
        list().setFocus();
        list().showPopup();
        const int steps = list().findData(name) - list().currentIndex();
        auto* popup = QApplication::focusWidget() ? QApplication::focusWidget() : &list();
        for (int i = 0; i < std::abs(steps); ++i)
            QTest::keyClick(popup, steps > 0 ? Qt::Key_Down : Qt::Key_Up);
        QTest::keyClick(popup, Qt::Key_Return);
    }
    void answerName(const QString& name) {
        QTRY_VERIFY(box.findChild<QInputDialog*>("presetName"));
        auto* dialog = box.findChild<QInputDialog*>("presetName");
        auto* edit = dialog->findChild<QLineEdit*>();
        edit->selectAll();
        QTest::keyClicks(edit, name);
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_VERIFY(!box.findChild<QInputDialog*>("presetName"));
    }
};

} // namespace

class PresetBoxTest : public QObject {
    Q_OBJECT
  private slots:
    void offersTheStandardOnesAloneWithoutPresets() {
        AnalysisState analysis;
        auto& graph = analysis.addGraph(Table::Heap);
        PresetBox box(graph);
        QCOMPARE(std::size_t(box.findChild<QComboBox*>("preset")->count()), standardPresets(Table::Heap).size());
        QCOMPARE(box.shownName(), standardPresets(Table::Heap).front().name);
        for (const auto* command : {"presetSave", "presetSaveAs", "presetRename", "presetDelete", "presetRevert"}) {
            QVERIFY2(!box.findChild<QAction*>(command)->isEnabled(), command);
        }
    }
    void hasAStarWhenOtherLevelsOfLinesAreOpen() {
        AnalysisState analysis;
        auto& graph = analysis.addGraph(Table::Heap);
        PresetBox box(graph);
        const QString heaps = "Outstanding Size by Process and Handle"; // opens a level of lines
        for (const auto& preset : standardPresets(Table::Heap)) {
            if (preset.name == heaps) usePreset(graph, preset);
        }
        QCOMPARE(box.shownName(), heaps);
        graph.openSeriesTo(1);
        QCOMPARE(box.shownName(), heaps + " *");
        graph.openSeriesTo(2);
        QCOMPARE(box.shownName(), heaps);
        graph.turnSeries({{Column::Process, 1}}); // specific to this trace
        QCOMPARE(box.shownName(), heaps);
    }
    void choosesAPresetByKeyboard() {
        PresetBoxStage stage;
        QCOMPARE(stage.box.shownName(), "Impacting by Process");
        stage.chooseByKeys("Peak by Stack");
        QTRY_COMPARE(stage.graph.presetName(), "Peak by Stack");
        QVERIFY(stage.graph.layout() == stage.presets.find(Table::VirtualAlloc, "Peak by Stack")->layout);
        QCOMPARE(stage.graph.chart(), ChartType::StackedArea);
        QCOMPARE(stage.presets.preferred(Table::VirtualAlloc).name, "Peak by Stack");
    }
    void starsChangesAndReturnsToThePreset() {
        PresetBoxStage stage;
        auto layout = stage.graph.layout();
        layout.columns.pop_back();
        stage.graph.setLayout(layout);
        QCOMPARE(stage.box.shownName(), "Impacting by Process *");
        QVERIFY(!stage.command("presetSave").isEnabled()); // it is built in
        stage.command("presetRevert").trigger();
        QCOMPARE(stage.box.shownName(), "Impacting by Process");
        QVERIFY(!stage.command("presetRevert").isEnabled());
        QCOMPARE(stage.graph.layout().columns.size(), layout.columns.size() + 1);
    }
    void savesRenamesAndDeletesAnOwnPreset() {
        PresetBoxStage stage;
        stage.graph.setChart(ChartType::Bars);
        stage.command("presetSaveAs").trigger();
        stage.answerName("Mine");
        QCOMPARE(stage.box.shownName(), "Mine");
        QCOMPARE(stage.presets.find(Table::VirtualAlloc, "Mine")->chart, ChartType::Bars);
        stage.graph.setChart(ChartType::StackedArea);
        QCOMPARE(stage.box.shownName(), "Mine *");
        stage.command("presetSave").trigger();
        QCOMPARE(stage.box.shownName(), "Mine");
        QCOMPARE(stage.presets.find(Table::VirtualAlloc, "Mine")->chart, ChartType::StackedArea);
        stage.command("presetRename").trigger();
        stage.answerName("Ours");
        QCOMPARE(stage.box.shownName(), "Ours");
        QVERIFY(!stage.presets.find(Table::VirtualAlloc, "Mine"));
        stage.command("presetDelete").trigger();
        QCOMPARE(stage.list().findData("Ours"), -1);
        QCOMPARE(stage.box.shownName(), "Impacting by Process *");
    }
    void neverOverwritesAStandardPreset() {
        PresetBoxStage stage;
        stage.graph.setChart(ChartType::Bars);
        stage.command("presetSaveAs").trigger();
        stage.answerName("Peak by Stack");
        QCOMPARE(stage.box.shownName(), "Peak by Stack (2)");
        QCOMPARE(stage.presets.find(Table::VirtualAlloc, "Peak by Stack")->chart, ChartType::StackedArea);
    }
    void followsARenamingElsewhere() {
        PresetBoxStage stage;
        stage.graph.setChart(ChartType::Bars);
        QVERIFY(stage.presets.save({"Mine", stage.graph.layout(), ChartType::Bars}));
        stage.graph.setPresetName("Mine");
        QCOMPARE(stage.box.shownName(), "Mine");
        QVERIFY(stage.presets.rename(Table::VirtualAlloc, "Mine", "Ours"));
        QCOMPARE(stage.graph.presetName(), "Ours");
        QCOMPARE(stage.box.shownName(), "Ours");
    }
    void offersNoPresetsOfAnotherTable() {
        PresetBoxStage stage;
        QVERIFY(stage.presets.save({"Of the heap", defaultLayout(Table::Heap), ChartType::Bars}));
        QCOMPARE(stage.list().findData("Of the heap"), -1);
        QVERIFY(stage.presets.save({"Of this", stage.graph.layout(), ChartType::Bars}));
        QVERIFY(stage.list().findData("Of this") >= 0);
    }
};
HIGHWATER_TEST(PresetBoxTest);
#include "preset_box_test.moc"
