#include "core/etl/time_zone.h"
#include "tests/support/test_registry.h"

#include <QDateTime>
#include <QTest>
#include <QTimeZone>

#include <array>
#include <cstring>
#include <random>

using namespace highwater;
using namespace highwater::etl;

namespace {

/// A date without a year: the `day`th such weekday of the month (0 is Sunday; 5: the last), at an hour.
struct Rule {
    std::uint16_t month = 0, dayOfWeek = 0, day = 0, hour = 0;
};

struct Zone {
    std::int32_t bias = 0;
    std::int32_t standardBias = 0;
    std::int32_t daylightBias = -60;
    Rule standard;
    Rule daylight;

    [[nodiscard]] std::array<std::byte, kTimeZoneBytes> bytes() const {
        std::array<std::byte, kTimeZoneBytes> out{};
        const auto put = [&out](std::size_t at, auto value) { std::memcpy(out.data() + at, &value, sizeof(value)); };
        const auto putRule = [&put](std::size_t at, const Rule& rule) {
            put(at + 2, rule.month);
            put(at + 4, rule.dayOfWeek);
            put(at + 6, rule.day);
            put(at + 8, rule.hour);
        };
        put(0, bias);
        putRule(68, standard);
        put(84, standardBias);
        putRule(152, daylight);
        put(168, daylightBias);
        return out;
    }
};

// As Windows defines them.
constexpr Zone kBerlin{-60, 0, -60, {10, 0, 5, 3}, {3, 0, 5, 2}};
constexpr Zone kNewYork{300, 0, -60, {11, 0, 1, 2}, {3, 0, 2, 2}};
constexpr Zone kSydney{-600, 0, -60, {4, 0, 1, 3}, {10, 0, 1, 2}};
constexpr Zone kKolkata{-330, 0, -60, {}, {}};

std::int64_t fileTime(const QDateTime& time) { return (time.toSecsSinceEpoch() + 11'644'473'600) * 10'000'000; }

std::int32_t biasIn(const Zone& zone, const QDateTime& time) { return biasAt(zone.bytes(), fileTime(time)); }

QDateTime utc(const char* text) {
    return QDateTime::fromString(QString::fromLatin1(text) + QLatin1Char('Z'), Qt::ISODate);
}

} // namespace

class TimeZoneTest : public QObject {
    Q_OBJECT
  private slots:
    void winterAndSummerDiffer() {
        QCOMPARE(biasIn(kBerlin, utc("2024-01-15T12:00:00")), -60);
        QCOMPARE(biasIn(kBerlin, utc("2024-07-15T12:00:00")), -120);
        QCOMPARE(biasIn(kSydney, utc("2024-01-15T12:00:00")), -660);
        QCOMPARE(biasIn(kSydney, utc("2024-07-15T12:00:00")), -600);
        QCOMPARE(biasIn(kKolkata, utc("2024-07-15T12:00:00")), -330);
    }
    void changesAtItsMinute() {
        QCOMPARE(biasIn(kBerlin, utc("2024-03-31T00:59:59")), -60);
        QCOMPARE(biasIn(kBerlin, utc("2024-03-31T01:00:00")), -120);
        QCOMPARE(biasIn(kBerlin, utc("2024-10-27T00:59:59")), -120);
        QCOMPARE(biasIn(kBerlin, utc("2024-10-27T01:00:00")), -60);
    }
    /// Qt has another source for time zones.
    void agreesWithQt_data() {
        QTest::addColumn<int>("zone");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("Berlin") << 0 << QByteArray("Europe/Berlin");
        QTest::newRow("New York") << 1 << QByteArray("America/New_York");
        QTest::newRow("Sydney") << 2 << QByteArray("Australia/Sydney");
        QTest::newRow("Kolkata") << 3 << QByteArray("Asia/Kolkata");
    }
    void agreesWithQt() {
        QFETCH(int, zone);
        QFETCH(QByteArray, name);
        const QTimeZone known(name);
        if (!known.isValid()) QSKIP("This system has no data of time zones.");
        const std::array zones{kBerlin, kNewYork, kSydney, kKolkata};
        std::mt19937_64 random(7);
        // Since the present rules.
        std::uniform_int_distribution<std::int64_t> seconds(utc("2009-01-01T00:00:00").toSecsSinceEpoch(),
                                                            utc("2030-01-01T00:00:00").toSecsSinceEpoch());
        for (int i = 0; i < 2000; ++i) {
            const auto time = QDateTime::fromSecsSinceEpoch(seconds(random), Qt::UTC);
            const auto expected = -known.offsetFromUtc(time) / 60;
            const auto actual = biasIn(zones[static_cast<std::size_t>(zone)], time);
            QVERIFY2(actual == expected, qPrintable(time.toString(Qt::ISODate)));
        }
    }
    void datesThatMakeNoSenseMeanNone() {
        const auto summer = utc("2024-07-15T12:00:00");
        for (const Rule& wrong :
             {Rule{13, 0, 5, 2}, Rule{3, 7, 5, 2}, Rule{3, 0, 6, 2}, Rule{3, 0, 0, 2}, Rule{3, 0, 5, 24}}) {
            auto zone = kBerlin;
            zone.daylight = wrong;
            QCOMPARE(biasIn(zone, summer), -60);
        }
        QCOMPARE(biasAt(kBerlin.bytes(), 0), -60);
        QCOMPARE(biasAt(kBerlin.bytes(), std::numeric_limits<std::int64_t>::min()), -60);
        QCOMPARE(biasAt(kBerlin.bytes(), std::numeric_limits<std::int64_t>::max()), -60);
    }
    void survivesGarbage() {
        std::mt19937_64 random(3);
        for (int i = 0; i < 20000; ++i) {
            std::array<std::byte, kTimeZoneBytes> bytes{};
            for (auto& byte : bytes)
                byte = static_cast<std::byte>(random() % (i % 2 == 0 ? 256 : 4));
            (void)biasAt(bytes, static_cast<std::int64_t>(random()));
            (void)biasAt(bytes, fileTime(utc("2024-07-15T12:00:00")));
        }
        Zone extreme{std::numeric_limits<std::int32_t>::min(), -1, -1, {}, {}};
        QCOMPARE(biasIn(extreme, utc("2024-07-15T12:00:00")), std::numeric_limits<std::int32_t>::min());
    }
};
HIGHWATER_TEST(TimeZoneTest);
#include "time_zone_test.moc"
