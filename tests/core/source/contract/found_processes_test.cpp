#include "core/source/contract/found_processes.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <optional>

using namespace highwater::source;
using Pids = std::vector<std::uint32_t>;

class FoundProcessesTest : public QObject {
    Q_OBJECT

  private slots:
    void eachProcessIsTakenOnce() {
        std::optional<FoundProcesses> found(std::in_place);
        const auto take = found->taker();
        QCOMPARE(take(), Pids{});
        found->add(Pids{20, 30});
        found->add(Pids{10});
        QCOMPARE(take(), (Pids{20, 30, 10}));
        QCOMPARE(take(), Pids{});
        found->add(Pids{40});
        found.reset(); // the source ends before the thread that asks
        QCOMPARE(take(), Pids{40});
    }
};

HIGHWATER_TEST(FoundProcessesTest);
#include "found_processes_test.moc"
