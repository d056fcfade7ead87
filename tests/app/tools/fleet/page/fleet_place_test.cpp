#include "app/tools/fleet/page/fleet_place.h"

#include "tests/support/test_registry.h"

#include <QDir>
#include <QTest>

using namespace highwater;
using namespace highwater::app;

class FleetPlaceTest : public QObject {
    Q_OBJECT
  private slots:
    void aFileIsWhereverOneIs() {
        QCOMPARE(placeOf("/data/fleet.sqlite").address, "/data/fleet.sqlite");
        QCOMPARE(placeOf(" fleet.sqlite ").address, QDir::current().absoluteFilePath("fleet.sqlite").toStdString());
        QCOMPARE(placeOf("~/fleet.sqlite").address, (QDir::homePath() + "/fleet.sqlite").toStdString());
        QCOMPARE(placeOf("file:///data/my%20fleet.sqlite").address, "/data/my fleet.sqlite");
        QVERIFY(placeOf("").address.empty());
    }
    void aServerKeepsItsAddress() {
        const auto place = placeOf("ClickHouse://lab:8123/runs");
        QCOMPARE(place.address, "clickhouse://lab:8123/runs");
        QVERIFY(place.user.empty() && place.password.empty());
        QVERIFY(isServer(place) && !isServer(placeOf("/a/clickhouse.sqlite")));
    }
    void aFleetIsKnownByTheNameOfItsFile() {
        QVERIFY(isFleetFile("/a/fleet.sqlite") && isFleetFile("FLEET.SQLITE") && isFleetFile("a.db"));
        QVERIFY(!isFleetFile("/a.sqlite/trace.etl") && !isFleetFile("sqlite") && !isFleetFile(""));
        QVERIFY(fleetFileFilter().contains("*.sqlite "));
    }
    /// Addresses are remembered and shown; passwords are not.
    void aPasswordIsTakenOutOfTheAddress() {
        const auto place = placeOf("clickhouses://me:p%40ss@word@lab:8443/runs");
        QCOMPARE(place.address, "clickhouses://lab:8443/runs");
        QCOMPARE(place.user, "me");
        QCOMPARE(place.password, "p@ss@word");
        QCOMPARE(placeOf("clickhouse://me@lab/runs").user, "me");
    }
    void anAtInTheDatabaseIsNotAUser() {
        const auto place = placeOf("clickhouse://lab:8123/runs@home");
        QCOMPARE(place.address, "clickhouse://lab:8123/runs@home");
        QVERIFY(place.user.empty());
    }
};

HIGHWATER_TEST(FleetPlaceTest);
#include "fleet_place_test.moc"
