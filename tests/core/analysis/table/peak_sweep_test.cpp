#include "core/analysis/table/grouped_table.h"

#include "tests/core/analysis/blocks_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

std::shared_ptr<GroupedTable> tableOf(const std::shared_ptr<const store::PublishedTrace>& trace, TimeRange interval) {
    Query query;
    query.table = Table::Heap;
    query.interval = interval;
    query.keys = {Column::Process, Column::RowSize};
    query.columns = {Column::PeakSize, Column::PeakTime, Column::Slope, Column::Trend};
    query.sort = {{Column::RowSize, false}};
    return GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query).value();
}

std::int64_t peakTime(const GroupedTable& table, GroupedTable::NodeId node) {
    return std::get<TraceTime>(table.value(node, Column::PeakTime)).ns;
}

std::vector<SignedByteCount> trend(const GroupedTable& table, GroupedTable::NodeId node) {
    return *std::get<Series>(table.value(node, Column::Trend)).amounts;
}

} // namespace

/// Peaks of groups, the times when they were reached, and trends.
class PeakSweepTest : public QObject {
    Q_OBJECT
  private slots:
    void aPeakIsReachedWhenItWasReachedFirst() {
        // 10 and 20 together at 30, and again at 60.
        const auto trace = traceOfBlocks({{10, 90, 10}, {30, 40, 20}, {60, 70, 20}});
        auto table = tableOf(trace, {TraceTime{0}, TraceTime{100}});
        const auto process = table->children(GroupedTable::kRoot).front();
        const auto sizes = table->children(process);
        QVERIFY(table->computeValues(std::vector{process}).hasValue());
        QVERIFY(table->value(process, Column::PeakSize) == CellValue(std::int64_t{30}));
        QCOMPARE(peakTime(*table, process), std::int64_t{30});
        QVERIFY(table->computeValues(sizes).hasValue());
        QCOMPARE(peakTime(*table, sizes[0]), std::int64_t{10});
        QCOMPARE(peakTime(*table, sizes[1]), std::int64_t{30});
    }
    void whatIsCarriedInIsThereFromTheStart() {
        const auto trace = traceOfBlocks({{10, 0, 10}, {60, 0, 1}});
        auto table = tableOf(trace, {TraceTime{20}, TraceTime{52}});
        const auto process = table->children(GroupedTable::kRoot).front();
        QVERIFY(table->computeValues(std::vector{process}).hasValue());
        QCOMPARE(peakTime(*table, process), std::int64_t{20});
        QVERIFY(table->value(process, Column::Slope) == CellValue(std::int64_t{0}));
        QCOMPARE(trend(*table, process), std::vector<SignedByteCount>(kTrendParts, 10));
    }
    /// Nested groups are measured in another way than groups that share no row.
    void groupsAndWhatIsInThemAgree() {
        std::vector<BlockOfTest> blocks;
        for (std::int64_t i = 0; i < 64; ++i) {
            blocks.push_back({5 * i + 1, i % 3 == 0 ? 0 : 5 * i + 40, static_cast<std::uint32_t>(10 + i % 3)});
        }
        const auto trace = traceOfBlocks(blocks);
        auto together = tableOf(trace, {TraceTime{0}, TraceTime{320}});
        auto apart = tableOf(trace, {TraceTime{0}, TraceTime{320}});
        const auto nodesOf = [](GroupedTable& table) {
            std::vector nodes{table.children(GroupedTable::kRoot).front()};
            const auto sizes = table.children(nodes.front());
            nodes.insert(nodes.end(), sizes.begin(), sizes.end());
            return nodes;
        };
        const auto nodes = nodesOf(*together);
        QCOMPARE(nodesOf(*apart), nodes);
        QVERIFY(together->computeValues(nodes).hasValue());
        for (const auto node : nodes) {
            QVERIFY(apart->computeValues(std::vector{node}).hasValue());
            for (const auto column : {Column::PeakSize, Column::PeakTime, Column::Slope, Column::Trend})
                QVERIFY(apart->value(node, column) == together->value(node, column));
        }
        QVERIFY(std::get<std::int64_t>(together->value(nodes[1], Column::Slope)) > 0); // those of 10 bytes are kept
        QVERIFY(together->value(nodes[2], Column::Slope) == CellValue(std::int64_t{0}));
    }
    void anEmptyIntervalHasNoSlope() {
        const auto trace = traceOfBlocks({{10, 0, 10}});
        auto table = tableOf(trace, {TraceTime{20}, TraceTime{20}});
        const auto process = table->children(GroupedTable::kRoot).front();
        QVERIFY(table->computeValues(std::vector{process}).hasValue());
        QVERIFY(table->value(process, Column::Slope) == CellValue());
    }
    void stopsWhenAsked() {
        const auto trace = traceOfBlocks({{10, 0, 10}});
        auto table = tableOf(trace, {TraceTime{0}, TraceTime{20}});
        const auto process = table->children(GroupedTable::kRoot).front();
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!table->computeValues(std::vector{process}, stop.get_token()).hasValue());
    }
};
HIGHWATER_TEST(PeakSweepTest);
#include "peak_sweep_test.moc"
