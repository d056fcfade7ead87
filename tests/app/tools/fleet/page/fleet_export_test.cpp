#include "app/tools/fleet/page/fleet_export.h"

#include "tests/app/tools/fleet/page/fake_fleet.h"
#include "tests/support/test_registry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace highwater;
using namespace highwater::app;
using namespace highwater::tests;
using namespace highwater::ui;

namespace {

QJsonObject jsonOf(auto found) {
    FleetAnswer answer;
    answer.found = std::move(found);
    return QJsonDocument::fromJson(QByteArray::fromStdString(exported(answer, FleetFormat::Json))).object();
}

} // namespace

class FleetExportTest : public QObject {
    Q_OBJECT

    FakeFleet fleet_;

  private slots:
    void whatGrewHasBothSides() {
        const auto row = jsonOf(fleet_.grew)["rows"].toArray()[0].toObject();
        QCOMPARE(row["owner"].toString(), "app!leak");
        QCOMPARE(row["from"].toObject()["median"].toInteger(), 102400);
        QCOMPARE(row["to"].toObject()["median"].toInteger(), 626688);
        QCOMPARE(row["stack"].toArray()[0].toString(), "libc.so!malloc");
    }
    void everyAnswerIsAFile() {
        QCOMPARE(jsonOf(fleet_.runs)["runs"].toArray().size(), 12);
        QCOMPARE(jsonOf(fleet_.slopes)["rows"].toArray().size(), 1);
        QCOMPARE(jsonOf(fleet_.health)["rows"].toArray()[0].toObject()["events_lost"].toInteger(), 17);
        const FleetWorst worst{{}, fakeStack("app!leak", 1), fleet_.worst.runs};
        const auto lines = QString::fromStdString(exported(worst, FleetFormat::Csv)).split('\n');
        QCOMPARE(lines.size(), 4); // titles, two runs, and nothing after the last line
        QVERIFY2(lines[1].startsWith("921600,8123,lab-3,app"), qPrintable(lines[1]));
    }
};

HIGHWATER_TEST(FleetExportTest);
#include "fleet_export_test.moc"
