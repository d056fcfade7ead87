#include "tests/support/test_registry.h"
#include "ui/state/analysis_state.h"
#include "ui/state/presets.h"
#include "ui/state/table/annotation_rules.h"

#include <QJsonArray>
#include <QSignalSpy>
#include <QTest>

using namespace highwater::ui;
using highwater::analysis::Aggregation;
using highwater::analysis::Column;
using highwater::analysis::Table;
using highwater::analysis::ValueColumn;

namespace {

QStringList namesOf(const std::vector<Preset>& presets) {
    QStringList names;
    for (const auto& preset : presets) {
        names << preset.name;
    }
    return names;
}

Preset ownPreset(const QString& name) {
    LayoutColumn size(ValueColumn{Column::Size, Aggregation::Max});
    size.format = {ColumnUnit::Megabytes, 3};
    size.width = 120;
    return {name,
            {Table::Heap,
             {Column::Handle, Column::StackBottomUp},
             {Column::BeginTime, Column::Count, size},
             1,
             {{Column::Size, false, Aggregation::Max}, {Column::Handle, true}}},
            ChartType::Bars};
}

} // namespace

class PresetsTest : public QObject {
    Q_OBJECT
  private slots:
    void comesWithThoseThatPeopleKnowFromWpa() {
        const Presets presets;
        const auto virtualAlloc = namesOf(presets.of(Table::VirtualAlloc));
        const auto heap = namesOf(presets.of(Table::Heap));
        for (const auto* name :
             {"Outstanding Commit by Process", "Exercise 2 VirtualAlloc", "AIFO by Stack", "Peak by Stack"}) {
            QVERIFY2(virtualAlloc.contains(name), name);
        }
        for (const auto* name :
             {"Outstanding Size by Process and Handle", "Exercise 2 Heap", "AIFO by Stack", "Peak by Stack"}) {
            QVERIFY2(heap.contains(name), name);
        }
    }
    void standardPresetsQueryExistingColumns() {
        for (const auto table : highwater::analysis::kTables) {
            const auto& presets = standardPresets(table);
            QVERIFY(presets.front().layout == defaultLayout(table));
            QCOMPARE(namesOf(presets).removeDuplicates(), 0);
            for (const auto& preset : presets) {
                QCOMPARE(preset.layout.table, table);
                QVERIFY(preset.layout.graphed <= preset.layout.columns.size());
                const auto known = highwater::analysis::columnsOf(table);
                for (const auto key : preset.layout.keyColumns()) {
                    QVERIFY(std::find(known.begin(), known.end(), key) != known.end());
                }
                for (const auto& column : preset.layout.columns) {
                    QVERIFY(std::find(known.begin(), known.end(), column.value.column) != known.end());
                }
            }
        }
    }
    void exercise2ShowsTheColumnsOfTheExercise() {
        const auto preset = Presets().find(Table::VirtualAlloc, "Exercise 2 VirtualAlloc");
        QVERIFY(preset);
        QCOMPARE(preset->layout.keyColumns(), (std::vector{Column::Process, Column::ImpactingType, Column::Stack}));
        QVERIFY(preset->layout.valueColumns() ==
                (std::vector<ValueColumn>{Column::BeginTime, Column::EndTime, Column::FreeType, Column::Count,
                                          Column::ImpactingSize, Column::Size}));
    }
    void survivesJson() {
        const auto own = ownPreset("Mine");
        const auto read = presetFromJson(presetToJson(own));
        QVERIFY(read && read->unknownColumns.isEmpty());
        QCOMPARE(read->preset.name, "Mine");
        QVERIFY(read->preset.layout == own.layout);
        QCOMPARE(read->preset.chart, ChartType::Bars);
        for (const auto table : highwater::analysis::kTables) {
            for (const auto& preset : standardPresets(table)) {
                const auto again = presetFromJson(presetToJson(preset));
                QVERIFY2(again && again->preset.layout == preset.layout, qPrintable(preset.name));
            }
        }
    }
    void keepsTheLevelOfLines() {
        auto own = ownPreset("Mine");
        QVERIFY(!presetToJson(own).contains("levels"));
        own.seriesLevels = 2;
        QCOMPARE(presetFromJson(presetToJson(own))->preset.seriesLevels, 2u);
        auto json = presetToJson(own);
        json["levels"] = -7;
        QCOMPARE(presetFromJson(json)->preset.seriesLevels, 1u);
        json["levels"] = 1e9;
        QVERIFY(presetFromJson(json)->preset.seriesLevels <= 64u);
    }
    void outstandingSizeByProcessAndHandleHasALineForEachHeap() {
        AnalysisState analysis;
        auto& graph = analysis.addGraph(Table::Heap);
        const auto preset = Presets().find(Table::Heap, "Outstanding Size by Process and Handle");
        usePreset(graph, *preset);
        QCOMPARE(graph.seriesLevels(), 2u);
        QCOMPARE(presetShownBy(graph, Presets().of(Table::Heap))->name, preset->name);
        graph.openSeriesTo(1);
        QVERIFY(!presetShownBy(graph, Presets().of(Table::Heap)));
        usePreset(graph, standardPresets(Table::Heap).front());
        QCOMPARE(graph.seriesLevels(), 1u);
    }
    void namesUnknownColumnsAndTakesTheRest() {
        auto json = presetToJson(ownPreset("Mine"));
        auto columns = json["columns"].toArray();
        columns.append(QJsonObject{{"column", "Bucket"}});
        json["columns"] = columns;
        json["graphed"] = 2;
        auto keys = json["keys"].toArray();
        keys.prepend(QJsonObject{{"column", "Size"}}); // a number groups nothing
        json["keys"] = keys;
        const auto read = presetFromJson(json);
        QVERIFY(read);
        QCOMPARE(read->unknownColumns, (QStringList{"Size", "Bucket"}));
        QVERIFY(read->preset.layout == ownPreset("Mine").layout);
        QVERIFY(!presetFromJson({{"name", "Of nothing"}, {"table", "registry"}}));
    }
    void savesRenamesAndRemovesOwnOnes() {
        Presets presets;
        QSignalSpy changed(&presets, &Presets::changed);
        QVERIFY(presets.save(ownPreset("Mine")));
        QVERIFY(!presets.save(ownPreset("Exercise 2 Heap"))); // the name of a built-in preset
        QVERIFY(!presets.save(ownPreset("  ")));
        QVERIFY(presets.isOwn(Table::Heap, "Mine") && !presets.isOwn(Table::VirtualAlloc, "Mine"));
        QCOMPARE(namesOf(presets.of(Table::Heap)).last(), "Mine");
        QVERIFY(!presets.rename(Table::Heap, "Mine", "AIFO by Stack"));
        QVERIFY(presets.rename(Table::Heap, "Mine", "Ours"));
        QVERIFY(presets.find(Table::Heap, "Ours") && !presets.find(Table::Heap, "Mine"));
        presets.remove(Table::Heap, "Ours");
        presets.remove(Table::Heap, "Exercise 2 Heap");
        QVERIFY(!presets.find(Table::Heap, "Ours") && presets.find(Table::Heap, "Exercise 2 Heap"));
        QCOMPARE(changed.count(), 3);
    }
    void restoresRemovedOrReplacedPresets() {
        Presets presets;
        QSignalSpy removed(&presets, &Presets::removed), replaced(&presets, &Presets::replaced);
        const auto mine = ownPreset("Mine");
        QVERIFY(presets.save(mine) && presets.save(mine)); // the second time nothing changes
        QVERIFY(replaced.isEmpty());
        auto other = mine;
        other.chart = ChartType::StackedArea;
        QVERIFY(!mine.looksLike(other));
        QVERIFY(presets.save(other));
        QCOMPARE(replaced.count(), 1);
        presets.restore(replaced[0][0].value<Preset>());
        QVERIFY(presets.find(Table::Heap, "Mine")->looksLike(mine));
        presets.remove(Table::Heap, "Mine");
        QCOMPARE(removed.count(), 1);
        presets.restore(removed[0][0].value<Preset>());
        QVERIFY(presets.isOwn(Table::Heap, "Mine"));
        QVERIFY(presets.find(Table::Heap, "Mine")->looksLike(mine));
    }
    void isTheSameAfterItWasStored() {
        Presets presets;
        presets.save(ownPreset("Mine"));
        presets.setPreferred(Table::Heap, "Mine");
        presets.setPreferred(Table::VirtualAlloc, "Peak by Stack");
        Presets again;
        QCOMPARE(again.loadJson(presets.toJson()), QStringList());
        QCOMPARE(again.preferred(Table::Heap).name, "Mine");
        QCOMPARE(again.preferred(Table::VirtualAlloc).name, "Peak by Stack");
        QVERIFY(again.find(Table::Heap, "Mine")->layout == ownPreset("Mine").layout);
        again.remove(Table::Heap, "Mine");
        QCOMPARE(again.preferred(Table::Heap).name, standardPresets(Table::Heap).front().name);
        QCOMPARE(again.loadJson("nonsense").size(), 1);
        QCOMPARE(again.loadJson({}), QStringList());
    }
    void labelsArePartOfPresetsThatShowThem() {
        auto mine = ownPreset("Mine");
        mine.layout.annotations =
            annotationsOf(Table::Heap, {{"<b>cache</b>", "Process:app AND Size > 1MB"}, {"rest", ""}});
        auto shown = mine;
        shown.name = "Shown";
        shown.layout.keys.insert(shown.layout.keys.begin(), Column::Annotation);
        Presets presets;
        QVERIFY(presets.save(mine) && presets.save(shown));
        QVERIFY(presets.find(Table::Heap, "Mine")->layout.annotations.empty());
        Presets again;
        QCOMPARE(again.loadJson(presets.toJson()), QStringList());
        QVERIFY(again.find(Table::Heap, "Shown")->layout == shown.layout);
        // A graph takes over the labels of a preset if there are any, and keeps its own otherwise.
        AnalysisState analysis;
        auto& graph = analysis.addGraph(Table::Heap);
        usePreset(graph, shown);
        QVERIFY(graph.layout().annotations == shown.layout.annotations);
        usePreset(graph, standardPresets(Table::Heap).front());
        QVERIFY(graph.layout().annotations == shown.layout.annotations);
        QVERIFY(presetShownBy(graph, presets.of(Table::Heap))); // labels that are not shown change nothing
        usePreset(graph, shown);
        auto layout = graph.layout();
        layout.annotations.pop_back();
        graph.setLayout(layout);
        QVERIFY(!presetShownBy(graph, presets.of(Table::Heap)));
        graph.undoLayout();
        QVERIFY(presetShownBy(graph, presets.of(Table::Heap)));
    }
    void remembersTheLabelsOfEachTable() {
        const auto labels = annotationsOf(Table::Heap, {{"cache", "Process:app"}});
        Presets presets;
        QSignalSpy changed(&presets, &Presets::changed);
        presets.setAnnotations(Table::Heap, labels);
        presets.setAnnotations(Table::Heap, labels);
        QCOMPARE(changed.count(), 1);
        Presets again;
        QCOMPARE(again.loadJson(presets.toJson()), QStringList());
        QVERIFY(again.preferred(Table::Heap).layout.annotations == labels);
        QVERIFY(again.preferred(Table::Frees).layout.annotations.empty());
        again.setAnnotations(Table::Heap, {});
        QVERIFY(Presets().preferred(Table::Heap).layout.annotations.empty());
        auto json = presets.toJson().replace("Process:app", "[Nothing]:=x");
        const auto problems = again.loadJson(json);
        QCOMPARE(problems.size(), 1);
        QVERIFY(problems.first().contains("cache"));
        QVERIFY(again.preferred(Table::Heap).layout.annotations.empty());
    }
    void detectsAGraphThatDiffersFromItsPreset() {
        AnalysisState analysis;
        auto& graph = analysis.addGraph(Table::Heap);
        const auto presets = Presets().of(Table::Heap);
        usePreset(graph, *Presets().find(Table::Heap, "Exercise 2 Heap"));
        QCOMPARE(presetShownBy(graph, presets)->name, "Exercise 2 Heap"); // not the preset with the same layout
        auto layout = graph.layout();
        layout.columns.front().width = 300;
        graph.setLayout(layout);
        QVERIFY(presetShownBy(graph, presets)); // widths do not matter
        layout.columns.pop_back();
        graph.setLayout(layout);
        QVERIFY(!presetShownBy(graph, presets));
        graph.undoLayout();
        QCOMPARE(presetShownBy(graph, presets)->name, "Exercise 2 Heap");
        graph.setChart(ChartType::Bars);
        QVERIFY(!presetShownBy(graph, presets));
    }
};
HIGHWATER_TEST(PresetsTest);
#include "presets_test.moc"
