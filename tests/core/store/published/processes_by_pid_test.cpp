#include "core/store/published/processes_by_pid.h"

#include "tests/support/test_registry.h"
#include "tests/support/work_ratio.h"

#include <QTest>

#include <random>
#include <string>

using namespace highwater;
using namespace highwater::store;

namespace {

void addInstance(store::ProcessTable& table, std::uint32_t pid, TraceTime start) {
    ProcessEvent event;
    event.time = start;
    event.pid = pid;
    event.name = std::to_string(table.processes().size());
    std::optional<ProcessIndex> ended;
    table.apply(event, ended);
}

/// The last instance in the table that had started, otherwise the first.
std::optional<ProcessIndex> instanceByRecount(const store::ProcessTable& table, std::uint32_t pid, TraceTime time) {
    std::optional<ProcessIndex> found;
    for (std::uint32_t i = 0; i < table.processes().size(); ++i) {
        const auto& process = table.processes()[i];
        if (process.pid == pid && (!found || process.start <= time)) found = ProcessIndex{i};
    }
    return found;
}

} // namespace

/// Which process had a pid at some time.
class ProcessesByPidTest : public QObject {
    Q_OBJECT
  private slots:
    void anInstanceIsFoundAsByARecount() {
        for (unsigned seed = 1; seed <= 500; ++seed) {
            std::mt19937 random(seed);
            store::ProcessTable table;
            for (auto left = random() % 20; left > 0; --left) // not in order, as in merged sessions
                addInstance(table, static_cast<std::uint32_t>(random() % 3),
                            TraceTime{static_cast<std::int64_t>(random() % 40)});
            const ProcessesByPid instances(table);
            for (std::uint32_t pid = 0; pid < 4; ++pid) {
                for (std::int64_t time = -1; time <= 41; ++time)
                    QVERIFY2(instances.at(pid, {time}) == instanceByRecount(table, pid, {time}),
                             qPrintable(QStringLiteral("seed %1, pid %2, time %3").arg(seed).arg(pid).arg(time)));
            }
        }
    }
    void aPidMayHaveManyInstances() {
        std::uint64_t found = 0;
        const auto ratio = tests::workRatio(1000, [&](std::size_t count) {
            store::ProcessTable table;
            for (std::size_t i = 0; i < count; ++i)
                addInstance(table, 7, TraceTime{static_cast<std::int64_t>(i)});
            const ProcessesByPid instances(table);
            for (std::size_t i = 0; i < count; ++i)
                found += instances.at(7, {static_cast<std::int64_t>(i)})->value;
        });
        QVERIFY(found > 0);
        QVERIFY2(ratio < tests::kMostWorkRatio, qPrintable(QString::number(ratio)));
    }
};
HIGHWATER_TEST(ProcessesByPidTest);
#include "processes_by_pid_test.moc"
