#include "core/analysis/query/number_condition.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>

using namespace highwater;
using namespace highwater::analysis;

namespace {
constexpr std::int64_t kMB = 1 << 20;
constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();

bool holds(ValueKind kind, NumberOperator op, std::string_view literal, std::int64_t value) {
    const auto condition = NumberCondition::create(kind, op, literal);
    return condition.hasValue() && condition.value().matches(value);
}
std::string failure(ValueKind kind, std::string_view literal) {
    const auto condition = NumberCondition::create(kind, NumberOperator::Equals, literal);
    return condition.hasValue() ? "" : condition.error().message;
}
} // namespace

class NumberConditionTest : public QObject {
    Q_OBJECT
  private slots:
    void comparesExactly() {
        using enum NumberOperator;
        for (const auto value :
             {kLowest, std::int64_t{-1}, std::int64_t{0}, 20 * kMB - 1, 20 * kMB, 20 * kMB + 1, kHighest}) {
            QCOMPARE(holds(ValueKind::Bytes, Equals, "20MB", value), value == 20 * kMB);
            QCOMPARE(holds(ValueKind::Bytes, Less, "20mb", value), value < 20 * kMB);
            QCOMPARE(holds(ValueKind::Bytes, LessOrEqual, "20480KB", value), value <= 20 * kMB);
            QCOMPARE(holds(ValueKind::Bytes, Greater, "20971520", value), value > 20 * kMB);
            QCOMPARE(holds(ValueKind::Bytes, GreaterOrEqual, "20971520B", value), value >= 20 * kMB);
            QCOMPARE(holds(ValueKind::SignedBytes, Less, "-1B", value), value < -1);
            QCOMPARE(holds(ValueKind::SignedBytes, Greater, "-1", value), value > -1);
        }
    }
    void takesDecimalsToTheLastByte() {
        using enum NumberOperator;
        QVERIFY(!holds(ValueKind::Bytes, Less, "0.5GB", 512 * kMB));
        QVERIFY(holds(ValueKind::Bytes, Less, "0.5GB", 512 * kMB - 1));
        // 0.1 KB is 102.4 bytes.
        QVERIFY(holds(ValueKind::Bytes, Greater, ".1KB", 103));
        QVERIFY(!holds(ValueKind::Bytes, GreaterOrEqual, "0.1KB", 102));
        QVERIFY(holds(ValueKind::Bytes, LessOrEqual, "0.1KB", 102));
        QVERIFY(holds(ValueKind::Bytes, Less, "0.1KB", 102));
        QVERIFY(!holds(ValueKind::Bytes, LessOrEqual, "0.1KB", 103));
        QVERIFY(holds(ValueKind::SignedBytes, Less, "-0.1KB", -103));
        QVERIFY(!holds(ValueKind::SignedBytes, Less, "-0.1KB", -102));
        QVERIFY(holds(ValueKind::Bytes, Greater, "0." + std::string(60, '9') + "B", 1));
        QVERIFY(!holds(ValueKind::Bytes, Greater, "0." + std::string(60, '9') + "B", 0));
    }
    void takesTimesInSecondsUnlessToldOtherwise() {
        using enum NumberOperator;
        QVERIFY(holds(ValueKind::Time, Greater, "2", 2'000'000'001));
        QVERIFY(!holds(ValueKind::Time, Greater, "2s", 2'000'000'000));
        QVERIFY(holds(ValueKind::Duration, Greater, "5ms", 5'000'001));
        QVERIFY(holds(ValueKind::Duration, Less, "1us", 999));
        QVERIFY(holds(ValueKind::Duration, Less, "1\u00b5s", 999));
        QVERIFY(holds(ValueKind::Duration, Equals, "1.0ns", 1) && !holds(ValueKind::Duration, Equals, "1.5ns", 1));
        QVERIFY(holds(ValueKind::Duration, Equals, "2min", 120'000'000'000));
    }
    void roundsEqualityToTheDigitsOfADecimal() {
        using enum NumberOperator;
        QVERIFY(holds(ValueKind::Duration, Equals, "4.5ms", 4'450'000));
        QVERIFY(holds(ValueKind::Duration, Equals, "4.5ms", 4'550'000));
        QVERIFY(!holds(ValueKind::Duration, Equals, "4.5ms", 4'449'999));
        QVERIFY(!holds(ValueKind::Duration, Equals, "4.50ms", 4'450'000));
        QVERIFY(holds(ValueKind::Duration, Equals, "4.50ms", 4'504'000));
        QVERIFY(!holds(ValueKind::Duration, Equals, "4ms", 4'000'001));
        QVERIFY(holds(ValueKind::SignedBytes, Equals, "-1.0KB", -1000));
        QVERIFY(holds(ValueKind::SignedBytes, Equals, "0.0KB", -51) &&
                holds(ValueKind::SignedBytes, Equals, "0.0KB", 51));
        QVERIFY(!holds(ValueKind::SignedBytes, Equals, "0.0KB", 52));
        QVERIFY(holds(ValueKind::SignedBytes, Equals, "10.0KB", 10'189) &&
                holds(ValueKind::SignedBytes, Equals, "10.0KB", 10'291));
        QVERIFY(!holds(ValueKind::SignedBytes, Equals, "10.0KB", 10'188) &&
                !holds(ValueKind::SignedBytes, Equals, "10.0KB", 10'292));
    }
    void comparesAddressesWithoutSign() {
        using enum NumberOperator;
        constexpr auto kKernel = static_cast<std::int64_t>(0xFFFF'8000'0000'1000);
        QVERIFY(holds(ValueKind::Hex, Greater, "0x7fffffffffff", kKernel));
        QVERIFY(holds(ValueKind::Hex, Equals, "0xFFFF800000001000", kKernel));
        QVERIFY(holds(ValueKind::Hex, Equals, "4096", 0x1000));
        QVERIFY(!holds(ValueKind::Hex, Greater, "0xffffffffffffffff", -1));
        QVERIFY(!holds(ValueKind::Hex, Less, "0", 0));
        QVERIFY(holds(ValueKind::Count, Equals, "0x10", 16));
    }
    void saysWhatIsWrong() {
        for (const auto* text :
             {"", "MB", ".", "5.", "1,5", "1e5", "--1", "1-1", "1.2.3", "0x", "0xg", "1MBs", "abc", "1..2"}) {
            QVERIFY2(failure(ValueKind::Bytes, text).find("is not a number") != std::string::npos, text);
            QVERIFY2(failure(ValueKind::Count, text).find("is not a number") != std::string::npos, text);
        }
        QVERIFY(failure(ValueKind::Bytes, "5ms").find("unit ms cannot be used") != std::string::npos);
        QVERIFY(failure(ValueKind::Time, "5KB").find("unit KB cannot be used") != std::string::npos);
        QVERIFY(failure(ValueKind::Count, "5kb").find("no unit") != std::string::npos);
        QVERIFY(failure(ValueKind::Hex, "-5").find("never negative") != std::string::npos);
        QVERIFY(failure(ValueKind::Bytes, "99999999999999TB").find("too large") != std::string::npos);
        QVERIFY(failure(ValueKind::Bytes, std::string(5000, '9')).find("too large") != std::string::npos);
        QVERIFY(failure(ValueKind::Hex, "0x10000000000000000").find("too large") != std::string::npos);
    }
};
HIGHWATER_TEST(NumberConditionTest);
#include "number_condition_test.moc"
