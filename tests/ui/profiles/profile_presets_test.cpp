#include "ui/profiles/profile_presets.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/printed_layout.h"
#include "tests/ui/support/wpa_profile_text.h"

#include <QTest>

using namespace highwater::tests;
using namespace highwater::ui;
using highwater::analysis::Aggregation;
using highwater::analysis::Column;
using highwater::analysis::SortKey;
using highwater::analysis::Table;

namespace {

ProfilePresets presetsIn(const QByteArray& bytes) {
    const auto read = readWpaProfile(bytes);
    return read.profile ? presetsOf(*read.profile) : ProfilePresets{{}, {}, {read.refusal}};
}

const WpaColumnText kProcessColumn{"06155709-500b-4182-8944-29665014b5c2", "Process"};
const WpaColumnText kSizeColumn{"29a4dfc2-cd62-4de8-85c3-f580af6a47dd", "Size"};

/// One preset of Heap Allocations with Process, the gold bar, and these columns.
ProfilePresets heapPresetWith(const std::vector<WpaColumnText>& columns, const QString& attributes = {}) {
    std::vector<WpaColumnText> all{kProcessColumn};
    all.insert(all.end(), columns.begin(), columns.end());
    return presetsIn(wpaProfile("v", wpaGraph(kWpaHeap, wpaPreset("P", {1, 2, 90, 91}, all, attributes))));
}

} // namespace

