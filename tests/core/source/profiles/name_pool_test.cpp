#include "core/source/profiles/name_pool.h"

#include "core/event/opcodes.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <string>
#include <utility>

using namespace highwater;
using source::NamePool;

class NamePoolTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsEachNameOnce() {
        NamePool pool;
        const auto first = pool.idOf("malloc"), second = pool.idOf("main");
        const auto bytes = pool.bytes();
        for (int i = 0; i < 1000; ++i)
            QCOMPARE(pool.idOf(std::string("mal") + "loc"), first);
        QVERIFY(first != second);
        QCOMPARE(pool.bytes(), bytes);
        QCOMPARE(pool.text(first), std::string_view("malloc"));
        QCOMPARE(pool.text(second), std::string_view("main"));
    }
    void theEmptyTextIs0() {
        NamePool pool;
        QCOMPARE(pool.idOf({}), source::NameId{0});
        QCOMPARE(pool.text(0), std::string_view());
    }
    void cutsWhatIsLongerThanRecordsHave() {
        NamePool pool;
        const std::string longer(kMostCodeNameBytes + 10, 'x');
        const auto id = pool.idOf(longer);
        QCOMPARE(pool.text(id), std::string_view(longer).substr(0, kMostCodeNameBytes));
        QCOMPARE(pool.idOf(longer.substr(1)), id);
    }
    void canBeMoved() {
        NamePool pool;
        for (int i = 0; i < 1000; ++i)
            (void)pool.idOf("name " + std::to_string(i));
        const auto id = pool.idOf("name 7");
        auto moved = std::move(pool);
        QCOMPARE(moved.text(id), std::string_view("name 7"));
        QCOMPARE(moved.idOf("name 7"), id);
        QCOMPARE(moved.size(), std::size_t{1001});
    }
};

HIGHWATER_TEST(NamePoolTest);
#include "name_pool_test.moc"
