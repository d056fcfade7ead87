#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"

#include "core/analysis/table/grouped_table.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

std::shared_ptr<const store::PublishedTrace> traceWithManyTies() {
    std::mt19937 random(11);
    ColumnsBuilder builder;
    const auto process = builder.process("app", 1, TraceTime{0});
    for (int i = 0; i < 400; ++i) {
        ModelRow row;
        row.process = process;
        row.heap = 0x1000;
        row.thread = static_cast<std::uint32_t>(1 + random() % 5);
        row.address = (random() % 3 == 0 ? 0xFFFF'8000'0000'0000 : 0x1000) + 16 * (random() % 150);
        row.size = 16 * (random() % 6);
        row.begin = TraceTime{10 + i};
        row.stack = "A";
        const auto made = builder.alloc(row);
        ModelRelease release;
        release.time = TraceTime{10 + i};
        if (random() % 2 == 0) builder.end(made, release);
    }
    return builder.publish(TraceTime{1000});
}

std::vector<std::uint64_t> keysOf(GroupedTable& table) {
    std::vector<std::uint64_t> keys;
    for (const auto node : table.children(GroupedTable::kRoot))
        keys.push_back(table.key(node));
    return keys;
}

/// Prints all nodes below it with their values.
void tell(GroupedTable& table, GroupedTable::NodeId node,
          std::vector<std::tuple<std::string, CellValue, CellValue>>& into) {
    for (const auto child : std::vector(table.children(node))) {
        into.emplace_back(table.keyText(child), table.value(child, Column::Size),
                          table.value(child, {Column::Size, Aggregation::Peak}));
        tell(table, child, into);
    }
}

} // namespace

/// Groups by numbers, of which there may be millions.
class GroupedTableSortTest : public QObject {
    Q_OBJECT
  private slots:
    void manyNodesOpenedAtOnceAreAsIfOpenedOneByOne() {
        const auto trace = traceWithManyTies();
        Query query;
        query.table = Table::Heap;
        query.interval = trace->wholeRange();
        query.keys = {Column::Thread, Column::Type, Column::Address};
        query.columns = {Column::Size, {Column::Size, Aggregation::Peak}};
        query.sort = {{Column::Size, true, Aggregation::Peak}};
        const auto labels = std::make_shared<FrameLabels>();
        const auto oneByOne = GroupedTable::compute(trace, labels, query).value();
        std::vector<std::tuple<std::string, CellValue, CellValue>> expected, actual;
        tell(*oneByOne, GroupedTable::kRoot, expected);
        const auto table = GroupedTable::compute(trace, labels, query).value();
        std::vector<GroupedTable::NodeId> level{GroupedTable::kRoot};
        std::stop_source stopped;
        stopped.request_stop();
        while (!level.empty()) {
            QVERIFY(!table->open(level, stopped.get_token())); // and nothing of it is left
            QVERIFY(table->open(level));
            std::vector<GroupedTable::NodeId> below;
            for (const auto node : level)
                for (const auto child : table->children(node))
                    if (table->hasChildren(child)) below.push_back(child);
            level = std::move(below);
        }
        tell(*table, GroupedTable::kRoot, actual);
        QVERIFY(actual.size() > 200);
        QVERIFY(actual == expected);
    }
    void tiesGoByTheNextColumnThenByTheKey() {
        const auto trace = traceWithManyTies();
        Query query;
        query.table = Table::Heap;
        query.interval = trace->wholeRange();
        query.keys = {Column::Address};
        query.columns = {Column::Count, Column::Size, Column::ImpactingSize};
        query.sort = {{Column::Size, true}, {Column::ImpactingSize, false}};
        auto table = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query).value();
        const auto found = keysOf(*table);
        using Place = std::tuple<std::int64_t, std::int64_t, std::uint64_t>;
        std::vector<Place> places;
        for (const auto node : table->children(GroupedTable::kRoot))
            places.emplace_back(-std::get<std::int64_t>(table->value(node, Column::Size)),
                                std::get<std::int64_t>(table->value(node, Column::ImpactingSize)), table->key(node));
        QVERIFY(places.size() > 100);
        QVERIFY(std::ranges::is_sorted(places));
        std::ranges::sort(places);
        for (std::size_t i = 0; i < found.size(); ++i)
            QCOMPARE(found[i], std::get<2>(places[i]));
    }
    void anotherOrderIsThatOfANewTable() {
        const auto trace = traceWithManyTies();
        Query query;
        query.table = Table::Heap;
        query.interval = trace->wholeRange();
        query.columns = {
            Column::Count, {Column::LifeTime, Aggregation::Max}, {Column::Thread, Aggregation::UniqueCount}};
        const std::vector<std::vector<SortKey>> orders{{{Column::LifeTime, true, Aggregation::Max}},
                                                       {{Column::LifeTime, false, Aggregation::Max}},
                                                       {{Column::Count, true}},
                                                       {{Column::Thread, true, Aggregation::UniqueCount}},
                                                       {{Column::Size, false}},
                                                       {}};
        for (const auto key : {Column::Address, Column::Thread, Column::RowSize, Column::Process}) {
            query.keys = {key};
            query.sort = {};
            auto table = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query).value();
            for (const auto& order : orders) {
                QVERIFY(table->sortBy(order));
                auto asked = query;
                asked.sort = order;
                auto afresh = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), asked).value();
                QCOMPARE(keysOf(*table), keysOf(*afresh));
            }
            QVERIFY(!table->sortBy({{Column::RowSize, true, Aggregation::Max}}));
        }
    }
};
HIGHWATER_TEST(GroupedTableSortTest);
#include "grouped_table_sort_test.moc"
