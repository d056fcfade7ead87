#include "core/store/published/allocation_table.h"
#include "core/store/published/stack_table.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>
#include <vector>

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
    /// Against a plain list of the same times.
    void keepsTimesThatRise_data() {
        QTest::addColumn<std::int64_t>("step");
        for (const std::int64_t step : {std::int64_t{0}, std::int64_t{900}, std::int64_t{60'000'000},
                                        std::int64_t{200'000'000}, std::int64_t{5'000'000'000}})
            QTest::addRow("%lld ns", static_cast<long long>(step)) << step;
    }
    void keepsTimesThatRise() {
        QFETCH(std::int64_t, step);
        std::mt19937 random(static_cast<unsigned>(step));
        RisingTimes times(1u << 20, 1u << 20);
        std::vector<std::int64_t> expected;
        std::int64_t now = random() % 2 == 0 ? -5'000'000'000 : 70;
        for (int i = 0; i < 200'000; ++i) {
            if (step > 0) now += static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * step));
            const bool isOlder = i < 100 || random() % 50 == 0 || (i > 5'000 && i < 5'200);
            const auto time = isOlder ? kBeforeTrace : TraceTime{now};
            expected.push_back(time.ns);
            QVERIFY(times.makeRoom() && times.prepare(time));
            times.appendInRoom(time);
        }
        QCOMPARE(times.size(), std::uint64_t{200'000});
        QVERIFY(times.isWhole());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (times[i].ns != expected[i] || times.isBeforeTrace(i) != (expected[i] == kBeforeTrace.ns))
                QFAIL(qPrintable(QString("row %1: %2, not %3").arg(i).arg(times[i].ns).arg(expected[i])));
        }
        for (int i = 0; i < 200; ++i) {
            const auto first = random() % expected.size();
            std::vector<std::int64_t> part(std::min<std::size_t>(random() % 700, expected.size() - first));
            times.read(first, part);
            QVERIFY(std::equal(part.begin(), part.end(), expected.begin() + static_cast<std::ptrdiff_t>(first)));
        }
        if (step <= 60'000'000) QVERIFY(times.bytesUsed() < 200'000 * 5);
    }
    void keepsTimesAtTheEdgesOfTheirWidth() {
        constexpr std::int64_t kLimit = 0xFFFFFFFE;
        for (const std::int64_t first : {std::int64_t{0}, kNever.ns - 2 * kLimit, kBeforeTrace.ns + 1}) {
            RisingTimes times(1u << 10, 1u << 10);
            const std::int64_t all[] = {first, first + kLimit - 1, first + kLimit, first + kLimit + 1, kNever.ns - 1};
            for (const auto time : all) {
                QVERIFY(times.makeRoom() && times.prepare(TraceTime{time}));
                times.appendInRoom(TraceTime{time});
            }
            for (std::size_t i = 0; i < std::size(all); ++i)
                QCOMPARE(times[i].ns, all[i]);
        }
    }
    /// Against plain lists: rows of several groups, which end soon, late or never, at few sites and at many.
    void keepsWhenAndWhereRowsEnd_data() {
        QTest::addColumn<std::int64_t>("step");
        QTest::addColumn<std::uint32_t>("sites");
        for (const std::int64_t step : {std::int64_t{0}, std::int64_t{500}, std::int64_t{20'000'000}}) {
            for (const std::uint32_t sites : {100u, 1u << 23, 1u << 31})
                QTest::addRow("%lld ns, %u sites", static_cast<long long>(step), sites) << step << sites;
        }
    }
    void keepsWhenAndWhereRowsEnd() {
        QFETCH(std::int64_t, step);
        QFETCH(std::uint32_t, sites);
        std::mt19937 random(7);
        constexpr RowId kRows = 200'000;
        RowEnds ends(kRows);
        std::vector<std::int64_t> times(kRows, kNever.ns);
        std::vector<std::uint32_t> endSites(kRows, 0);
        std::vector<RowId> outstanding;
        std::int64_t now = 30;
        for (RowId row = 0; row < kRows; ++row, now += step) {
            QVERIFY(ends.makeRoom());
            ends.appendInRoom(random() % 100 == 0 ? kBeforeTrace : TraceTime{now});
            outstanding.push_back(row);
            if (random() % 10 == 0) continue; // later, two may end
            std::swap(outstanding[random() % outstanding.size()], outstanding.back());
            const auto ending = outstanding.back();
            outstanding.pop_back();
            times[ending] = now;
            endSites[ending] = static_cast<std::uint32_t>(random() % sites);
            QVERIFY(ends.set(ending, TraceTime{now}, SiteId{endSites[ending]}));
        }
        QVERIFY(ends.isWhole());
        QCOMPARE(ends.size(), std::uint64_t{kRows});
        for (RowId row = 0; row < kRows; ++row) {
            if (ends.time(row).ns != times[row] || ends.site(row).value != endSites[row])
                QFAIL(qPrintable(
                    QString("row %1: %2 at site %3").arg(row).arg(ends.time(row).ns).arg(ends.site(row).value)));
        }
        for (int i = 0; i < 200; ++i) {
            const auto first = static_cast<RowId>(random() % kRows);
            std::vector<std::int64_t> part(std::min<std::size_t>(random() % 700, kRows - first));
            ends.read(first, part);
            QVERIFY(std::equal(part.begin(), part.end(), times.begin() + first));
        }
        const bool isSome = step < 20'000'000 && sites <= 1u << 23;
        QCOMPARE(ends.bytesUsed() < kRows * 8 + 100, isSome); // 20 ms a row: more than 18 minutes
    }
    void keepsEndsAtTheEdgesOfTheirWidth() {
        constexpr std::int64_t kMost = (std::int64_t{1} << 40) - 1;
        constexpr std::int64_t kBegin = 1'000'000;
        const std::int64_t times[] = {kBegin, kBegin + kMost, kBegin + kMost + 1, kBegin - 1, kNever.ns - 1};
        for (const std::uint32_t site : {0u, 1u, (1u << 23) - 1, 1u << 23, 0xFFFFFFFFu}) {
            RowEnds ends(1u << 10);
            RowId row = 0;
            for (const auto time : times) {
                QVERIFY(ends.makeRoom());
                ends.appendInRoom(TraceTime{kBegin});
                QCOMPARE(ends.time(row), kNever);
                QCOMPARE(ends.site(row), SiteId{});
                QVERIFY(ends.set(row, TraceTime{time}, SiteId{site}));
                QCOMPARE(ends.time(row), TraceTime{time});
                QCOMPARE(ends.site(row), SiteId{site});
                ++row;
            }
            std::vector<std::int64_t> all(std::size(times));
            ends.read(0, all);
            QVERIFY(std::equal(all.begin(), all.end(), std::begin(times)));
        }
    }
    /// Against a plain list: from few parts of the address space, and from more parts than one byte can distinguish.
    void keepsAddresses_data() {
        QTest::addColumn<std::uint64_t>("parts");
        for (const std::uint64_t parts : {1, 3, 254, 255, 256, 5'000})
            QTest::addRow("%llu parts", static_cast<unsigned long long>(parts)) << parts;
    }
    void keepsAddresses() {
        QFETCH(std::uint64_t, parts);
        std::mt19937_64 random(parts);
        std::vector<std::uint32_t> halves(parts);
        for (auto& half : halves)
            half = static_cast<std::uint32_t>(random());
        RowAddresses addresses(1u << 20);
        std::vector<Address> expected(200'000);
        for (auto& address : expected) {
            const std::uint64_t half = halves[random() % parts];
            address = (half << 32) | static_cast<std::uint32_t>(random());
            QVERIFY(addresses.makeRoom() && addresses.prepare(address));
            addresses.appendInRoom(address);
        }
        QVERIFY(addresses.isWhole());
        QCOMPARE(addresses.size(), std::uint64_t{expected.size()});
        for (RowId row = 0; row < expected.size(); ++row) {
            if (addresses[row] != expected[row]) QFAIL(qPrintable(QString("row %1: %2").arg(row).arg(addresses[row])));
        }
        if (parts <= 255) QVERIFY(addresses.bytesUsed() < expected.size() * 5 + 5'000);
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
        QCOMPARE(stacks.leaf(promised, 0), FrameNodeId{0}); // published before the promise was resolved
        QCOMPARE(stacks.leaf(promised, stacks.revision()), leaf);
    }
};
HIGHWATER_TEST(AllocationTableTest);
#include "allocation_table_test.moc"
