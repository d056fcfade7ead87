#include "core/base/enum_table.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <cstdint>

using namespace highwater;

namespace {

enum class Fruit : std::uint8_t { Apple, Pear, Plum };

struct Price {
    Fruit fruit = Fruit::Apple;
    int cents = 0;
};

constexpr std::array kComplete{Price{Fruit::Apple, 30}, Price{Fruit::Pear, 40}, Price{Fruit::Plum, 10}};
constexpr std::array kWithoutTheLast{Price{Fruit::Apple, 30}, Price{Fruit::Pear, 40}};
constexpr std::array kWithoutTheFirst{Price{Fruit::Pear, 40}, Price{Fruit::Plum, 10}};
constexpr std::array kInAnotherOrder{Price{Fruit::Pear, 40}, Price{Fruit::Apple, 30}, Price{Fruit::Plum, 10}};
constexpr std::array<Price, 3> kNotFilled{Price{Fruit::Apple, 30}, Price{Fruit::Pear, 40}};

} // namespace

class EnumTableTest : public QObject {
    Q_OBJECT
  private slots:
    void countsEnumerators() {
        QCOMPARE(enumeratorCount<Fruit>(), std::size_t{3});
        QVERIFY(isEnumerator<Fruit::Plum>());
        QVERIFY(!isEnumerator<static_cast<Fruit>(3)>());
    }
    void isCompleteWithEachEnumeratorAtItsPlace() {
        QVERIFY(isEnumTable<&Price::fruit>(kComplete));
        QVERIFY(!isEnumTable<&Price::fruit>(kWithoutTheLast));
        QVERIFY(!isEnumTable<&Price::fruit>(kWithoutTheFirst));
        QVERIFY(!isEnumTable<&Price::fruit>(kInAnotherOrder));
        QVERIFY(!isEnumTable<&Price::fruit>(kNotFilled));
    }
};
HIGHWATER_TEST(EnumTableTest);
#include "enum_table_test.moc"
