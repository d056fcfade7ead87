#include "core/base/within_memory.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <thread>
#include <vector>

using namespace highwater;

class WithinMemoryTest : public QObject {
    Q_OBJECT
  private slots:
    void memoryThatRunsOutIsAnError() {
        QCOMPARE(withinMemory([]() -> Result<int> { return 7; }).value(), 7);
        const auto exhausted = withinMemory([]() -> Result<int> { throw std::bad_alloc(); });
        QVERIFY(!exhausted.hasValue());
        QVERIFY(exhausted.error().message.find("ran out of memory") != std::string::npos);
        const auto absurd = withinMemory([]() -> Result<void> {
            std::vector<int> none;
            none.reserve(none.max_size() + std::size_t{1});
            return {};
        });
        QVERIFY(!absurd.hasValue());
    }
    void whatWorkersThrowReachesTheirCaller() {
        FirstException failure;
        failure.rethrow(); // nothing yet
        {
            std::vector<std::jthread> workers;
            for (int i = 0; i < 4; ++i)
                workers.emplace_back([&] { failure.guard([] { throw std::bad_alloc(); }); });
        }
        QVERIFY_EXCEPTION_THROWN(failure.rethrow(), std::bad_alloc);
    }
};

HIGHWATER_TEST(WithinMemoryTest);
#include "within_memory_test.moc"
