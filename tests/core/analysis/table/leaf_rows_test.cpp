#include "core/analysis/columns/cell_text.h"
#include "core/analysis/rows/key_reader.h"
#include "core/analysis/table/grouped_table.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

constexpr unsigned kLeafSeeds = 300;

std::string plainSums(const RecountSums& s) {
    return fmt::format("count {} size {} impacting {} allocated {} freed {}", s.count, s.size, s.impacting, s.allocated,
                       s.freed);
}

std::int64_t amount(const CellValue& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    return number == nullptr ? 0 : *number;
}

/// The single rows of all leaves of a random table, page by page, against the rows of the recount.
class LeafComparison {
  public:
    LeafComparison(RandomTrace& random, const Publication& publication) : random_(random), publication_(publication) {
        query_.table = static_cast<Table>(random.pick(3));
        query_.interval = random.intervalOf(publication);
        query_.processExitFreesHeap = random.pick(3) == 0;
        query_.allocatorFrames = std::make_shared<AllocatorFrames>("D!*");
        query_.keys = {Column::Process};
        if (random.pick(2) == 0) query_.keys.push_back(Column::StackBottomUp);
        if (random.pick(4) == 0) query_.keys.push_back(Column::RowSize);
        if (random.pick(3) != 0) query_.columns = {Column::RowSize, {Column::Size, Aggregation::Max}, Column::EndTime};
        const std::vector<SortKey> sorts{{Column::Size, true},
                                         {Column::EndTime, false},
                                         {Column::Process, true},
                                         {Column::ImpactingSize, true},
                                         {Column::Count, true}};
        while (query_.sort.size() < 3 && random.pick(2) == 0)
            query_.sort.push_back(sorts[random.pick(static_cast<unsigned>(sorts.size()))]);
    }

    std::string run() {
        for (const auto& row : recount().members()) {
            const auto path = recount().path(row, query_.keys);
            expected_[path].push_back(row);
        }
        const auto table = GroupedTable::compute(publication_.trace, std::make_shared<FrameLabels>(), query_);
        if (!table.hasValue()) return table.error().message;
        table_ = table.value();
        return compareBelow(GroupedTable::kRoot, {});
    }
    std::size_t leaves = 0;

  private:
    Recount recount() const {
        return {publication_.model,          query_.table, query_.interval, publication_.trace->horizon,
                query_.processExitFreesHeap, "D"};
    }
    std::string compareBelow(GroupedTable::NodeId node, const TextPath& path) {
        const auto children = table_->children(node);
        if (children.empty() && node != GroupedTable::kRoot) return compareLeaf(node, path);
        if (table_->rowCount(node) != 0) return "rows of a node that has children";
        for (const auto child : children) {
            auto below = path;
            below.emplace_back(table_->column(child), table_->keyText(child));
            if (auto difference = compareBelow(child, below); !difference.empty()) return difference;
        }
        return {};
    }
    std::string compareLeaf(GroupedTable::NodeId leaf, const TextPath& path) {
        ++leaves;
        const auto& wanted = expected_[path];
        if (table_->rowCount(leaf) != wanted.size())
            return fmt::format("{} rows instead of {}", table_->rowCount(leaf), wanted.size());
        std::vector<GroupedTable::NodeId> rows;
        for (;;) {
            const auto page = table_->rows(leaf, rows.size(), 1 + random_.pick(3));
            if (!table_->computeValues(page).hasValue()) return "not computed";
            if (page.empty()) break;
            rows.insert(rows.end(), page.begin(), page.end());
        }
        if (table_->rows(leaf, 0, rows.size() + 5) != rows) return "other rows the second time";
        std::vector<std::string> got;
        for (const auto row : rows)
            got.push_back(describeNode(row));
        std::vector<std::string> texts;
        for (const auto& row : wanted)
            texts.push_back(describeRow(row));
        std::sort(got.begin(), got.end());
        std::sort(texts.begin(), texts.end());
        if (got != texts) return fmt::format("\n{}\ninstead of\n{}", fmt::join(got, "\n"), fmt::join(texts, "\n"));
        return isSorted(rows) ? std::string() : "not sorted";
    }
    std::string describeNode(GroupedTable::NodeId row) const {
        const auto& reader = table_->reader();
        const auto numbers = table_->numbersOf(row);
        RecountSums sums;
        sums.count = amount(table_->value(row, Column::Count));
        sums.size = amount(table_->value(row, Column::Size));
        sums.impacting = amount(table_->value(row, Column::ImpactingSize));
        sums.allocated = amount(table_->value(row, Column::Allocated));
        sums.freed = amount(table_->value(row, Column::Freed));
        auto text = table_->keyText(row);
        for (const auto column : {Column::BeginTime, Column::EndTime, Column::RowSize})
            text += " " + reader.text(column, reader.key(column, numbers));
        for (const auto& column : query_.columns)
            text += " " + plainText(column, table_->value(row, column));
        const auto thread = table_->threadOf(row);
        return text + " thread " + (thread ? std::to_string(*thread) : "(unknown)") + " " + plainSums(sums);
    }
    std::string describeRow(const RecountRow& row) const {
        std::string text;
        for (const auto column : {Column::Address, Column::BeginTime, Column::EndTime, Column::RowSize})
            text += (text.empty() ? "" : " ") + recount().keyText(row, column);
        for (const auto& column : query_.columns) {
            auto value = column.aggregation == Aggregation::Own ? recount().keyText(row, column.column)
                                                                : recount().valueText({row}, column);
            if (!value.empty() && readsAsNoValue(value)) value.clear(); // is not a value
            text += " " + value;
        }
        return text + " thread " + recount().keyText(row, Column::Thread) + " " + plainSums(recount().sums({row}));
    }
    /// By the first sort key that has a value for a row.
    bool isSorted(const std::vector<GroupedTable::NodeId>& rows) const {
        auto sort = query_.sort;
        if (sort.empty()) sort.push_back({Column::Size, true});
        const auto by = std::find_if(sort.begin(), sort.end(), [](const SortKey& key) {
            return key.column != Column::Process && key.column != Column::Count;
        });
        for (std::size_t i = 1; i < rows.size(); ++i) {
            const bool isByRow = by == sort.end();
            const auto first = isByRow ? CellValue() : rank(rows[i - 1], *by);
            const auto second = isByRow ? CellValue() : rank(rows[i], *by);
            if (first == second) {
                if (table_->key(rows[i - 1]) >= table_->key(rows[i])) return false; // as they were made
            } else if (second.index() != 0 &&
                       (first.index() == 0 || (by->descending ? first < second : second < first))) {
                return false;
            }
        }
        return true;
    }
    CellValue rank(GroupedTable::NodeId row, const SortKey& by) const {
        if (by.column != Column::EndTime) return table_->value(row, by.column);
        const auto end = table_->numbersOf(row).end;
        return end == kNever ? CellValue() : CellValue(end);
    }

