#include "tests/support/test_registry.h"
#include "ui/view/table/column_widths.h"

#include <QTest>
#include <QWidget>

#include <numeric>

using namespace highwater::ui;
using highwater::analysis::Column;
using highwater::analysis::Table;

namespace {

int total(const std::vector<int>& widths) { return std::accumulate(widths.begin(), widths.end(), 0); }

} // namespace

class ColumnWidthsTest : public QObject {
    Q_OBJECT
  private slots:
    void givesTheStackTheSpareSpace() {
        const QWidget widget;
        const auto layout = defaultLayout(Table::Heap);
        const auto narrow = columnWidths(layout, widget, 1400);
        const auto wide = columnWidths(layout, widget, 1700);
        QCOMPARE(narrow.size(), static_cast<std::size_t>(sectionCount(layout)));
        for (std::size_t section = 0; section < narrow.size(); ++section)
            QCOMPARE(wide[section] - narrow[section], section == layout.keys.size() ? 300 : 0);
        QVERIFY(total(wide) <= 1700);
    }
    void keepsTheStackReadableWhereNothingIsSpare() {
        const QWidget widget;
        const auto widths = columnWidths(defaultLayout(Table::Heap), widget, 300);
        QVERIFY(widths[4] >= 140);
        QVERIFY(total(widths) > 300);
    }
    void showsAllValuesOfTheFirstPresetsInASmallWindow() {
        const QWidget widget;
        for (const auto table : highwater::analysis::kTables) {
            const auto width = total(columnWidths(defaultLayout(table), widget, 840));
            QVERIFY2(width <= 840, qPrintable(QString::number(width)));
        }
    }
    /// A window of 1000x700 beside the graph explorer.
    void namesTheProcessInASmallWindow() {
        const QWidget widget;
        const auto widths = columnWidths(defaultLayout(Table::Heap), widget, 840);
        const auto name = widget.fontMetrics().horizontalAdvance("explorer.exe (1200)");
        constexpr int kTriangleColorAndMargins = 40;
        QVERIFY2(widths[1] >= name + kTriangleColorAndMargins, qPrintable(QString::number(widths[1] - name)));
    }
    void givesTheFirstKeyTheWidthOfItsTexts() {
        const QWidget widget;
        const auto layout = defaultLayout(Table::Heap);
        const auto usual = columnWidths(layout, widget, 1400);
        const auto wide = columnWidths(layout, widget, 1400, {0, usual[1] + 90});
        QCOMPARE(wide[1], usual[1] + 90);
        QCOMPARE(wide[4], usual[4] - 90); // the stack shrinks
        QCOMPARE(total(wide), total(usual));
        // Without spare space it shrinks last, so that no number is cut.
        const auto small = columnWidths(layout, widget, 840, {0, 300});
        QVERIFY2(total(small) <= 840, qPrintable(QString::number(total(small))));
        QVERIFY(small[2] <= 104 && small[3] <= 104 && small[4] == 140);
        QVERIFY2(small[1] > 104, qPrintable(QString::number(small[1])));
        const auto fitting = columnWidths(layout, widget, 1000, {0, 200});
        QCOMPARE(fitting[1], 200);
        // But not the whole table.
        QVERIFY(columnWidths(layout, widget, 1000, {0, 5000})[1] <= 400);
        // A shorter one leaves more to the stack.
        QVERIFY(columnWidths(layout, widget, 1400, {0, 60})[4] > usual[4]);
    }
    void shortensTimesBeforeNames() {
        const QWidget widget;
        auto layout = defaultLayout(Table::Heap);
        layout.columns.insert(layout.columns.begin(), Column::BeginTime);
        const auto wide = columnWidths(layout, widget, 3000);
        const auto stack = layout.keys.size();
        const int spare = wide[stack] - 270; // less than names need
        const auto narrow = columnWidths(layout, widget, 3000 - spare);
        QVERIFY2(narrow[5] < wide[5], qPrintable(QString::number(narrow[5])));
        QVERIFY(narrow[stack] > 270);
        QVERIFY(narrow[5] >= widget.fontMetrics().horizontalAdvance("999.999 s"));
        layout.columns.front().format.decimals = 6; // as the user set it
        QCOMPARE(columnWidths(layout, widget, 3000 - spare)[5], columnWidths(layout, widget, 3000)[5]);
    }
    /// As in Exercise 2, where FreeType is beside the times.
    void shortensWordsAmongTheValuesBeforeTheProcess() {
        const QWidget widget;
        auto layout = defaultLayout(Table::VirtualAlloc);
        layout.columns.insert(layout.columns.begin(), Column::FreeType);
        const auto freeType = layout.keys.size() + 1;
        const std::vector<int> contents{0, 200};
        const auto wide = columnWidths(layout, widget, 3000, contents);
        QCOMPARE(wide[1], 200);
        int room = 3000;
        while (room > 300 && columnWidths(layout, widget, room, contents)[1] == 200)
            room -= 5;
        const auto narrow = columnWidths(layout, widget, room, contents);
        QVERIFY2(narrow[freeType] < wide[freeType], qPrintable(QString::number(narrow[freeType])));
        QVERIFY(narrow[freeType] >= widget.fontMetrics().horizontalAdvance("Process exit"));
    }
    void keepsTheWidthsOfTheUser() {
        const QWidget widget;
        auto layout = defaultLayout(Table::Heap);
        layout.keys.back().width = 222;
        layout.columns.front().width = 77;
        const auto widths = columnWidths(layout, widget, 3000);
        QCOMPARE(widths[4], 222);
        QCOMPARE(widths[5], 77);
        QVERIFY(total(widths) < 3000);
    }
    void makesRoomForTimesOfDay() {
        const QWidget widget;
        auto layout = defaultLayout(Table::Heap);
        layout.columns.insert(layout.columns.begin(), Column::BeginTime);
        const auto before = columnWidths(layout, widget, 1400)[5];
        layout.columns.front().format.unit = ColumnUnit::WallClock;
        QVERIFY(columnWidths(layout, widget, 1400)[5] > before);
    }
};
HIGHWATER_TEST(ColumnWidthsTest);
#include "column_widths_test.moc"
