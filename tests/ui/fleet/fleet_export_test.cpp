#include "ui/state/fleet/fleet_export.h"

#include "tests/support/test_registry.h"
#include "tests/ui/fleet/fake_fleet.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

namespace {

FleetTable grewTable(const FakeFleet& fleet) {
    FleetAnswer answer;
    answer.found = fleet.grew;
    return tableOf(answer);
}

FleetTable runsTable(std::vector<fleet::RunRow> runs) {
    FleetAnswer answer;
    answer.question.kind = FleetKind::Runs;
    answer.found = std::move(runs);
    return tableOf(answer);
}

QJsonArray rowsOf(const std::string& json) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(json))["rows"].toArray();
}

} // namespace

class FleetExportTest : public QObject {
    Q_OBJECT

    FakeFleet fleet_;

  private slots:
    void csvHasPlainNumbersAndTheStackRootFirst() {
        const auto lines = QString::fromStdString(exported(grewTable(fleet_), FleetFormat::Csv)).split('\n');
        QCOMPARE(lines[0], "Owner,Process,Table,Growth,Before,After,p95 Before,p95 After,Machines,p,Stack");
        QCOMPARE(lines[1], "app!leak,app,heap,524288,102400,626688,122880,921600,4 of 4,1e-05,"
                           "app!main;app!leak;libc.so!malloc");
    }
    void jsonHasBothSidesAsObjects() {
        const auto row = rowsOf(exported(grewTable(fleet_), FleetFormat::Json))[0].toObject();
        QCOMPARE(row["owner"].toString(), "app!leak");
        QCOMPARE(row["from"].toObject()["median"].toInteger(), 102400);
        QCOMPARE(row["to"].toObject()["median"].toInteger(), 626688);
        QCOMPARE(row["to"].toObject()["machines_with"].toInteger(), 4);
        QCOMPARE(row["growth"].toInteger(), 524288);
        QCOMPARE(row["p"].toDouble(), 0.00001);
        QCOMPARE(row["stack"].toArray()[0].toString(), "libc.so!malloc"); // innermost first
    }
    void timesAreSeconds() {
        const auto row = rowsOf(exported(runsTable(fleet_.runs), FleetFormat::Json))[0].toObject();
        QCOMPARE(row["duration"].toDouble(), 30.0);
        QCOMPARE(row["whole"].toBool(), true);
        QCOMPARE(row["recorded"].toString(), "2023-11-14 22:13:20 UTC");
        QVERIFY(!row.contains("stack"));
    }
    /// Labels are whatever somebody wrote.
    void whatIsHostileStaysAField() {
        auto runs = fleet_.runs;
        runs[0].facts.build = "a \"quote\", and\na line";
        const auto csv = QString::fromStdString(exported(runsTable(runs), FleetFormat::Csv)).split('\n');
        QCOMPARE(csv.size(), static_cast<int>(runs.size()) + 2); // titles, and nothing behind the last line
        QVERIFY2(csv[1].contains("\"a \"\"quote\"\", and"), qPrintable(csv[1]));
        const auto row = rowsOf(exported(runsTable(runs), FleetFormat::Json))[0].toObject();
        QCOMPARE(row["build"].toString(), "a \"quote\", and\na line");
    }
    void nothingIsNull() {
        auto runs = fleet_.runs;
        runs[0].facts.scenario.clear();
        QVERIFY(rowsOf(exported(runsTable(runs), FleetFormat::Json))[0].toObject()["scenario"].isNull());
    }
};

HIGHWATER_TEST(FleetExportTest);
#include "fleet_export_test.moc"
