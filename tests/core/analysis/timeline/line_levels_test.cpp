#include "core/analysis/timeline/line_levels.h"

#include "tests/core/analysis/blocks_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

using Values = std::vector<SignedByteCount>;

const std::vector<BlockOfTest> kTwoProcesses{
    {1, 25, 10, "main;f", 0, 1}, {12, 14, 100, "main;g", 0, 2}, {13, 0, 5, "main;f", 1, 3}};

struct LineLevelsStage {
    std::shared_ptr<const store::PublishedTrace> trace = traceOfBlocks(kTwoProcesses);
    FrameLabels labels;
    TimelineQuery query;
    std::unique_ptr<RowSelection> selection;
    std::unique_ptr<LineLevels> levels;
    std::vector<TraceTime> edges;

    explicit LineLevelsStage(std::vector<Column> keys, std::vector<KeyPath> turned = {}) {
        query.table = Table::Heap;
        query.interval = {TraceTime{0}, TraceTime{40}};
        query.by = keys.front();
        query.opening.keys = std::move(keys);
        query.opening.turned = std::move(turned);
        const SelectionQuery asked{query.table, query.interval, Membership::Timeline, LineTree::columnsOf(query)};
        selection = RowSelection::make(*trace, labels, asked, {}).value();
        levels = std::make_unique<LineLevels>(*selection, query);
        edges = sliceEdges(query.interval, 4);
    }
    /// The levels of all leaves together.
    Values total() {
        return levels->measure(edges, std::vector<std::uint32_t>(levels->groupCount(), 0), 1, {})->front();
    }
    /// The levels of each leaf.
    std::vector<Values> each() {
        std::vector<std::uint32_t> own(levels->groupCount());
        std::iota(own.begin(), own.end(), 0u);
        auto values = *levels->measure(edges, own, own.size(), {});
        std::sort(values.begin(), values.end());
        return values;
    }
};

} // namespace

class LineLevelsTest : public QObject {
    Q_OBJECT
  private slots:
    void putsCellsIntoLeaves() {
        LineLevelsStage stage({Column::Process, Column::Thread}, {{{Column::Process, 0}}});
        QVERIFY(stage.levels->find({}));
        QCOMPARE(stage.levels->groupCount(), 3u);
        const std::vector<Values> wanted{{0, 5, 5, 5}, {0, 100, 0, 0}, {10, 10, 10, 0}};
        QCOMPARE(stage.each(), wanted);
        QCOMPARE(stage.total(), (Values{10, 115, 15, 5}));
        QCOMPARE(stage.each(), wanted); // again, after other lines
    }
    void tellsRowsApartWhereTheirGroupIsOpen() {
        LineLevelsStage stage({Column::Process, Column::Address}, {{{Column::Process, 0}}});
        QVERIFY(stage.levels->find({}));
        QCOMPARE(stage.levels->groupCount(), 3u); // two rows of one process, the other as a whole
        std::size_t deepest = 0;
        for (std::uint32_t group = 0; group < 3; ++group)
            deepest = std::max(deepest, stage.levels->tree().pathOf(stage.levels->leaf(group)).size());
        QCOMPARE(deepest, std::size_t{2});
        QCOMPARE(stage.each(), (std::vector<Values>{{0, 5, 5, 5}, {0, 100, 0, 0}, {10, 10, 10, 0}}));
    }
    void readsNoMoreKeysThanItNeeds() {
        const LineLevelsStage closed({Column::Process, Column::Stack});
        QVERIFY(!LineTree::columnsOf(closed.query).contains(Column::Stack));
        const LineLevelsStage open({Column::Process, Column::Stack}, {{{Column::Process, 0}}});
        QVERIFY(LineTree::columnsOf(open.query).contains(Column::Stack));
    }
    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        LineLevelsStage stage({Column::Process});
        QVERIFY(!stage.levels->find(stop.get_token()));
    }
};
HIGHWATER_TEST(LineLevelsTest);
#include "line_levels_test.moc"