/// WPA, UIforETW and MSO-Scripts profiles as they look here.
class ProfilePresetsTest : public QObject {
    Q_OBJECT
  private slots:
    void ofAHeapProfile() {
        const auto made = presetsIn(heapProfile());
        QCOMPARE(made.presets.size(), 1u); // though the file contains it twice
        const auto& preset = made.presets[0];
        QCOMPARE(preset.name, QString("Heap by Stack"));
        QCOMPARE(preset.layout.table, Table::Heap);
        QCOMPARE(printed(preset.layout), QString("Process Type Stack | Count Impacting Size | Size"));
        QCOMPARE(preset.layout.sort, (std::vector<SortKey>{{Column::Count, true}}));
        QCOMPARE(preset.layout.columns[1].format.unit, ColumnUnit::Bytes);
        QCOMPARE(preset.chart, ChartType::Line);
        QCOMPARE(made.leftOut, QStringList("Heap by Stack: column Bucket"));
        QCOMPARE(made.views.size(), 1u);
        QCOMPARE(made.views[0].title, QString("Heap View"));
    }
    void ofAVirtualAllocProfile() {
        const auto made = presetsIn(virtualAllocProfile());
        QCOMPARE(made.presets.size(), 2u);
        const auto& bySize = made.presets[0].layout;
        QCOMPARE(printed(bySize),
                 QString("Process Name Process Stack Tag Commit Stack | Count Size Impacting Size Peak(Count) | "
                         "Peak(Size)"));
        QCOMPARE(bySize.sort, (std::vector<SortKey>{{Column::Size, true, Aggregation::Peak}}));
        QCOMPARE(bySize.columns[1].format.unit, ColumnUnit::Megabytes);
        QCOMPARE(made.presets[0].chart, ChartType::StackedArea);
        const auto& overTime = made.presets[1].layout;
        QCOMPARE(printed(overTime), QString("Process Name Process Type Stack Tag Commit Stack | Count Peak(Size) | "
                                            "Min(Commit Time) Max(Decommit Time)"));
        QCOMPARE(overTime.sort, (std::vector<SortKey>{{Column::BeginTime, false, Aggregation::Min}}));
        QCOMPARE(overTime.columns[2].format.unit, ColumnUnit::Seconds);
        QCOMPARE(made.leftOut, QStringList("stack tags from the file our.stacktags (add it with Trace > Stack Tags)"));
    }
    void ofASnapshotProfile() {
        const auto made = presetsIn(snapshotProfile());
        QCOMPARE(made.presets.size(), 1u);
        QCOMPARE(printed(made.presets[0].layout),
                 QString("Process Instance Stack | Allocation Address Count | Size Max(Size)"));
        QCOMPARE(made.presets[0].layout.sort, (std::vector<SortKey>{{Column::Instance, false}, {Column::Size, true}}));
        QCOMPARE(made.presets[0].chart, ChartType::Bars);
        QCOMPARE(made.leftOut.size(), 1);
        QVERIFY(made.leftOut[0].contains("By Type"));
    }
    void ofTheFirstForm() {
        const auto made = presetsIn(oldProfile());
        QCOMPARE(made.presets.size(), 1u);
        QCOMPARE(printed(made.presets[0].layout), QString("Process Impacting Type | Count Impacting Size | Size"));
        QVERIFY(made.leftOut.isEmpty());
        QCOMPARE(made.views.at(0).title, QString("Old View"));
    }
    /// A layout that the window could not have made itself would be refused or broken by its next edit.
    void keepsTheRulesOfLayouts() {
        for (const auto& bytes : {heapProfile(), virtualAllocProfile(), snapshotProfile(), oldProfile()}) {
            for (const auto& preset : presetsIn(bytes).presets) {
                QVERIFY(!preset.layout.keys.empty());
                QVERIFY(preset.layout.graphed <= preset.layout.columns.size());
                for (const auto& key : preset.layout.keys)
                    QVERIFY(hasColumn(preset.layout.table, key.value.column) && !isAggregate(key.value.column));
            }
        }
    }
    void takesSizesAsKeysOfSingleRows() {
        const auto made =
            presetsIn(wpaProfile("v", wpaGraph(kWpaHeap, wpaPreset("P", {2, 3, 4, 5}, {kProcessColumn, kSizeColumn}))));
        QCOMPARE(printed(made.presets.at(0).layout), QString("Process Allocation Size | |"));
    }
    /// WPA has one column for all of it.
    void takesStacksAsTags() {
        const auto stackAs = [](const QString& mode) {
            return WpaColumnText{"759dc840-5079-49db-bae0-3c54e553b7fd",
                                 "Stack",
                                 {},
                                 true,
                                 QStringLiteral("<StackOptionsParameter Mode=\"%1\" />").arg(mode)};
        };
        const auto made = presetsIn(
            wpaProfile("v", wpaGraph(kWpaHeap, wpaPreset("P", {5, 6, 7, 8},
                                                         {kProcessColumn, stackAs("StackTag"), stackAs("FrameTags"),
                                                          stackAs("Stack"), stackAs("Inverted")}))));
        QCOMPARE(printed(made.presets.at(0).layout), QString("Process Stack Tag Stack (Frame Tags) Stack | |"));
        QCOMPARE(made.leftOut, QStringList("P: column Stack as Inverted"));
    }
    void groupsByProcessWhereNothingElseIsKnown() {
        const auto made = presetsIn(wpaProfile(
            "v", wpaGraph(kWpaHeap, wpaPreset("P", {1, 2, 4, 5}, {{"?", "Thread Activity Tag"}, kSizeColumn}))));
        QCOMPARE(printed(made.presets.at(0).layout), QString("Process | Size |"));
        QCOMPARE(made.leftOut.size(), 2);
    }
    void namesAggregationsFormatsAndChartsThatItDoesNotHave() {
        const auto made = heapPresetWith(
            {{kSizeColumn.guid, "Size", " AggregationMode=\"Median\" CellFormat=\"TB\""}},
            QStringLiteral(" GraphChartType=\"Pie\" AggregationOverTime=\"Rate\" InitialExpansionQuery=\"x\""));
        QCOMPARE(printed(made.presets.at(0).layout), QString("Process | Size |"));
        QCOMPARE(made.leftOut, (QStringList{"P: aggregation Median of Size", "P: format TB of Size", "P: chart Pie",
                                            "P: graph of Rate over time, because graphs show the outstanding peak",
                                            "P: expanded rows, x"}));
    }
    void takesDecimalsWallClockAndDurationsInView() {
        const auto made = heapPresetWith(
            {{"514a6402-4276-405d-9a46-f8a583089c38",
              "AllocTime",
              {},
              true,
              "<DateTimeTimestampOptionsParameter DateTimeEnabled=\"true\" />"},
             {"219f972c-9c3e-413b-a921-228a9881d4b5", "LifeTime", " AggregationMode=\"Max\" CellFormat=\"mN\"", true,
              "<DurationInViewOptionsParameter InViewEnabled=\"true\" />"},
             {kSizeColumn.guid, "Size", " CellFormat=\"N3\""}});
        const auto& layout = made.presets.at(0).layout;
        QCOMPARE(printed(layout), QString("Process | AllocTime Max(SelectionLifeTime) Size |"));
        QCOMPARE(layout.columns[0].format.unit, ColumnUnit::WallClock);
        QCOMPARE(layout.columns[1].format.unit, ColumnUnit::Milliseconds);
        QCOMPARE(layout.columns[2].format.decimals, 3);
        QVERIFY(made.leftOut.isEmpty());
    }
    void showsAColumnOnce() {
        const auto made = heapPresetWith({kSizeColumn, {kSizeColumn.guid, "Size", " AggregationMode=\"Sum\""}});
        QCOMPARE(printed(made.presets.at(0).layout), QString("Process | Size |"));
    }
    void importsSupportedFilters() {
        const auto made =
            heapPresetWith({kSizeColumn}, QStringLiteral(" InitialFilterQuery=\"[Process]:~=&quot;app&quot;\" "
                                                         "InitialFilterShouldKeep=\"false\""));
        const auto& graph = made.views.at(0).graphs.at(0);
        QVERIFY(graph.filter);
        QCOMPARE(graph.filter->text, QString("NOT ([Process]:~=\"app\")"));
        const auto other = heapPresetWith({kSizeColumn}, QStringLiteral(" InitialFilterQuery=\"[Bucket]:=1\""));
        QVERIFY(!other.views.at(0).graphs.at(0).filter);
        QCOMPARE(other.leftOut, QStringList("P: filter [Bucket]:=1"));
    }
    void distinguishesPresetsWithOneName() {
        const auto graph = wpaGraph(kWpaHeap, wpaPreset("P", {1, 2, 4, 5}, {kProcessColumn, kSizeColumn}) +
                                                  wpaPreset("P", {1, 2, 4, 5}, {kProcessColumn}));
        const auto made = presetsIn(wpaProfile("v", graph));
        QCOMPARE(made.presets.size(), 2u);
        QCOMPARE(made.presets[1].name, QString("P (2)"));
    }
    void survivesBarsWhereNoneCanBe() {
        for (const int place : {-1, 0, 3, 1'000'000, 2'147'483'647}) {
            const auto made = presetsIn(wpaProfile(
                "v", wpaGraph(kWpaHeap, wpaPreset("P", {place, place, place, place}, {kProcessColumn, kSizeColumn}))));
            QCOMPARE(made.presets.size(), 1u);
            QVERIFY(made.presets[0].layout.graphed <= made.presets[0].layout.columns.size());
        }
    }
};

HIGHWATER_TEST(ProfilePresetsTest);
#include "profile_presets_test.moc"
