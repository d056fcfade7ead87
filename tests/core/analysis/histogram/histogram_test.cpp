#include "core/analysis/histogram/histogram.h"

#include "core/analysis/query/query_expression.h"
#include "core/analysis/table/grouped_table.h"
#include "tests/core/analysis/blocks_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

HistogramQuery histogramIn(std::int64_t start, std::int64_t end, HistogramOf of) {
    HistogramQuery query;
    query.interval = {TraceTime{start}, TraceTime{end}};
    query.of = of;
    return query;
}

Histogram histogramOf(const store::PublishedTrace& trace, const HistogramQuery& query) {
    FrameLabels labels;
    auto histogram = computeHistogram(trace, labels, query);
    if (!histogram.hasValue()) qFatal("%s", histogram.error().message.c_str());
    return std::move(histogram).value();
}

std::string barsText(HistogramOf of, const std::vector<HistogramBar>& bars) {
    std::string lines;
    for (const auto& bar : bars)
        lines += fmt::format("{}{}: {} of {}, kept {} of {}", lines.empty() ? "" : "\n", barText(of, bar), bar.count,
                             bar.bytes, bar.keptCount, bar.keptBytes);
    return lines;
}

const std::vector<BlockOfTest> kBlocksOfSizes{{12, 14, 100, "main;g", 0, 2},
                                              {1, 25, 10, "main;f", 0, 1},
                                              {13, 0, 5, "main;f", 1, 3},
                                              {14, 15, 10, "main;f", 1, 3}};

/// The definition, literally: which rows have which value.
class BarRecount {
  public:
    BarRecount(const Recount& recount, Table table) : recount_(recount), table_(table) {}

    [[nodiscard]] bool isIn(const RecountRow& row, HistogramOf of, const HistogramBar& bar) const {
        if (of == HistogramOf::Size) return holds(bar, row.size);
        if (bar.kind == HistogramBar::Kind::Outstanding) return !row.end;
        if (bar.kind == HistogramBar::Kind::Unknown) return row.end && !row.begin;
        return row.end && row.begin && holds(bar, static_cast<std::uint64_t>(row.end->ns - row.begin->ns));
    }
    /// The bar with the numbers of these rows.
    [[nodiscard]] HistogramBar counted(HistogramBar bar, const std::vector<RecountRow>& rows, HistogramOf of,
                                       TimeRange interval) const {
        bar.count = bar.bytes = bar.keptCount = bar.keptBytes = 0;
        for (const auto& row : rows) {
            if (!isIn(row, of, bar)) continue;
            ++bar.count;
            bar.bytes += row.size;
            if (table_ == Table::Frees) continue;
            if (!row.end || *row.end >= interval.end) ++bar.keptCount;
            bar.keptBytes += row.size;
            for (const auto& release : row.releases) {
                if (release.time < interval.end) bar.keptBytes -= release.bytes;
            }
        }
        return bar;
    }

  private:
    static bool holds(const HistogramBar& bar, std::uint64_t value) {
        return bar.kind == HistogramBar::Kind::Range && bar.from <= value && (!bar.to || value < *bar.to);
    }
    const Recount& recount_;
    Table table_;
};

} // namespace

