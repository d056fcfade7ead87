#include "core/agent_linux/stack_key_set.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;

class StackKeySetTest : public QObject {
    Q_OBJECT
  private slots:
    void knowsTheNewestKeysHoweverManyThereWere() {
        agent::StackKeySet keys{};
        constexpr std::uint64_t kMany = 1'000'000;
        for (std::uint64_t key = 1; key <= kMany; ++key) {
            if (keys.contains(key)) QFAIL(qPrintable(QString::number(key)));
            keys.insert(key);
            if (!keys.contains(key)) QFAIL(qPrintable(QString::number(key)));
        }
        QVERIFY(!keys.contains(1)); // it forgets all of them now and then, and does not grow for ever
        keys.release();
        QVERIFY(!keys.contains(kMany));
    }
};
HIGHWATER_TEST(StackKeySetTest);
#include "stack_key_set_test.moc"
