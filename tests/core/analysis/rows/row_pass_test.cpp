#include "core/analysis/rows/row_pass.h"

#include "tests/core/analysis/blocks_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <map>
#include <tuple>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

IntervalRows::Options between(std::int64_t start, std::int64_t end) {
    IntervalRows::Options options;
    options.interval = {TraceTime{start}, TraceTime{end}};
    return options;
}

/// Site, type, kind of end, whether it is temporary, whether it has no bytes.
using Place = std::tuple<std::uint32_t, RowType, store::EndKind, bool, bool>;
using Counts = std::map<Place, std::pair<std::uint64_t, std::uint64_t>>; ///< rows and bytes

/// By the rows themselves.
Counts recount(const IntervalRows& rows, RowPassOptions options) {
    Counts counts;
    const auto& view = rows.view();
    for (RowId row = 0; row < view.rows; ++row) {
        const auto begin = view.begin(row).ns, end = rows.end(row).ns;
        if (!rows.isMember(begin, end)) continue;
        const auto kind = options.byEndKind ? rows.endKind(row) : store::EndKind::None;
        const Place place{view.columns->rows.site(row).value, rows.typeOf(begin, end), kind,
                          options.byTemporary && rows.isTemporary(row), options.byZero && view.size(row) == 0};
        ++counts[place].first;
        counts[place].second += view.size(row);
    }
    return counts;
}

Counts counted(const IntervalRows& rows, RowPassOptions options) {
    const RowScan scan(rows, options);
    const auto cells = countRows(rows, scan, {});
    if (!cells) qFatal("stopped");
    Counts counts;
    const auto& index = scan.index();
    for (std::size_t i = 0; i < cells->places.size(); ++i) {
        const auto at = cells->places[i];
        const auto code = index.endCode(at);
        const Place place{index.site(at), index.type(at), index.endCodes().kind(code),
                          index.endCodes().isTemporary(code), index.isZero(at)};
        counts[place] = {cells->cells[i].count, cells->cells[i].bytes};
    }
    return counts;
}

/// Before, inside, across and after [10, 20), some without bytes.
const std::vector<BlockOfTest> kBlocks{{1, 5, 1},   {1, 15, 2, "main"}, {1, 0, 4, "main"},  {12, 18, 8}, {12, 0, 16},
                                       {25, 0, 32}, {13, 14, 0},        {14, 0, 0, "main"}, {11, 19, 64}};

std::uint32_t endCodesOf(const std::vector<BlockOfTest>& blocks, RowPassOptions options) {
    const auto trace = traceOfBlocks(blocks);
    const IntervalRows rows(*trace, store::TableKind::Heap, between(10, 20));
    return RowScan(rows, options).index().endCodes().size();
}

} // namespace

/// The pass over the rows: where each is counted.
class RowPassTest : public QObject {
    Q_OBJECT
  private slots:
    void countsEachRowInItsPlace() {
        const auto trace = traceOfBlocks(kBlocks);
        const IntervalRows rows(*trace, store::TableKind::Heap, between(10, 20));
        for (unsigned bits = 0; bits < 8; ++bits) {
            const RowPassOptions options{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
            QVERIFY(counted(rows, options) == recount(rows, options));
            QCOMPARE(counted(rows, options).empty(), false);
        }
    }
    void countsTheEndsOfProcesses() {
        auto options = between(0, 2000);
        options.processExitFreesHeap = true;
        ColumnsBuilder builder;
        builder.process("a.exe", 7, TraceTime{0});
        builder.endProcess(0, TraceTime{50});
        ModelRow row;
        row.table = store::TableKind::Heap;
        row.address = 0x1000;
        row.size = 10;
        row.begin = TraceTime{5};
        (void)builder.alloc(row);
        const auto trace = builder.publish(TraceTime{1000});
        const IntervalRows rows(*trace, store::TableKind::Heap, options);
        const RowPassOptions byEnd{.byEndKind = true};
        QVERIFY(counted(rows, byEnd) == recount(rows, byEnd));
        QCOMPARE(RowScan(rows, byEnd).index().endCodes().size(), 2u); // though no end site says so
    }
    /// Each kind of end takes a place for each of possibly a million sites.
    void onlyEndsThatOccurHavePlaces() {
        QCOMPARE(endCodesOf(kBlocks, {}), 1u);
        const RowPassOptions byEnd{.byEndKind = true, .byTemporary = true};
        QCOMPARE(endCodesOf(kBlocks, byEnd), 2u); // none yet, and freed
        QCOMPARE(endCodesOf({{12, 0, 16}, {13, 0, 8}}, byEnd), 1u);
    }
};
HIGHWATER_TEST(RowPassTest);
#include "row_pass_test.moc"
