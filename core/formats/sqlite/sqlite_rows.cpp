#include "core/formats/sqlite/sqlite_rows.h"

#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/row_selection.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace highwater::formats {
namespace {

using analysis::Column, analysis::RowFacts, analysis::Table;

constexpr std::size_t kRowsPerStop = 16'384;

/// Columns of all row tables, in the order of writeRow().
constexpr auto kOfAll =
    "id INTEGER PRIMARY KEY, process INTEGER NOT NULL, thread INTEGER, begin_ns INTEGER, end_ns INTEGER, "
    "size INTEGER NOT NULL, type TEXT NOT NULL, allocated INTEGER NOT NULL, freed INTEGER NOT NULL, "
    "impacting INTEGER NOT NULL, stack INTEGER NOT NULL";
constexpr int kColumnsOfAll = 11;
constexpr auto kOfEnds = "address INTEGER NOT NULL, free_type TEXT, free_thread INTEGER, free_stack INTEGER";
constexpr int kColumnsOfEnds = 4;

struct RowTable {
    Table table;
    const char* name;
    const char* more; ///< columns of this table
    int columns;      ///< number of its columns
    bool hasEnds;     ///< whether it has columns about frees
};
constexpr std::array kRowTables{
    RowTable{Table::Heap, "heap_allocations", ", heap INTEGER NOT NULL, source TEXT, is_realloc INTEGER NOT NULL", 3,
             true},
    RowTable{Table::VirtualAlloc, "virtualalloc_commits", "", 0, true},
    RowTable{Table::Managed, "managed_allocations", ", object_type TEXT, kind TEXT", 2, false},
    RowTable{Table::GcHeap, "gc_heap_sizes", ", generation TEXT", 1, false},
};

const RowTable& rowTableOf(Table table) {
    return *std::find_if(kRowTables.begin(), kRowTables.end(), [&](const auto& of) { return of.table == table; });
}

/// Texts of a small number of keys, each requested once.
class KeyTexts {
  public:
    explicit KeyTexts(const analysis::KeyReader& reader) : reader_(reader) {}
    const std::string& of(Column column, std::uint64_t key) {
        auto& text = texts_[{column, key}];
        if (text.empty()) text = reader_.text(column, key);
        return text;
    }

  private:
    const analysis::KeyReader& reader_;
    std::map<std::pair<Column, std::uint64_t>, std::string> texts_;
};

} // namespace

std::string sqlOfRowTables() {
    std::string sql;
    for (const auto& of : kRowTables)
        sql += fmt::format("CREATE TABLE {}({}{}{}{});\n", of.name, kOfAll, of.hasEnds ? ", " : "",
                           of.hasEnds ? kOfEnds : "", of.more);
    return sql + "CREATE TABLE partial_releases(row_table TEXT NOT NULL, row INTEGER NOT NULL, time_ns INTEGER NOT "
                 "NULL, size INTEGER NOT NULL);\n";
}

/// The rows of one selection.
class SqliteRows::TableRows {
  public:
    TableRows(SqliteRows& of, const analysis::RowSelection& selection, const analysis::RowPopulation& rows,
              const RowTable& table)
        : of_(of),
          rows_(rows),
          table_(table),
          texts_(selection.reader()),
          insert_(of.database_, table.name, kColumnsOfAll + (table.hasEnds ? kColumnsOfEnds : 0) + table.columns),
          partials_(of.database_, "partial_releases", 4) {}

