#include "core/export/table_format.h"
#include "core/export/table_walk.h"
#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"

#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::exports;
using namespace highwater::tests;
using analysis::Column, analysis::GroupedTable, analysis::Query;

/// The rows of a table that are written, their order, and their values.
class TableWalkTest : public QObject {
    Q_OBJECT

    static std::shared_ptr<GroupedTable> table(std::vector<analysis::ValueColumn> columns = {Column::Count,
                                                                                             Column::Size}) {
        SmallTrace trace;
        trace.process(1, "a.exe").process(2, "b.exe").process(3, "c.exe");
        trace.commit(100, 1, 0x10000, 8 * kPage, {0x300, 0x200, 0x100});
        trace.commit(200, 1, 0x90000, 4 * kPage, {0x400, 0x200, 0x100});
        trace.commit(300, 2, 0x10000, 2 * kPage, {0x300, 0x100});
        trace.commit(400, 3, 0x10000, 1 * kPage, {0x300, 0x100});
        trace.lose(Loss::EventsLost, 5);
        Query query;
        query.interval = {ms(0), ms(1000)};
        query.keys = {Column::Process, Column::Stack};
        query.columns = std::move(columns);
        query.sort = {{.column = Column::Size}};
        return GroupedTable::compute(trace.publish(1000), std::make_shared<analysis::FrameLabels>(), query).value();
    }
    static const HealthReport& healthOf(const GroupedTable& table) { return table.trace().health; }
    static QStringList tree(TreeLimits limits) {
        const auto rows = table();
        std::ostringstream out;
        const auto writer = makeTableWriter(TableFormat::Csv, TableRows::Tree, rows->query(), out);
        if (!writeTree(*rows, limits, healthOf(*rows), *writer).hasValue()) qFatal("not written");
        return QString::fromStdString(out.str()).split('\n', Qt::SkipEmptyParts);
    }

  private slots:
    void parentsStandBeforeTheirRows() {
        QCOMPARE(tree({}), (QStringList{"Process,Commit Stack,Count,Size,Level", //
                                        "a.exe (1),,2,49152,1",                  //
                                        "a.exe (1),0x100,2,49152,2",             //
                                        "a.exe (1),0x100;0x200,2,49152,3",       //
                                        "a.exe (1),0x100;0x200;0x300,1,32768,4",
                                        "a.exe (1),0x100;0x200;0x400,1,16384,4", //
                                        "b.exe (2),,1,8192,1",                   //
                                        "b.exe (2),0x100,1,8192,2",              //
                                        "b.exe (2),0x100;0x300,1,8192,3",        //
                                        "c.exe (3),,1,4096,1",                   //
                                        "c.exe (3),0x100,1,4096,2",              //
                                        "c.exe (3),0x100;0x300,1,4096,3"}));
    }
    void depthCountsFramesAsLevels() {
        QCOMPARE(tree({.depth = 1}), (QStringList{"Process,Commit Stack,Count,Size,Level", "a.exe (1),,2,49152,1",
                                                  "b.exe (2),,1,8192,1", "c.exe (3),,1,4096,1"}));
        QCOMPARE(tree({.depth = 2}).size(), 7);
    }
    void whatTopLeavesOutIsOneRow() {
        QCOMPARE(tree({.depth = 1, .top = 1}),
                 (QStringList{"Process,Commit Stack,Count,Size,Level", "a.exe (1),,2,49152,1", "(2 more),,2,12288,1"}));
        QCOMPARE(tree({.top = 1}).last(), QString("(2 more),,2,12288,1"));
    }
    void whatDoesNotAddUpHasNoSum() {
        const auto rows = table({Column::Count, {Column::Size, analysis::Aggregation::Max}});
        std::ostringstream out;
        const auto writer = makeTableWriter(TableFormat::Csv, TableRows::Tree, rows->query(), out);
        QVERIFY(writeTree(*rows, {.depth = 1, .top = 1}, healthOf(*rows), *writer).hasValue());
        QVERIFY2(out.str().ends_with("\n(2 more),,2,,1\n"), out.str().c_str());
    }
    void theTotalIsThatOfAllRowsAlsoOfThoseLeftOut() {
        const auto rows = table({Column::Count, Column::Size, Column::PeakSize, Column::BeginTime});
        std::ostringstream out;
        const auto writer = makeTableWriter(TableFormat::Text, TableRows::Tree, rows->query(), out);
        QVERIFY(writeTree(*rows, {.depth = 1, .top = 1}, healthOf(*rows), *writer).hasValue());
        const auto lines = QString::fromStdString(out.str()).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.last().simplified(),
                 QString("Total 4 61440 61440 -")); // nothing was freed, so the peak is the total
    }
    void theTotalOfLeavesIsThatOfTheTable() {
        const auto rows = table({Column::Count, Column::PeakSize});
        std::ostringstream out;
        const auto writer = makeTableWriter(TableFormat::Text, TableRows::Leaves, rows->query(), out);
        QVERIFY(writeLeaves(*rows, healthOf(*rows), *writer, {}).hasValue());
        QVERIFY2(QString::fromStdString(out.str()).simplified().endsWith("Total 4 61440"), out.str().c_str());
    }
    void healthIsThatOfTheTrace() {
        const auto rows = table();
        std::ostringstream out;
        const auto writer = makeTableWriter(TableFormat::NestedJson, TableRows::Tree, rows->query(), out);
        QVERIFY(writeTree(*rows, {}, healthOf(*rows), *writer).hasValue());
        QVERIFY2(out.str().find("],\"health\":[{\"what\":\"events lost\",\"count\":5,") != std::string::npos,
                 out.str().c_str());
    }
    void leavesAreTheRowsWithoutRowsBelow() {
        const auto rows = table();
        std::ostringstream out;
        const auto writer = makeTableWriter(TableFormat::Csv, TableRows::Tree, rows->query(), out);
        const auto written = writeLeaves(*rows, healthOf(*rows), *writer, {});
        QCOMPARE(written.value(), std::size_t{4});
        QCOMPARE(QString::fromStdString(out.str()).split('\n', Qt::SkipEmptyParts),
                 (QStringList{"Process,Commit Stack,Count,Size,Level", "a.exe (1),0x100;0x200;0x300,1,32768,4",
                              "a.exe (1),0x100;0x200;0x400,1,16384,4", "b.exe (2),0x100;0x300,1,8192,3",
                              "c.exe (3),0x100;0x300,1,4096,3"}));
    }
    void aWalkThatIsStoppedSaysSo() {
        const auto rows = table();
        std::stop_source stop;
        stop.request_stop();
        std::ostringstream out;
        const auto writer = makeTableWriter(TableFormat::NestedJson, TableRows::Leaves, rows->query(), out);
        const auto written = writeLeaves(*rows, healthOf(*rows), *writer, stop.get_token());
        QVERIFY(!written.hasValue());
        QCOMPARE(written.error().kind, ErrorKind::Cancelled);
        QVERIFY(!QString::fromStdString(out.str()).contains("health"));
    }
};
HIGHWATER_TEST(TableWalkTest);
#include "table_walk_test.moc"
