#include "core/store/published/allocation_table.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

using namespace highwater;
using namespace highwater::store;

namespace {

/// The events of an AllocationTable, one by one.
struct Step {
    std::int64_t time = 0;
    SignedByteCount delta = 0;
    bool begins = false;
    RowId row = 0;
};

/// Random starts, ends, partial releases, and rows older than the trace in between.
std::vector<Step> fill(AllocationTable& table, std::size_t events, std::mt19937& random) {
    std::vector<Step> steps;
    std::vector<std::pair<RowId, ByteCount>> outstanding;
    for (std::int64_t now = 1; steps.size() < events; ++now) {
        const auto choice = random() % 100;
        const auto size = 1 + random() % 1000;
        RowId row = 0;
        if (choice < 2) {
            if (!table.begin(kBeforeTrace, 0x1000, size, SiteId{}, row)) return {};
        } else if (choice < (now / 20'000 % 2 == 0 ? 60u : 44u) || outstanding.empty()) { // rises and falls
            if (!table.begin(TraceTime{now}, 0x1000, size, SiteId{}, row)) return {};
            outstanding.emplace_back(row, size);
            steps.push_back({now, static_cast<SignedByteCount>(size), true, row});
        } else {
            auto& chosen = outstanding[random() % outstanding.size()];
            const auto gone = choice < 66 ? 1 + random() % chosen.second : chosen.second;
            const bool isFinal = gone == chosen.second;
            if (isFinal && gone == table.size(chosen.first)) {
                table.end(chosen.first, TraceTime{now}, SiteId{1});
            } else {
                table.release(chosen.first, TraceTime{now}, gone, SiteId{1}, isFinal);
            }
            steps.push_back({now, -static_cast<SignedByteCount>(gone), false, chosen.first});
            chosen.second -= gone;
            if (isFinal) {
                chosen = outstanding.back();
                outstanding.pop_back();
            }
        }
    }
    return steps;
}

/// Highest level after any event of [first, last).
SignedByteCount peakOf(const std::vector<SignedByteCount>& levels, std::size_t first, std::size_t last) {
    return *std::max_element(levels.begin() + static_cast<std::ptrdiff_t>(first),
                             levels.begin() + static_cast<std::ptrdiff_t>(last));
}

} // namespace

class EventOrderTest : public QObject {
    Q_OBJECT
  private slots:
    /// Under UBSan, negating an amount that has no negative is an error.
    void takesAnySize() {
        const auto table = std::make_unique<AllocationTable>();
        constexpr ByteCount kSizes[] = {ByteCount{1} << 63, ~ByteCount{0}, (ByteCount{1} << 63) - 1};
        std::int64_t now = 0;
        for (const auto size : kSizes) {
            RowId row = 0;
            QVERIFY(table->begin(TraceTime{++now}, 0x1000, size, SiteId{}, row));
            table->end(row, TraceTime{++now}, SiteId{1});
            QVERIFY(table->begin(TraceTime{++now}, 0x1000, size, SiteId{}, row));
            table->release(row, TraceTime{++now}, size, SiteId{1}, true);
        }
        QCOMPARE(table->order().eventCount(), std::uint64_t{12});
        RowId row = 0;
        for (int i = 0; i < 64; ++i) // into the next block, which stores the level before it
            QVERIFY(table->begin(TraceTime{++now}, 0x1000, 1, SiteId{}, row));
        QCOMPARE(table->order().blocks()[1].levelBefore, SignedByteCount{64 - 12});
    }
    void replaysWhatHappened() {
        std::mt19937 random(7);
        const auto table = std::make_unique<AllocationTable>();
        const auto steps = fill(*table, 300'000, random);
        const auto& order = table->order();
        QCOMPARE(order.eventCount(), std::uint64_t{steps.size()});
        RowId row = 0;
        std::uint64_t end = 0;
        SignedByteCount level = 0;
        std::vector<SignedByteCount> levels;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const auto& block = order.blocks()[i / 64];
            if (i % 64 == 0) {
                QCOMPARE(block.levelBefore, level);
                QCOMPARE(block.firstTime.ns, steps[i].time);
                QCOMPARE(block.firstEnd, static_cast<std::uint32_t>(end));
                QVERIFY(block.firstRow <= (steps[i].begins ? steps[i].row : ~0u));
                row = block.firstRow;
            }
            QCOMPARE((order.bits(i / 64) >> (i % 64) & 1) != 0, steps[i].begins);
            if (steps[i].begins) {
                while (table->beginTime(row) == kBeforeTrace)
                    ++row;
                QCOMPARE(row, steps[i].row);
                level += static_cast<SignedByteCount>(table->size(row++));
            } else {
                const auto entry = order.ends()[end++];
                const bool isPart = (entry & EventOrder::kPartial) != 0;
                const auto part = isPart ? table->partials()[entry & ~EventOrder::kPartial] : PartialRelease{};
                QCOMPARE(isPart ? part.row : entry, steps[i].row);
                level -= static_cast<SignedByteCount>(isPart ? part.bytes : table->size(entry));
            }
            levels.push_back(level);
        }
        SignedByteCount sum = 0;
        for (const auto& step : steps)
            sum += step.delta;
        QCOMPARE(level, sum);
        for (unsigned group = 0, events = 64; group < 3; ++group, events *= 64) {
            QCOMPARE(order.peaks(group).size(), std::uint64_t{steps.size() / events});
            for (std::size_t i = 0; i < order.peaks(group).size(); ++i) {
                QCOMPARE(order.peaks(group)[i], peakOf(levels, i * events, (i + 1) * events));
            }
        }
    }
    void wrapsSizesThatMakeNoSense() {
        const auto table = std::make_unique<AllocationTable>();
        RowId row = 0;
        for (int i = 0; i < 100; ++i) {
            QVERIFY(table->begin(TraceTime{i}, ~Address{0}, ~ByteCount{0} / 2, SiteId{}, row));
            QCOMPARE(table->size(row), ~ByteCount{0} / 2);
            QCOMPARE(table->address(row), ~Address{0});
        }
        table->end(0, TraceTime{100}, SiteId{});
        QCOMPARE(table->endTime(0), TraceTime{100});
    }
};
HIGHWATER_TEST(EventOrderTest);
#include "event_order_test.moc"
