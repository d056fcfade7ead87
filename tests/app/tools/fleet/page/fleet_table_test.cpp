#include "app/tools/fleet/page/fleet_table.h"

#include "tests/app/tools/fleet/page/fake_fleet.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

namespace {

QStringList titles(const FleetTable& table) {
    QStringList texts;
    for (const auto& column : table.columns)
        texts << column.title;
    return texts;
}

QStringList line(const FleetTable& table, std::size_t row) {
    QStringList texts;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        texts << cellText(table, table.columns[i], table.rows.at(row).cells.at(i));
    return texts;
}

FleetAnswer answer(FleetKind kind, auto found) {
    FleetAnswer made;
    made.question.kind = kind;
    made.found = std::move(found);
    return made;
}

} // namespace

/// Answers formatted for people.
class FleetTableTest : public QObject {
    Q_OBJECT

    FakeFleet fleet_;

  private slots:
    void whatGrewHasBothSides() {
        const auto table = tableOf(answer(FleetKind::Grew, fleet_.grew));
        QCOMPARE(titles(table), (QStringList{"Owner", "Growth", "Before", "After", "Machines", "p", "p95 Before",
                                             "p95 After", "Process", "Table"}));
        QCOMPARE(line(table, 0), (QStringList{"app!leak", "+512.0 KB", "100.0 KB", "612.0 KB", "4 of 4", "< 0.0001",
                                              "120.0 KB", "900.0 KB", "app", "heap"}));
        QCOMPARE(line(table, 1)[5], "0.0123");
        QCOMPARE(table.rows[0].frames, (std::vector<std::string>{"libc.so!malloc", "app!leak", "app!main"}));
    }
    void countsHaveNoUnit() {
        auto counted = answer(FleetKind::Grew, fleet_.grew);
        counted.question.samples.measure = fleet::Measure::InuseObjects;
        QCOMPARE(line(tableOf(counted), 0)[1], "+524,288");
    }
    void decreasesHaveAMinusSign() {
        auto shrunk = fleet_.grew;
        shrunk.rows[0].growth = -1024;
        QCOMPARE(line(tableOf(answer(FleetKind::Grew, shrunk)), 0)[1], QString(QChar(0x2212)) + "1.0 KB");
    }
    void newStacksHaveOneSide() {
        const auto table = tableOf(answer(FleetKind::New, fleet_.appeared));
        QCOMPARE(line(table, 0), (QStringList{"app!cache", "128.0 KB", "256.0 KB", "3 of 4", "8", "helper", "heap"}));
        const auto gone = tableOf(answer(FleetKind::Gone, fleet_.appeared));
        QCOMPARE(line(gone, 0)[1], "0 B"); // the older build's
    }
    void slopesArePerHour() { QCOMPARE(line(tableOf(answer(FleetKind::Slope, fleet_.slopes)), 0)[1], "3.0 MB/h"); }
    void healthCountsLosses() {
        QCOMPARE(line(tableOf(answer(FleetKind::Health, fleet_.health)), 0),
                 (QStringList{"8123", "lab-1", "2", "1", "17", "0", "3", "4"}));
    }
    void runsSayWhenAndWhere() {
        auto runs = fleet_.runs;
        runs[0].facts.labels = {{"branch", "main"}, {"os", "12"}};
        runs[0].facts.resident = {{"app", 3 << 20, std::nullopt}, {"helper", 2 << 20, 4096}};
        const auto table = tableOf(answer(FleetKind::Runs, runs));
        QCOMPARE(line(table, 0), (QStringList{"2023-11-14 22:13:20 UTC", "8120", "lab-1", "nightly", "5.0 MB", "3.0 MB",
                                              "4.0 KB", "30.000 s", "0", "yes", "12", "/nobody/has/8120-lab-1.etl",
                                              "branch=main, os=12", "8120lab-1"}));
        runs[0].facts.recordedAt.reset();
        runs[0].facts.resident.pop_back();
        const auto unknown = line(tableOf(answer(FleetKind::Runs, runs)), 0);
        QCOMPARE(unknown[0], "");
        QCOMPARE(unknown.mid(5, 2), (QStringList{"3.0 MB", ""}));
    }
    void worstRunsSayWhereTheirRowsLie() {
        const FleetWorst worst{{}, fakeStack("app!leak", 1), fleet_.worst.runs};
        const auto table = tableOf(worst);
        QCOMPARE(line(table, 0).mid(0, 5), (QStringList{"lab-3", "8123", "900.0 KB", "1.000000 s", "29.000000 s"}));
    }
    void processesHaveNoStack() {
        auto found = answer(FleetKind::Grew, fleet_.grew);
        found.question.samples.measure = fleet::Measure::RssPeak;
        const auto table = tableOf(found);
        QCOMPARE(titles(table),
                 (QStringList{"Process", "Growth", "Before", "After", "Machines", "p", "p95 Before", "p95 After"}));
        QCOMPARE(line(table, 0), (QStringList{"app", "+512.0 KB", "100.0 KB", "612.0 KB", "4 of 4", "< 0.0001",
                                              "120.0 KB", "900.0 KB"}));
        QVERIFY(table.rows[0].frames.empty());
        FleetWorst worst{{}, {}, fleet_.worst.runs};
        worst.question.samples.measure = fleet::Measure::Held;
        const auto runs = tableOf(worst);
        QCOMPARE(titles(runs).mid(0, 4), (QStringList{"Machine", "Build", "Held Pages", "Recorded"}));
        QCOMPARE(line(runs, 0).mid(0, 4), (QStringList{"lab-3", "8123", "900.0 KB", "2023-11-16 22:13:20 UTC"}));
    }
    void rowsWithoutAStackSaySo() {
        auto none = fleet_.grew;
        none.rows[0].stack.owner.clear();
        none.rows[0].stack.frames.clear();
        QCOMPARE(line(tableOf(answer(FleetKind::Grew, none)), 0)[0], "(no stack)");
    }
    /// Labels of runs may contain anything.
    void labelsStayInTheirLine() {
        auto runs = fleet_.runs;
        runs[0].facts.build = "two\nlines'; DROP TABLE runs; --";
        const auto text = line(tableOf(answer(FleetKind::Runs, runs)), 0)[1];
        QVERIFY2(!text.contains('\n') && text.contains("DROP TABLE"), qPrintable(text));
    }
};

HIGHWATER_TEST(FleetTableTest);
#include "fleet_table_test.moc"
