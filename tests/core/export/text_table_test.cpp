#include "core/export/table_format.h"
#include "tests/core/export/example_query.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::exports;
using analysis::CellValue, analysis::Column, analysis::Query, analysis::Table;

/// Parts that only text output has: the total, and aligned times. table_format_test.cpp tests trees and leaves.
class TextTableTest : public QObject {
    Q_OBJECT

    static Query query() { return tests::exampleQuery(); }

  private slots:
    void textEndsWithTheTotal() {
        std::ostringstream out;
        const auto writer = makeTableWriter(TableFormat::Text, TableRows::Tree, query(), out, {Units::Thousands, {}});
        QVERIFY(writer->wantsTotal());
        writer->begin();
        writer->write({{{Column::Process, "a.exe (1)"}}, {CellValue(std::int64_t{1'234'567}), {}}});
        writer->total({CellValue(std::int64_t{2'345'678}), {}});
        writer->end({});
        QCOMPARE(QString::fromStdString(out.str()), QString("Heap Allocations, 0.000000000 s to 2.200000000 s\n\n"
                                                            "Process / Stack / Handle      Count  FreeTime\n"
                                                            "a.exe (1)                 1,234,567          \n"
                                                            "Total                     2,345,678         -\n"));
    }
    void onlyTextAsksForTheTotal() {
        std::ostringstream out;
        for (const auto format : {TableFormat::Csv, TableFormat::NestedJson, TableFormat::JsonLines})
            QVERIFY(!makeTableWriter(format, TableRows::Tree, query(), out)->wantsTotal());
    }
    void aClockTellsTheTimesOfTextAndCsv() {
        TraceProperties properties;
        properties.startFileTime = 133'590'385'531'234'567; // 2024-05-01 12:02:33.1234567 UTC
        properties.biasMinutes = -120;
        const TableLook look{Units::Exact, WallClock::of(properties)};
        auto byTime = query();
        byTime.keys = {Column::BeginTime};
        const std::vector<PathStep> path{{Column::BeginTime, "1.5", TraceTime{1'500'000'000}}};
        const auto written = [&](TableFormat format) {
            std::ostringstream out;
            const auto writer = makeTableWriter(format, TableRows::Tree, byTime, out, look);
            writer->begin();
            writer->write({path, {CellValue(std::int64_t{1}), TraceTime{2'000'000'099}}});
            writer->end({});
            return QString::fromStdString(out.str());
        };
        QCOMPARE(written(TableFormat::Csv),
                 QString("AllocTime,Count,FreeTime,Level\n2024-05-01 14:02:34.6234567+02:00,1,"
                         "2024-05-01 14:02:35.1234567+02:00,1\n"));
        QVERIFY(written(TableFormat::Text)
                    .startsWith("Heap Allocations, 2024-05-01 14:02:33.1234567 to 2024-05-01 14:02:35.3234567 "
                                "(UTC+02:00)\n"));
        QVERIFY(
            written(TableFormat::Text).contains("\n2024-05-01 14:02:34.6234567      1  2024-05-01 14:02:35.1234567\n"));
    }
    /// The interval ends at the last event that was read, which is before the end of the trace.
    void theHeadOfACutTraceSaysWhatWasRead() {
        const auto head = [](TraceTime readUpTo) {
            std::ostringstream out;
            const auto writer = makeTableWriter(TableFormat::Text, TableRows::Tree, query(), out);
            writer->begin();
            HealthReport health;
            health.zones = {{TraceTime{0}, TraceTime{1'000'000'000}, "events lost"},
                            {readUpTo, TraceTime{9'000'000'000}, kEndOfFile, 3}};
            writer->end(health);
            return QString::fromStdString(out.str()).section('\n', 0, 0);
        };
        QCOMPARE(head(TraceTime{1'500'000'000}),
                 QString("Heap Allocations, 0.000000000 s to 2.200000000 s, complete only up to 1.500000000 s "
                         "because the end of a file is missing"));
        QCOMPARE(head(TraceTime{2'199'999'900}), // one tick
                 QString("Heap Allocations, 0.000000000 s to 2.200000000 s, where the file is cut off"));
        QCOMPARE(head(TraceTime{2'200'000'000}), QString("Heap Allocations, 0.000000000 s to 2.200000000 s"));
    }
    void theTotalIsNoSiblingOfTheLastRow() {
        auto byStack = query();
        byStack.keys = {Column::Stack};
        std::ostringstream out;
        const auto writer = makeTableWriter(TableFormat::Text, TableRows::Tree, byStack, out);
        writer->begin();
        for (const auto* frame : {"a.exe!f", "a.exe!g"})
            writer->write({{{Column::Stack, frame}}, {CellValue(std::int64_t{1}), TraceTime{12'000'000'000}}});
        writer->total({CellValue(std::int64_t{2}), {}});
        writer->end({});
        QCOMPARE(QString::fromStdString(out.str()), QString("Heap Allocations, 0.000000000 s to 2.200000000 s\n\n"
                                                            "Stack       Count      FreeTime\n"
                                                            "|- a.exe!f      1  12.000000000\n"
                                                            "|- a.exe!g      1  12.000000000\n"
                                                            "Total           2             -\n"));
    }
};
HIGHWATER_TEST(TextTableTest);
#include "text_table_test.moc"