/// Sizes and lifetimes as bars.
class HistogramTest : public QObject {
    Q_OBJECT
  private slots:
    void tellsSizesByPowersOfTwo() {
        const auto histogram = histogramOf(*traceOfBlocks(kBlocksOfSizes), histogramIn(0, 40, HistogramOf::Size));
        QCOMPARE(barsText(HistogramOf::Size, histogram.bars),
                 std::string("4 B to <8 B: 1 of 5, kept 1 of 5\n8 B to <16 B: 2 of 20, kept 0 of 0\n"
                             "16 B to <32 B: 0 of 0, kept 0 of 0\n32 B to <64 B: 0 of 0, kept 0 of 0\n"
                             "64 B to <128 B: 1 of 100, kept 0 of 0"));
        QCOMPARE(histogram.count, std::uint64_t{4});
        QCOMPARE(histogram.bytes, std::uint64_t{125});
        QVERIFY(histogram.exact.empty());
        QCOMPARE(histogram.sizes, std::uint64_t{0});
    }
    void tellsTheMostFrequentSizes() {
        auto query = histogramIn(0, 40, HistogramOf::Size);
        query.exact = 2;
        QCOMPARE(histogramOf(*traceOfBlocks(kBlocksOfSizes), query).sizes, std::uint64_t{3});
        QCOMPARE(barsText(HistogramOf::Size, histogramOf(*traceOfBlocks(kBlocksOfSizes), query).exact),
                 std::string("10 B: 2 of 20, kept 0 of 0\n5 B: 1 of 5, kept 1 of 5"));
    }
    void tellsLifetimesByHalvesOfPowersOfTen() {
        const auto histogram = histogramOf(*traceOfBlocks(kBlocksOfSizes), histogramIn(0, 40, HistogramOf::LifeTime));
        QCOMPARE(barsText(HistogramOf::LifeTime, histogram.bars),
                 std::string("1 ns to <3 ns: 2 of 110, kept 0 of 0\n3 ns to <10 ns: 0 of 0, kept 0 of 0\n"
                             "10 ns to <30 ns: 1 of 10, kept 0 of 0\nstill outstanding: 1 of 5, kept 1 of 5"));
    }
    void whatIsFreedBehindTheIntervalIsKept() {
        const auto histogram = histogramOf(*traceOfBlocks(kBlocksOfSizes), histogramIn(13, 14, HistogramOf::LifeTime));
        QCOMPARE(barsText(HistogramOf::LifeTime, histogram.bars),
                 std::string("1 ns to <3 ns: 1 of 100, kept 1 of 100\n3 ns to <10 ns: 0 of 0, kept 0 of 0\n"
                             "10 ns to <30 ns: 1 of 10, kept 1 of 10\nstill outstanding: 1 of 5, kept 1 of 5"));
    }
    void hasNothingWithoutRows() {
        const auto histogram = histogramOf(*traceOfBlocks({}), histogramIn(0, 40, HistogramOf::Size));
        QVERIFY(histogram.bars.empty());
        QCOMPARE(histogram.count, std::uint64_t{0});
    }
    void barsOfAllValuesHaveNoGaps() {
        for (const auto of : {HistogramOf::Size, HistogramOf::LifeTime}) {
            const auto bars = emptyBars(of);
            for (std::size_t i = 0; i < bars.size(); ++i) {
                QCOMPARE(barOf(of, bars[i].from), i);
                if (i > 0) QCOMPARE(barOf(of, bars[i].from - 1), i - 1);
                if (i > 0) QVERIFY(bars[i - 1].to == bars[i].from);
            }
            QVERIFY(!bars.back().to);
            QCOMPARE(barOf(of, ~std::uint64_t{0}), bars.size() - 1);
        }
    }
    void saysWhatABarHolds() {
        const auto size = [](std::uint64_t from, std::optional<std::uint64_t> to) {
            const HistogramBar bar{.from = from, .to = to};
            return barText(HistogramOf::Size, bar) + "; " + barQuery(Table::Heap, HistogramOf::Size, bar);
        };
        QCOMPARE(size(0, 1), std::string("0 B; [Allocation Size]:=0B"));
        QCOMPARE(size(512, 1024), std::string("512 B to <1 KB; [Allocation Size]:>=512B AND [Allocation Size]:<1KB"));
        QCOMPARE(size(1536, 1537), std::string("1536 B; [Allocation Size]:=1536B"));
        QCOMPARE(size(std::uint64_t{1} << 63, std::nullopt),
                 std::string("8388608 TB and more; [Allocation Size]:>=8388608TB"));
        const HistogramBar life{.from = 300'000'000, .to = 1'000'000'000};
        QCOMPARE(barText(HistogramOf::LifeTime, life), std::string("300 ms to <1 s"));
        QCOMPARE(barQuery(Table::VirtualAlloc, HistogramOf::LifeTime, life),
                 std::string("[Commit LifeTime]:>=300ms AND [Commit LifeTime]:<1s"));
        const HistogramBar shorter{.from = 3'000, .to = 10'000};
        QCOMPARE(barText(HistogramOf::LifeTime, shorter), std::string("3 \u00b5s to <10 \u00b5s"));
        QCOMPARE(barQuery(Table::VirtualAlloc, HistogramOf::LifeTime, shorter), // as it can be typed
                 std::string("[Commit LifeTime]:>=3us AND [Commit LifeTime]:<10us"));
    }
    /// Each bar against the definition, its query against the table, and all bars together against the table.
    void equalsTheRecountOverRandomTraces() {
        for (unsigned seed = 1; seed <= HIGHWATER_RANDOM_TRACES / 8; ++seed) {
            RandomTrace random(seed);
            for (const auto& publication : random.publications())
                compare(random, publication, fmt::format("seed {}", seed));
        }
    }
    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        FrameLabels labels;
        const auto histogram = computeHistogram(*traceOfBlocks(kBlocksOfSizes), labels,
                                                histogramIn(0, 40, HistogramOf::Size), stop.get_token());
        QVERIFY(!histogram.hasValue());
        QVERIFY(histogram.error().kind == ErrorKind::Cancelled);
    }

