#include "core/analysis/table/grouped_table.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stop_token>
#include <thread>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// Rows over several spans, with an event order of all three levels, which small tables do not reach.
class LargeTable {
  public:
    static constexpr std::size_t kRows = 300'000;

    LargeTable() {
        std::mt19937 random(7);
        builder_.process("large.exe", 1, TraceTime{0});
        std::vector<std::size_t> outstanding;
        for (std::size_t i = 0; i < kRows; ++i) {
            now_ += random() % 3;
            if (outstanding.size() > 1000 || (!outstanding.empty() && random() % 4 == 0)) end(outstanding, random);
            ModelRow row;
            row.heap = 0x1000;
            row.thread = static_cast<std::uint32_t>(random() % 50);
            row.size = random() % 4096;
            row.begin = TraceTime{now_};
            outstanding.push_back(builder_.alloc(row));
            changes_.push_back({now_, static_cast<std::int64_t>(row.size), row.thread});
        }
        trace = builder_.publish(TraceTime{now_ + 1});
    }

    /// All rows, or those of one thread.
    std::vector<std::int64_t> peaks(const std::vector<TraceTime>& starts, TraceTime end, int thread = -1) const {
        std::vector<std::int64_t> peaks;
        std::int64_t level = 0;
        std::size_t next = 0;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            const auto from = starts[i].ns;
            const auto to = i + 1 < starts.size() ? starts[i + 1].ns : end.ns;
            for (; next < changes_.size() && changes_[next].time < from; ++next)
                level += changes_[next].of(thread);
            auto peak = level;
            for (; next < changes_.size() && changes_[next].time < to; ++next) {
                level += changes_[next].of(thread);
                peak = std::max(peak, level);
            }
            peaks.push_back(peak);
        }
        return peaks;
    }

    const Model& model() const { return builder_.model(); }
    std::shared_ptr<const store::PublishedTrace> trace;
    std::int64_t now_ = 0;

  private:
    void end(std::vector<std::size_t>& outstanding, std::mt19937& random) {
        std::swap(outstanding[random() % outstanding.size()], outstanding.back());
        ModelRelease release;
        release.time = TraceTime{now_};
        builder_.end(outstanding.back(), release);
        const auto& row = model().rows[outstanding.back()];
        changes_.push_back({now_, -static_cast<std::int64_t>(row.size), row.thread});
        outstanding.pop_back();
    }

    ColumnsBuilder builder_;
    struct Change {
        std::int64_t time;
        std::int64_t delta;
        std::uint32_t thread;
        std::int64_t of(int wanted) const { return wanted < 0 || static_cast<int>(thread) == wanted ? delta : 0; }
    };
    std::vector<Change> changes_;
};

} // namespace

class LargeTableTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { table_ = std::make_unique<LargeTable>(); }
    void cleanupTestCase() { table_.reset(); }

    void readsPeaksFromTheIndexAtAnyZoom() {
        std::mt19937 random(11);
        FrameLabels labels;
        for (int i = 0; i < 60; ++i) {
            TimelineQuery query;
            query.table = Table::Heap;
            query.points = static_cast<std::uint32_t>(1 + random() % 2000);
            const auto a = static_cast<std::int64_t>(random() % static_cast<unsigned>(table_->now_));
            const auto length =
                i % 3 == 0 ? 50 : static_cast<std::int64_t>(random() % static_cast<unsigned>(table_->now_));
            query.interval = i == 0 ? table_->trace->wholeRange() : TimeRange{TraceTime{a}, TraceTime{a + length}};
            const auto timeline = computeTimeline(*table_->trace, labels, query);
            QVERIFY(timeline.hasValue());
            QCOMPARE(timeline.value().starts.size(), std::size_t{query.points});
            QVERIFY(timeline.value().series[0].peaks == table_->peaks(timeline.value().starts, query.interval.end));
        }
    }

    void sweepsPartsOnSeveralThreads() {
        FrameLabels labels;
        // With 400,000 slices, many have no events.
        for (const std::uint32_t points : {1u, 2u, 1999u, 400'000u}) {
            TimelineQuery query;
            query.table = Table::Heap;
            query.points = points;
            query.interval = {TraceTime{table_->now_ / 20}, TraceTime{table_->now_}};
            query.by = Column::Thread;
            query.maxSeries = points == 2 ? 49 : points > 1999 ? 3 : 0;
            const auto timeline = computeTimeline(*table_->trace, labels, query);
            QVERIFY(timeline.hasValue());
            QCOMPARE(timeline.value().series.size(), std::size_t{points > 1999 ? 4u : 50u});
            for (const auto& series : timeline.value().series) {
                if (!series.isGroup) continue;
                const auto expected =
                    table_->peaks(timeline.value().starts, query.interval.end, static_cast<int>(series.key));
                QVERIFY(series.peaks == expected);
            }
        }
        auto grouped =
            GroupedTable::compute(table_->trace, std::make_shared<FrameLabels>(), query(table_->trace->wholeRange()));
        QVERIFY(grouped.hasValue());
        auto& groups = *grouped.value();
        QVERIFY(groups.computePeaks(groups.children(GroupedTable::kRoot)).hasValue());
        for (const auto child : groups.children(GroupedTable::kRoot)) {
            const auto expected =
                table_->peaks({TraceTime{0}}, groups.query().interval.end, static_cast<int>(groups.key(child)));
            QVERIFY(groups.value(child, Column::PeakSize) == CellValue(expected[0]));
        }
    }

    void measuresThousandsOfGroupsAsItMeasuresEachAlone() {
        FrameLabels labels;
        TimelineQuery query;
        query.table = Table::Heap;
        query.points = 30;
        query.interval = {TraceTime{table_->now_ / 3}, TraceTime{table_->now_}};
        query.by = Column::RowSize;
        const auto all = computeTimeline(*table_->trace, labels, query);
        QVERIFY(all.hasValue());
        QVERIFY(all.value().series.size() > 4000);
        for (std::size_t i = 0; i < all.value().series.size(); i += 500) {
            const auto& series = all.value().series[i];
            auto alone = query;
            alone.by.reset();
            alone.filter.clauses.push_back({RowFilter::Clause::Mode::Keep, {{KeyStep{Column::RowSize, series.key}}}});
            const auto one = computeTimeline(*table_->trace, labels, alone);
            QVERIFY(one.hasValue());
            QVERIFY(one.value().series[0].peaks == series.peaks);
        }
    }

    /// The second query is answered from the results of the first.
    void answersTheSameWhenAskedAgainInAnotherWay() {
        const auto values = [&](const std::vector<Column>& keys, int thread) {
            auto asked = query({TraceTime{table_->now_ / 4}, TraceTime{table_->now_ / 2}});
            asked.keys = keys;
            asked.columns = {Column::BeginTime, Column::RowSize, Column::Address, Column::Size};
            if (thread >= 0) {
                const auto key = static_cast<std::uint64_t>(thread);
                asked.filter.clauses.push_back({RowFilter::Clause::Mode::Keep, {{KeyStep{Column::Thread, key}}}});
            }
            auto table = GroupedTable::compute(table_->trace, std::make_shared<FrameLabels>(), asked).value();
            std::map<std::uint64_t, std::vector<CellValue>> found;
            for (const auto child : table->children(GroupedTable::kRoot)) {
                for (const auto column : asked.columns) {
                    found[table->key(child)].push_back(table->value(child, column));
                }
            }
            return found;
        };
        const auto byType = values({Column::Type}, 7);
        const auto byThread = values({Column::Thread}, -1);
        QVERIFY(values({Column::Type}, 7) == byType);
        QCOMPARE(values({Column::Thread}, 7).size(), std::size_t{1});
        QVERIFY(values({Column::Thread}, 7).at(7) == byThread.at(7));
    }

    void sumsSpansOnSeveralThreads() {
        for (const auto interval : {TimeRange{TraceTime{0}, TraceTime{table_->now_ + 1}},
                                    TimeRange{TraceTime{table_->now_ / 3}, TraceTime{table_->now_ / 2}}}) {
            struct Expected {
                std::int64_t count = 0;
                std::int64_t size = 0;
                std::int64_t allocated = 0;
                std::int64_t impacting = 0;
            };
            std::map<std::string, Expected> expected;
            for (const auto& row : table_->model().rows) {
                const bool inside = row.begin >= interval.start;
                if (row.begin >= interval.end || !(inside || !row.end || *row.end > interval.start)) continue;
                const bool freed = row.end && *row.end < interval.end;
                const auto size = static_cast<std::int64_t>(row.size);
                auto& group = expected[std::to_string(row.thread)];
                ++group.count;
                group.size += size;
                group.allocated += inside ? size : 0;
                group.impacting += (freed ? 0 : size) - (inside ? 0 : size);
            }
            auto grouped = GroupedTable::compute(table_->trace, std::make_shared<FrameLabels>(), query(interval));
            QVERIFY(grouped.hasValue());
            const auto& groups = *grouped.value();
            const auto& children = grouped.value()->children(GroupedTable::kRoot);
            QCOMPARE(children.size(), expected.size());
            for (const auto child : children) {
                const auto& wanted = expected.at(groups.keyText(child));
                QVERIFY(groups.value(child, Column::Count) == CellValue(wanted.count));
                QVERIFY(groups.value(child, Column::Size) == CellValue(wanted.size));
                QVERIFY(groups.value(child, Column::Allocated) == CellValue(wanted.allocated));
                QVERIFY(groups.value(child, Column::ImpactingSize) == CellValue(wanted.impacting));
            }
        }
    }

    void countsManyDifferentValuesOnSeveralThreads() {
        auto byThread = query(table_->trace->wholeRange());
        byThread.columns = {{Column::BeginTime, Aggregation::UniqueCount},
                            {Column::Size, Aggregation::UniqueCount},
                            {Column::Size, Aggregation::Max}};
        const auto table = GroupedTable::compute(table_->trace, std::make_shared<FrameLabels>(), byThread).value();
        const auto& children = table->children(GroupedTable::kRoot);
        QVERIFY(table->computeValues(children).hasValue());
        for (const auto child : children) {
            std::set<std::int64_t> begins;
            std::set<ByteCount> sizes;
            for (const auto& row : table_->model().rows) {
                if (row.thread != table->key(child)) continue;
                begins.insert(row.begin.ns);
                sizes.insert(row.size);
            }
            QVERIFY(table->value(child, byThread.columns[0]) == CellValue(static_cast<std::int64_t>(begins.size())));
            QVERIFY(table->value(child, byThread.columns[1]) == CellValue(static_cast<std::int64_t>(sizes.size())));
            QVERIFY(table->value(child, byThread.columns[2]) == CellValue(static_cast<std::int64_t>(*sizes.rbegin())));
        }
        // Again, with a stop request: available results stay, missing ones are refused.
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(table->computeValues(children, stop.get_token()).hasValue());
        QCOMPARE(table->computeValues(std::vector{GroupedTable::kRoot}, stop.get_token()).error().kind,
                 ErrorKind::Cancelled);
        QVERIFY(table->value(GroupedTable::kRoot, byThread.columns[0]) == CellValue());
    }

    void leavesANodeUnopenedWhoseSortingWasStopped() {
        auto byTime = query(table_->trace->wholeRange());
        byTime.sort = {{Column::BeginTime, true, Aggregation::UniqueCount}};
        const auto table = GroupedTable::compute(table_->trace, std::make_shared<FrameLabels>(), byTime).value();
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(table->children(GroupedTable::kRoot, stop.get_token()).empty());
        std::int64_t before = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(table->children(GroupedTable::kRoot).size(), std::size_t{50});
        for (const auto child : table->children(GroupedTable::kRoot)) {
            const auto count = std::get<std::int64_t>(table->value(child, byTime.sort[0].value()));
            QVERIFY(count <= before);
            before = count;
        }
    }

    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        const auto labels = std::make_shared<FrameLabels>();
        const auto table =
            GroupedTable::compute(table_->trace, labels, query(table_->trace->wholeRange()), stop.get_token());
        QVERIFY(!table.hasValue());
        QCOMPARE(table.error().kind, ErrorKind::Cancelled);

        TimelineQuery timeline;
        timeline.table = Table::Heap;
        timeline.interval = table_->trace->wholeRange();
        timeline.by = Column::Thread;
        const auto stopped = computeTimeline(*table_->trace, *labels, timeline, stop.get_token());
        QVERIFY(!stopped.hasValue());
        QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
    }

    void leavesAStoppedNodeUnopened() {
        auto byAddress = query(table_->trace->wholeRange());
        byAddress.keys.push_back(Column::BeginTime);
        auto computed = GroupedTable::compute(table_->trace, std::make_shared<FrameLabels>(), byAddress);
        QVERIFY(computed.hasValue());
        auto& table = *computed.value();
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(table.children(GroupedTable::kRoot, stop.get_token()).empty());
        QCOMPARE(table.children(GroupedTable::kRoot).size(), std::size_t{50});
        const auto thread = table.children(GroupedTable::kRoot)[0];
        QVERIFY(table.children(thread, stop.get_token()).empty());
        QVERIFY(table.hasChildren(thread));
        QVERIFY(!table.children(thread).empty());
        QCOMPARE(table.computePeaks(table.children(thread), stop.get_token()).error().kind, ErrorKind::Cancelled);
    }

    void sortsByPeaksThatItComputesItself() {
        auto byPeak = query(table_->trace->wholeRange());
        byPeak.sort = {SortKey{Column::PeakSize, true}};
        auto computed = GroupedTable::compute(table_->trace, std::make_shared<FrameLabels>(), byPeak);
        QVERIFY(computed.hasValue());
        std::int64_t before = std::numeric_limits<std::int64_t>::max();
        for (const auto child : computed.value()->children(GroupedTable::kRoot)) {
            const auto peak = std::get<std::int64_t>(computed.value()->value(child, Column::PeakSize));
            QVERIFY(peak <= before);
            before = peak;
        }
    }

  private:
    static Query query(TimeRange interval) {
        Query query;
        query.table = Table::Heap;
        query.interval = interval;
        query.keys = {Column::Thread};
        return query;
    }
    std::unique_ptr<LargeTable> table_;
};
HIGHWATER_TEST(LargeTableTest);
#include "large_table_test.moc"
