#include "core/export/table_look.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>

using namespace highwater;
using namespace highwater::exports;
using analysis::Aggregation, analysis::CellValue, analysis::Column;

/// Numbers and times in text for people, and wall clock times.
class TableLookTest : public QObject {
    Q_OBJECT

    static QString text(analysis::ValueColumn column, CellValue value, Units units = Units::Thousands) {
        return QString::fromStdString(readableText(column, value, {units, {}}));
    }
    static CellValue number(std::int64_t value) { return value; }
    static TraceProperties recordedAt(std::int64_t fileTime, std::int32_t biasMinutes) {
        TraceProperties properties;
        properties.startFileTime = fileTime;
        properties.biasMinutes = biasMinutes;
        return properties;
    }

  private slots:
    void amountsHaveSeparatorsOrUnits_data() {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("exact");
        QTest::addColumn<QString>("thousands");
        QTest::addColumn<QString>("automatic");
        QTest::newRow("0") << qint64{0} << "0"
                           << "0"
                           << "0 B";
        QTest::newRow("small") << qint64{999} << "999"
                               << "999"
                               << "999 B";
        QTest::newRow("1000") << qint64{1000} << "1000"
                              << "1,000"
                              << "1,000 B";
        QTest::newRow("MB") << qint64{132'120'576} << "132120576"
                            << "132,120,576"
                            << "126.0 MB";
        QTest::newRow("below a MB") << qint64{1'048'575} << "1048575"
                                    << "1,048,575"
                                    << "1.0 MB";
        QTest::newRow("negative") << qint64{-2'048} << "-2048"
                                  << "-2,048"
                                  << "-2.0 KB";
        QTest::newRow("least") << std::numeric_limits<qint64>::min() << "-9223372036854775808"
                               << "-9,223,372,036,854,775,808"
                               << "-8.0 EB";
    }
    void amountsHaveSeparatorsOrUnits() {
        QFETCH(qint64, bytes);
        QTEST(text(Column::Size, number(bytes), Units::Exact), "exact");
        QTEST(text(Column::Size, number(bytes), Units::Thousands), "thousands");
        QTEST(text(Column::Size, number(bytes), Units::Auto), "automatic");
    }
    void countsHaveNoUnit() { QCOMPARE(text(Column::Count, number(1'234'567), Units::Auto), QString("1,234,567")); }
    void numbersThatAreNamesStayAsTheyAre() {
        QCOMPARE(text(Column::Pid, number(4242)), QString("4242"));
        QCOMPARE(text(Column::Address, number(0x7ff600001000)), QString("0x7ff600001000"));
        QCOMPARE(text({Column::Thread, Aggregation::UniqueCount}, number(4242)), QString("4,242"));
    }
    void timesHaveAllDecimals() {
        QCOMPARE(text(Column::BeginTime, TraceTime{2'500'000'000}), QString("2.500000000"));
        QCOMPARE(text(Column::LifeTime, TraceTime{1}), QString("0.000000001"));
        QCOMPARE(text(Column::BeginTime, TraceTime{-1'000'000'001}), QString("-1.000000001"));
        QCOMPARE(text(Column::EndTime, kNever), QString());
        QCOMPARE(text(Column::BeginTime, kBeforeTrace), QString());
        QCOMPARE(text(Column::BeginTime, {}), QString());
    }
    void theClockIsLocalTimeOfTheRecording() {
        // 2024-02-29 23:59:59.9999999 UTC, in a zone two hours to the east.
        const auto clock = WallClock::of(recordedAt(133'537'247'999'999'999, -120));
        QVERIFY(clock.has_value());
        QCOMPARE(clock->text(TraceTime{0}), std::string("2024-03-01 01:59:59.9999999"));
        QCOMPARE(clock->text(TraceTime{199}), std::string("2024-03-01 02:00:00.0000000"));
        QCOMPARE(clock->text(TraceTime{-1}), std::string("2024-03-01 01:59:59.9999998"));
    }
    void theClockSaysItsZone() {
        const auto east = WallClock::of(recordedAt(133'537'247'999'999'999, -330));
        QCOMPARE(east->zone(), std::string("UTC+05:30"));
        QCOMPARE(east->withZone().text(TraceTime{0}), std::string("2024-03-01 05:29:59.9999999+05:30"));
        QCOMPARE(WallClock::of(recordedAt(133'537'247'999'999'999, 480))->zone(), std::string("UTC-08:00"));
        QCOMPARE(WallClock::of(recordedAt(133'537'247'999'999'999, 0))->zone(), std::string("UTC+00:00"));
    }
    void durationsAndTimesThatDoNotExistAreOnNoClock() {
        const TableLook look{Units::Exact, WallClock::of(recordedAt(133'537'247'999'999'999, 0))};
        QCOMPARE(readableText(Column::LifeTime, TraceTime{1'000'000'000}, look), std::string("1.000000000"));
        QCOMPARE(readableText(Column::EndTime, kNever, look), std::string());
        QVERIFY(readableText({Column::EndTime, Aggregation::Max}, TraceTime{0}, look).starts_with("2024-"));
    }
    void dataThatMakesNoSenseIsNoClock() {
        constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
        constexpr auto kLeastBias = std::numeric_limits<std::int32_t>::min();
        QVERIFY(!WallClock::of(recordedAt(0, 0)).has_value());
        QVERIFY(!WallClock::of(recordedAt(-1, 0)).has_value());
        QVERIFY(!WallClock::of(recordedAt(kLargest, 0)).has_value());
        QVERIFY(!WallClock::of(recordedAt(133'537'247'999'999'999, kLeastBias)).has_value());
    }
    void unitsAreKnownByTheirWords() {
        QCOMPARE(parseUnits("exact"), std::optional(Units::Exact));
        QCOMPARE(parseUnits("thousands"), std::optional(Units::Thousands));
        QCOMPARE(parseUnits("auto"), std::optional(Units::Auto));
        QCOMPARE(parseUnits("MB"), std::nullopt);
    }
};
HIGHWATER_TEST(TableLookTest);
#include "table_look_test.moc"