  private:
    static HistogramQuery randomQuery(RandomTrace& random, const Publication& publication) {
        HistogramQuery query;
        query.table = static_cast<Table>(random.pick(3));
        query.interval = random.intervalOf(publication);
        query.of = random.pick(2) == 0 ? HistogramOf::Size : HistogramOf::LifeTime;
        query.exact = random.pick(4);
        query.processExitFreesHeap = random.pick(3) == 0;
        return query;
    }
    static std::pair<std::uint64_t, std::uint64_t> tableOf(const Publication& publication, const HistogramQuery& query,
                                                           const std::string& filter) {
        Query table;
        table.table = query.table;
        table.interval = query.interval;
        table.columns = {Column::Count, Column::Size};
        table.processExitFreesHeap = query.processExitFreesHeap;
        const auto parsed = QueryExpression::parse(query.table, filter);
        if (!parsed.hasValue()) qFatal("%s", filter.c_str());
        if (!parsed.value().isEmpty()) table.filter.query = parsed.value();
        const auto sums = GroupedTable::compute(publication.trace, std::make_shared<FrameLabels>(), table);
        if (!sums.hasValue()) qFatal("%s", sums.error().message.c_str());
        const auto number = [&](Column column) {
            const auto value = sums.value()->value(GroupedTable::kRoot, column);
            return static_cast<std::uint64_t>(std::get<std::int64_t>(value));
        };
        return {number(Column::Count), number(Column::Size)};
    }
    static void compare(RandomTrace& random, const Publication& publication, const std::string& where) {
        const auto query = randomQuery(random, publication);
        const Recount recount(publication.model, query.table, query.interval, publication.trace->horizon,
                              query.processExitFreesHeap, "");
        const BarRecount bars(recount, query.table);
        const auto rows = recount.members();
        const auto histogram = histogramOf(*publication.trace, query);
        std::uint64_t found = 0;
        auto both = histogram.bars;
        both.insert(both.end(), histogram.exact.begin(), histogram.exact.end());
        for (const auto& bar : both) {
            const auto wanted = bars.counted(bar, rows, query.of, query.interval);
            QVERIFY2(bar == wanted,
                     (where + ": " + barsText(query.of, {bar}) + " --- " + barsText(query.of, {wanted})).c_str());
            const auto filter = barQuery(query.table, query.of, bar);
            QVERIFY2(tableOf(publication, query, filter) == std::pair(bar.count, bar.bytes), (where + filter).c_str());
        }
        for (const auto& bar : histogram.bars)
            found += bar.count;
        QCOMPARE(found, std::uint64_t{rows.size()});
        QVERIFY2(tableOf(publication, query, "") == std::pair(histogram.count, histogram.bytes), where.c_str());
        compareExact(histogram, query, rows, where);
    }
    static void compareExact(const Histogram& histogram, const HistogramQuery& query,
                             const std::vector<RecountRow>& rows, const std::string& where) {
        std::map<std::uint64_t, std::uint64_t> countOfSize;
        for (const auto& row : rows)
            ++countOfSize[row.size];
        std::vector<std::pair<std::uint64_t, std::uint64_t>> wanted; // by falling count, then by size
        for (const auto& [size, count] : countOfSize)
            wanted.emplace_back(~count, size);
        std::sort(wanted.begin(), wanted.end());
        wanted.resize(query.of == HistogramOf::Size ? std::min<std::size_t>(query.exact, wanted.size()) : 0);
        QVERIFY2(histogram.exact.size() == wanted.size(), where.c_str());
        for (std::size_t i = 0; i < wanted.size(); ++i)
            QVERIFY2(histogram.exact[i].from == wanted[i].second, where.c_str());
    }
};
HIGHWATER_TEST(HistogramTest);
#include "histogram_test.moc"
