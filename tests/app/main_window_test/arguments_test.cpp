#include "app/arguments.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;

class ArgumentsTest : public QObject {
    Q_OBJECT
  private slots:
    void takesTracesAndAPicture() {
        const auto parsed = app::parseArguments({"a.etl", "--screenshot", "p.png", "--size", "1000x700", "b.etl"});
        QVERIFY(parsed.hasValue());
        QCOMPARE(parsed.value().traces, (QStringList{"a.etl", "b.etl"}));
        QCOMPARE(parsed.value().screenshot, "p.png");
        QCOMPARE(parsed.value().size, QSize(1000, 700));
    }
    void takesEverythingAfterTwoDashesAsAPath() {
        const auto parsed = app::parseArguments({"--", "--screenshot"});
        QVERIFY(parsed.hasValue());
        QCOMPARE(parsed.value().traces, QStringList{"--screenshot"});
    }
    void refusesWhatItDoesNotKnow() {
        QVERIFY(!app::parseArguments({"--nonsense"}).hasValue());
        QVERIFY(!app::parseArguments({"--screenshot"}).hasValue());
        QVERIFY(!app::parseArguments({"--size", "big"}).hasValue());
        QCOMPARE(app::parseArguments({"--size", "0x0"}).error().kind, ErrorKind::Usage);
    }
};
HIGHWATER_TEST(ArgumentsTest);
#include "arguments_test.moc"
