#include "tests/support/test_registry.h"
#include "ui/format/time_format.h"
#include "ui/format/time_text.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;

class TimeTextTest : public QObject {
    Q_OBJECT
  private slots:
    void readsTimes_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("ns");
        QTest::newRow("seconds") << "14.2" << qint64{14'200'000'000};
        QTest::newRow("with unit") << " 14.2 s " << qint64{14'200'000'000};
        QTest::newRow("milliseconds") << "350 ms" << qint64{350'000'000};
        QTest::newRow("microseconds") << "12.5us" << qint64{12'500};
        QTest::newRow("as shown") << QStringLiteral("12.5 µs") << qint64{12'500};
        QTest::newRow("nanoseconds") << "850 ns" << qint64{850};
        QTest::newRow("thousands") << "1,234.5 s" << qint64{1'234'500'000'000};
        QTest::newRow("no whole") << ".5" << qint64{500'000'000};
        QTest::newRow("every digit") << "86400.000000001" << qint64{86'400'000'000'001};
        QTest::newRow("more zeros") << "1.0000000000" << qint64{1'000'000'000};
        QTest::newRow("own format") << formatExactTime(TraceTime{1'234'567'890'123}) << qint64{1'234'567'890'123};
    }
    void readsTimes() {
        QFETCH(QString, text);
        QFETCH(qint64, ns);
        QCOMPARE(parseNanoseconds(text), std::optional<std::int64_t>(ns));
    }
    void refusesInvalidTimes() {
        for (const auto* text : {"", "abc", "1.2.3", "1,23", "5 km", "-3", "0.0000000001", "99999999999999999999"}) {
            QVERIFY2(!parseNanoseconds(text), text);
        }
    }
    void readsTwoTimes() {
        const TimeRange wanted{{14'000'000'000}, {16'500'000'000}};
        for (const auto* text : {"14.0 16.5", "14.0-16.5", "14 s - 16.5 s", "14.0\t16.5", "14.0 s to 16.5 s",
                                 "14..16.5", "14000 ms; 16.5"}) {
            QVERIFY2(parseTimeRange(text) == wanted, text);
        }
        QVERIFY(parseTimeRange(QStringLiteral("14.000000000 s – 16.500000000 s")) == wanted);
        QVERIFY(!parseTimeRange("16.5 14.0")); // reversed
        QVERIFY(!parseTimeRange("14.0"));
        QVERIFY(!parseTimeRange("14.0 s"));
    }
};
HIGHWATER_TEST(TimeTextTest);
#include "time_text_test.moc"
