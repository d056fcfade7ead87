#include "core/store/published/allocation_table.h"
#include "core/store/published/stack_table.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <memory>

using namespace highwater;
using namespace highwater::store;

class AllocationTableTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsWideSizesAndAddresses() {
        const auto table = std::make_unique<AllocationTable>();
        RowId row = 0;
        QVERIFY(table->begin(TraceTime{1}, 0x7ff6'1234'5678, 40, SiteId{3}, row));
        QVERIFY(table->begin(TraceTime{2}, 0xFFFF'8000'0000'1000, 0x1'0000'0000, SiteId{4}, row));
        QVERIFY(table->begin(TraceTime{2}, 0xFFFF'1234'5678, 0xFFFF'FFFF, SiteId{4}, row));
        QCOMPARE(table->address(0), Address{0x7ff6'1234'5678});
        QCOMPARE(table->address(1), Address{0xFFFF'8000'0000'1000});
        QCOMPARE(table->address(2), Address{0xFFFF'1234'5678});
        QCOMPARE(table->size(0), ByteCount{40});
        QCOMPARE(table->size(1), ByteCount{0x1'0000'0000});
        QCOMPARE(table->size(2), ByteCount{0xFFFF'FFFF});
    }
    void skipsSpansThatEndedBeforeTheInterval() {
        const auto table = std::make_unique<AllocationTable>();
        RowId row = 0;
        QVERIFY(table->begin(TraceTime{10}, 0x1000, 1, SiteId{}, row));
        QVERIFY(!table->spanIsOutside(0, {TraceTime{50}, TraceTime{60}})); // still outstanding
        table->end(row, TraceTime{20}, SiteId{});
        QVERIFY(table->spanIsOutside(0, {TraceTime{50}, TraceTime{60}}));
        QVERIFY(table->spanIsOutside(0, {TraceTime{0}, TraceTime{10}}));
        QVERIFY(!table->spanIsOutside(0, {TraceTime{15}, TraceTime{60}}));
    }
    void ordersEventsAsBitsWithPeaksPerBlock() {
        const auto table = std::make_unique<AllocationTable>();
        for (int i = 0; i < 100; ++i) {
            RowId row = 0;
            QVERIFY(table->begin(TraceTime{i}, 0x1000, 10, SiteId{}, row));
            if (i % 2 == 1) table->end(row - 1, TraceTime{i}, SiteId{});
        }
        const auto& order = table->order();
        QCOMPARE(order.eventCount(), std::uint64_t{150});
        QCOMPARE(order.bits(0) & 0xF, std::uint64_t{0b1011}); // begin, begin, end, begin
        QCOMPARE(order.peaks(0).size(), std::uint64_t{2});
        // Each pair adds 10: after 21 pairs (63 events, level 210) the 64th event begins a row.
        QCOMPARE(order.peaks(0)[0], SignedByteCount{220});
        QCOMPARE(order.blocks()[1].levelBefore, SignedByteCount{220});
        QCOMPARE(order.blocks()[1].firstRow, RowId{43});
        QCOMPARE(order.blocks()[1].firstEnd, 21u);
    }
    void internsEachStackOnceAndKeepsPromises() {
        StackTable stacks;
        const Address inner[] = {0x30, 0x20, 0x10};
        const Address outer[] = {0x20, 0x10};
        const StackRoot root{ProcessIndex{7}, 0};
        const auto a = stacks.intern(root, inner);
        QCOMPARE(stacks.intern(root, inner), a);
        QVERIFY(stacks.intern(root, outer) != a);
        QVERIFY(stacks.intern(StackRoot{ProcessIndex{8}, 0}, inner) != a);
        const auto leaf = stacks.leaf(a, 0);
        QCOMPARE(stacks.node(leaf).address, Address{0x30});
        QCOMPARE(stacks.node(leaf).depth, 3u);
        QCOMPARE(stacks.node(stacks.node(leaf).parent).address, Address{0x20});
        const auto promised = stacks.internDeferred(root, 5);
        QCOMPARE(stacks.internDeferred(root, 5), promised);
        QCOMPARE(stacks.leaf(promised, 0), FrameNodeId{0});
        stacks.resolveDeferred(5, inner);
        QCOMPARE(stacks.leaf(promised, 0), FrameNodeId{0}); // published before the promise was kept
        QCOMPARE(stacks.leaf(promised, stacks.revision()), leaf);
    }
};
HIGHWATER_TEST(AllocationTableTest);
#include "allocation_table_test.moc"
