#include "core/analysis/leaks/freed_on_exit.h"

#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

constexpr ByteCount kKilo = 1 << 10;

struct Freed {
    std::int64_t time = 0;
    ByteCount bytes = 0;
};

/// A process that requests 1000 KB in its first 100 ns, frees parts of it, in order of time, and exits at 1000.
std::optional<FreedOnExit> exitAfter(const std::vector<Freed>& freed) {
    ColumnsBuilder builder;
    builder.process("a.exe", 7, TraceTime{0});
    ModelRow row;
    row.heap = 0x10000;
    row.stack = "main;a";
    std::vector<std::size_t> blocks;
    ByteCount rest = 1000 * kKilo;
    const auto take = [&](ByteCount bytes) {
        row.begin = TraceTime{10 + static_cast<std::int64_t>(blocks.size())};
        row.address += 0x1000000;
        row.size = bytes;
        blocks.push_back(builder.alloc(row));
    };
    for (const auto& one : freed) {
        take(one.bytes);
        rest -= one.bytes;
    }
    take(rest);
    for (std::size_t i = 0; i < freed.size(); ++i) {
        ModelRelease release;
        release.time = TraceTime{freed[i].time};
        release.stack = row.stack;
        builder.end(blocks[i], release);
    }
    builder.endProcess(0, TraceTime{1000});
    const auto trace = builder.publish(TraceTime{1100});
    LeakQuery query;
    query.interval = trace->wholeRange();
    return freedOnExit(trace, std::make_shared<FrameLabels>(), query);
}

} // namespace

class FreedOnExitTest : public QObject {
    Q_OBJECT
  private slots:
    void namesTheProcessAndItsMemoryShortlyBefore() {
        const auto found = exitAfter({{990, 800 * kKilo}});
        QVERIFY(found.has_value());
        QCOMPARE(found->table, Table::Heap);
        QCOMPARE(found->process, std::string("a.exe"));
        QCOMPARE(found->index, ProcessIndex{0});
        QCOMPARE(found->bytes, 1000 * kKilo);
        QCOMPARE(found->range, (TimeRange{TraceTime{0}, TraceTime{980}}));
    }
    void aQuarterIsKeptAtMost() {
        QVERIFY(exitAfter({{990, 750 * kKilo}}));
        QVERIFY(!exitAfter({{990, 740 * kKilo}}));
        QVERIFY(!exitAfter({}));
    }
    /// 250 KB are more than a quarter of the 920 KB that were outstanding shortly before the exit, but not of the 1000
    /// KB somewhat earlier.
    void theQuarterIsThatOfTheAmountSaid() {
        const auto found = exitAfter({{970, 80 * kKilo}, {990, 670 * kKilo}});
        QVERIFY(found.has_value());
        QCOMPARE(found->bytes, 1000 * kKilo);
        QCOMPARE(found->range.end, TraceTime{950});
    }
    void whatWasFreedMuchEarlierIsNotFreedOnExit() { QVERIFY(!exitAfter({{400, 990 * kKilo}})); }
};

HIGHWATER_TEST(FreedOnExitTest);
#include "freed_on_exit_test.moc"