    void write(RowId row) {
        const auto facts = rows_.facts(row);
        const auto& view = rows_.rows().view();
        const auto& site = view.site(row);
        const auto& heap = of_.trace_.heapOf(site);
        insert_.add(static_cast<std::int64_t>(row) + 1)
            .add(static_cast<std::int64_t>(heap.process.value) + 1)
            .addIf(site.thread.isKnown(), site.thread.value)
            .addIf(facts.begin != kBeforeTrace, facts.begin.ns)
            .addIf(facts.end != kNever, facts.end.ns)
            .add(static_cast<std::int64_t>(facts.size))
            .addWord(texts_.of(Column::Type, static_cast<std::uint64_t>(facts.key.type)))
            .add(static_cast<std::int64_t>(facts.sums.allocated))
            .add(static_cast<std::int64_t>(facts.sums.freed))
            .add(static_cast<std::int64_t>(facts.sums.impacting))
            .add(stackOf(site));
        if (table_.hasEnds) addEnd(row, facts);
        addOwn(site, heap, facts);
        insert_.insert();
        for (const auto& partial : rows_.rows().partialsOf(row))
            partials_.addWord(table_.name)
                .add(static_cast<std::int64_t>(row) + 1)
                .add(partial.time.ns)
                .add(static_cast<std::int64_t>(partial.bytes))
                .insert();
    }

  private:
    std::int64_t stackOf(const store::Site& site) {
        if (site.stack.value < of_.isStackUsed_.size()) of_.isStackUsed_[site.stack.value] = true;
        return site.stack.value;
    }
    void addEnd(RowId row, const RowFacts& facts) {
        const auto& view = rows_.rows().view();
        insert_.add(static_cast<std::int64_t>(facts.address));
        if (facts.key.freeType == 0)
            insert_.addNull();
        else
            insert_.addWord(texts_.of(Column::FreeType, facts.key.freeType));
        const auto* end = facts.end != kNever && view.end(row) != kNever ? &view.endSite(row) : nullptr;
        const bool hasStack = end != nullptr && end->stack.value != 0;
        insert_.addIf(end != nullptr && end->thread.isKnown(), end == nullptr ? 0 : end->thread.value)
            .addIf(hasStack, hasStack ? stackOf(*end) : 0);
    }
    void addOwn(const store::Site& site, const store::Heap& heap, const RowFacts& facts) {
        switch (table_.table) {
        case Table::Heap:
            insert_.add(site.heap.value).addWord(texts_.of(Column::Source, site.kind)).add(facts.key.isRealloc ? 1 : 0);
            return;
        case Table::Managed:
            insert_.addText(of_.trace_.columns->names->managedTypes.name(heap.managedType))
                .addWord(texts_.of(Column::ManagedKind, site.kind));
            return;
        case Table::GcHeap:
            insert_.addWord(texts_.of(Column::GcGeneration, site.kind));
            return;
        default:
            return;
        }
    }

    SqliteRows& of_;
    const analysis::RowPopulation& rows_;
    const RowTable& table_;
    KeyTexts texts_;
    SqliteInsert insert_;
    SqliteInsert partials_;
};

Result<std::size_t> SqliteRows::write(const SqliteRowsQuery& query, const std::stop_token& stop,
                                      const exports::ExportProgress& progress) {
    if (trace_.table(analysis::rowsOf(query.table)).rows == 0) return std::size_t{0};
    analysis::ColumnSet columns;
    for (const auto column : {Column::Type, Column::FreeType, Column::IsRealloc})
        if (analysis::hasColumn(query.table, column)) columns.add(column);
    const auto selection = TRY(analysis::RowSelection::make(
        trace_, labels_,
        {query.table, query.interval, analysis::Membership::Table, columns, &query.filter, query.processExitFreesHeap},
        stop));
    const auto* rows = dynamic_cast<const analysis::RowPopulation*>(&selection->population());
    if (rows == nullptr) return std::size_t{0};
    TableRows table(*this, *selection, *rows, rowTableOf(query.table));
    std::size_t count = 0;
    const auto write = [&](analysis::RowRef row) {
        if (stop.stop_requested() || database_.hasFailed()) return;
        table.write(static_cast<RowId>(row));
        ++count;
        if (++written_ % kRowsPerStop == 0 && progress) progress(written_);
    };
    if (const auto& single = selection->singleRows()) {
        std::for_each(single->begin(), single->end(), write);
    } else {
        (void)rows->visitMembers(1, stop, [&](unsigned, std::span<const analysis::Member> members) {
            for (const auto& member : members)
                write(member.row);
        });
    }
    if (stop.stop_requested()) return analysis::cancelled();
    return count;
}

} // namespace highwater::formats
