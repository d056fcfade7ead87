#include "core/analysis/sweeps/order_index.h"

#include "tests/core/analysis/blocks_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

std::vector<TraceTime> edgesAt(std::initializer_list<std::int64_t> times) {
    std::vector<TraceTime> edges;
    for (const auto time : times)
        edges.push_back(TraceTime{time});
    return edges;
}

using SlicePeaks = std::vector<SignedByteCount>;

} // namespace

/// Peaks of a whole table, between any instants.
class OrderIndexTest : public QObject {
    Q_OBJECT
  private slots:
    void readsThePeakOfEachSlice() {
        const auto trace = traceOfBlocks({{1, 25, 10}, {12, 14, 100}, {13, 0, 5}});
        const OrderIndex index(trace->heap);
        QCOMPARE(index.peaks(edgesAt({0, 10, 20, 30, 40})), (SlicePeaks{10, 115, 15, 5}));
        QCOMPARE(index.peaks(edgesAt({0, 1000})), (SlicePeaks{115}));
    }
    void aSliceIncludesItsBeginAndNotItsEnd() {
        const auto trace = traceOfBlocks({{10, 20, 7}});
        const OrderIndex index(trace->heap);
        QCOMPARE(index.peaks(edgesAt({0, 10, 11, 20, 21})), (SlicePeaks{0, 7, 7, 7})); // carried in until it is freed
        QCOMPARE(index.peaks(edgesAt({21, 22})), (SlicePeaks{0}));
    }
    void anEmptySliceHasTheLevelThatIsCarriedIn() {
        const auto trace = traceOfBlocks({{10, 0, 7}});
        const OrderIndex index(trace->heap);
        QCOMPARE(index.peaks(edgesAt({5, 5, 20, 20})), (SlicePeaks{0, 7, 7}));
        QCOMPARE(index.peaks(edgesAt({500, 600, 999})), (SlicePeaks{7, 7}));
    }
    void aTableWithoutEventsHasNoPeaks() {
        const auto trace = traceOfBlocks({});
        QCOMPARE(OrderIndex(trace->heap).peaks(edgesAt({0, 10, 1000})), (SlicePeaks{0, 0}));
        QCOMPARE(OrderIndex(trace->virtualAlloc).peaks(edgesAt({0, 1000})), (SlicePeaks{0}));
    }
    /// More events than two of the smaller blocks of the index hold (64, 4096).
    void agreesWithACountOfItsOwnOverManyBlocks() {
        std::mt19937 random(7);
        std::vector<BlockOfTest> blocks(5000);
        for (auto& block : blocks) {
            block.begin = 1 + random() % 900;
            block.end = random() % 3 == 0 ? 0 : block.begin + 1 + random() % 90;
            block.size = 1 + random() % 1000;
        }
        const auto trace = traceOfBlocks(blocks);
        const OrderIndex index(trace->heap);
        // As in traceOfBlocks(), releases come first at each instant.
        std::vector<std::int64_t> carried(1001), highest(1001);
        std::int64_t level = 0;
        for (std::int64_t time = 0; time <= 1000; ++time) {
            carried[static_cast<std::size_t>(time)] = level;
            for (const auto& block : blocks)
                if (block.end == time && time != 0) level -= static_cast<std::int64_t>(block.size);
            for (const auto& block : blocks)
                if (block.begin == time) level += static_cast<std::int64_t>(block.size);
            highest[static_cast<std::size_t>(time)] = level;
        }
        for (int round = 0; round < 200; ++round) {
            const auto first = static_cast<std::int64_t>(random() % 999);
            const auto last = first + 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(999 - first));
            auto expected = carried[static_cast<std::size_t>(first)];
            for (auto time = first; time < last; ++time)
                expected = std::max(expected, highest[static_cast<std::size_t>(time)]);
            QCOMPARE(index.peaks(edgesAt({first, last})), (SlicePeaks{expected}));
        }
    }
};
HIGHWATER_TEST(OrderIndexTest);
#include "order_index_test.moc"