    RandomTrace& random_;
    const Publication& publication_;
    Query query_;
    std::map<TextPath, std::vector<RecountRow>> expected_;
    std::shared_ptr<GroupedTable> table_;
};

} // namespace

class LeafRowsTest : public QObject {
    Q_OBJECT
  private slots:
    void equalTheRecount() {
        std::size_t leaves = 0;
        for (unsigned seed = 0; seed < kLeafSeeds; ++seed) {
            RandomTrace trace(seed, seed % 2 == 0 ? RandomTrace::Cuts::None : RandomTrace::Cuts::Some);
            for (const auto& publication : trace.publications()) {
                LeafComparison comparison(trace, publication);
                const auto difference = comparison.run();
                leaves += comparison.leaves;
                QVERIFY2(difference.empty(), fmt::format("seed {}: {}", seed, difference).c_str());
            }
        }
        QVERIFY(leaves > kLeafSeeds);
    }
    /// A filter made from a single row keeps only that row.
    void aRowIsAFilter() {
        RandomTrace trace(7, RandomTrace::Cuts::None);
        const auto& publication = trace.publications().back();
        Query query;
        query.table = Table::Heap;
        query.interval = {TraceTime{0}, publication.trace->horizon};
        query.keys = {Column::Process};
        const auto labels = std::make_shared<FrameLabels>();
        const auto table = GroupedTable::compute(publication.trace, labels, query).value();
        const auto leaves = table->children(GroupedTable::kRoot);
        QVERIFY(!leaves.empty());
        const auto rows = table->rows(leaves.front(), 0, 100);
        QVERIFY(rows.size() > 1);
        for (const auto row : rows) {
            auto filtered = query;
            filtered.filter.clauses = {{RowFilter::Clause::Mode::Keep, {table->path(row)}}};
            const auto one = GroupedTable::compute(publication.trace, labels, filtered);
            QVERIFY2(one.hasValue(), one.hasValue() ? "" : one.error().message.c_str());
            QCOMPARE(amount(one.value()->value(GroupedTable::kRoot, Column::Count)), std::int64_t{1});
            QCOMPARE(one.value()->value(GroupedTable::kRoot, Column::Size), table->value(row, Column::Size));
        }
    }
    void stopsWithoutRows() {
        RandomTrace trace(7, RandomTrace::Cuts::None);
        const auto& publication = trace.publications().back();
        Query query;
        query.table = Table::Heap;
        query.interval = {TraceTime{0}, publication.trace->horizon};
        query.keys = {Column::Process};
        const auto table = GroupedTable::compute(publication.trace, std::make_shared<FrameLabels>(), query).value();
        const auto leaf = table->children(GroupedTable::kRoot).front();
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY(table->rows(leaf, 0, 10, stopped.get_token()).empty());
        QVERIFY(!table->rows(leaf, 0, 10).empty());
    }
};
HIGHWATER_TEST(LeafRowsTest);
#include "leaf_rows_test.moc"
