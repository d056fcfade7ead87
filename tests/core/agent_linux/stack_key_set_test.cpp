#include "core/agent_linux/stack_key_set.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;

class StackKeySetTest : public QObject {
    Q_OBJECT
    static std::uint64_t callerOf(std::uint64_t key) { return key / 3 * 0x9E3779B97F4A7C15u; }

  private slots:
    void knowsTheNewestKeysHoweverManyThereWere() {
        agent::StackKeySet keys{};
        constexpr std::uint64_t kMany = 1'000'000;
        for (std::uint64_t key = 1; key <= kMany; ++key) {
            if (keys.contains(key, callerOf(key))) QFAIL(qPrintable(QString::number(key)));
            keys.insert(key, callerOf(key));
            if (!keys.contains(key, callerOf(key))) QFAIL(qPrintable(QString::number(key)));
        }
        QVERIFY(!keys.contains(1, callerOf(1))); // it discards all keys now and then, and does not grow without limit
        keys.release();
        QVERIFY(!keys.contains(kMany, callerOf(kMany)));
    }
    /// A function that allocates at more places than fit into one cache line, and callers that share a line.
    void knowsAllOfOneCaller() {
        for (const std::uint64_t callers : {1, 2}) {
            agent::StackKeySet keys{};
            constexpr std::uint64_t kStacks = 200; // fewer than it takes to discard
            for (std::uint64_t i = 1; i <= kStacks; ++i)
                keys.insert(i * 0x9E3779B97F4A7C15u, i % callers << 20);
            for (std::uint64_t i = 1; i <= kStacks; ++i)
                if (!keys.contains(i * 0x9E3779B97F4A7C15u, i % callers << 20)) QFAIL(qPrintable(QString::number(i)));
            QVERIFY(!keys.contains((kStacks + 1) * 0x9E3779B97F4A7C15u, 0));
        }
    }
};
HIGHWATER_TEST(StackKeySetTest);
#include "stack_key_set_test.moc"
