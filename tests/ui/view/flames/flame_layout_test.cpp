#include "ui/state/table/flame_layout.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using analysis::Column;
using analysis::Table;

/// The settings that a flame graph takes from its table.
class FlameTableLayoutTest : public QObject {
    Q_OBJECT
  private slots:
    void keysOfSingleRowsAreNotFrames() {
        TableLayout layout;
        layout.keys = {Column::Process, Column::Address, Column::StackBottomUp};
        QCOMPARE(flameKeysOf(layout), (std::vector{Column::Process, Column::StackBottomUp}));
        layout.keys = {Column::Process};
        QCOMPARE(flameKeysOf(layout), (std::vector{Column::Process, Column::Stack}));
    }
    void frameWidthsFollowTheSortColumn() {
        TableLayout layout;
        layout.columns = {Column::Count, Column::Size};
        layout.sort = {{Column::Process, false}, {Column::Size, true}};
        QCOMPARE(flameMeasureOf(layout), Column::Size);
        layout.sort = {{Column::Size, true, analysis::Aggregation::Peak}};
        QCOMPARE(flameMeasureOf(layout), Column::PeakSize);
        layout.sort = {{Column::Slope, true}};
        QCOMPARE(flameMeasureOf(layout), Column::Count); // the first suitable value
        layout.columns = {};
        QCOMPARE(flameMeasureOf(layout), Column::ImpactingSize);
        layout.table = Table::Frees;
        QCOMPARE(flameMeasureOf(layout), Column::Size);
    }
    void sortsByTheMeasureAndShowsIt() {
        TableLayout layout;
        layout.keys = {Column::Process};
        layout.columns = {Column::Count, Column::Size};
        const auto bySize = withFlameMeasure(layout, Column::Size);
        QCOMPARE(bySize.columns, layout.columns);
        QCOMPARE(bySize.sort, (std::vector<analysis::SortKey>{{Column::Size, true}}));
        const auto byPeak = withFlameMeasure(layout, Column::PeakSize);
        QCOMPARE(byPeak.columns.size(), std::size_t{3});
        QCOMPARE(flameMeasureOf(byPeak), Column::PeakSize);
    }
    void aFrameHasARowAsFarAsTheTableGoes() {
        TableLayout layout;
        layout.keys = {Column::Process, Column::Stack, Column::Thread};
        const analysis::KeyPath whole{
            {Column::Process, 1}, {Column::Stack, 5}, {Column::Stack, 6}, {Column::Thread, 7}};
        QCOMPARE(rowOfFrame(layout, whole), whole);
        layout.keys = {Column::Process, Column::Address, Column::Stack};
        QCOMPARE(rowOfFrame(layout, whole), (analysis::KeyPath{{Column::Process, 1}}));
        layout.keys = {Column::Address, Column::Process};
        QVERIFY(rowOfFrame(layout, whole).empty());
    }
};
HIGHWATER_TEST(FlameTableLayoutTest);
#include "flame_layout_test.moc"
