#include "core/analysis/columns/column_set.h"
#include "core/analysis/columns/column_specs.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string>
#include <string_view>

using namespace highwater;
using namespace highwater::analysis;

namespace {

/// The names of all columns of a table.
std::string namesOf(Table table) {
    std::string names;
    for (const auto column : columnsOf(table))
        names += fmt::format("{}{}", names.empty() ? "" : ", ", columnName(table, column));
    return names;
}

} // namespace

/// The rules that the table of columns must satisfy for every column, including new ones.
class ColumnSpecsTest : public QObject {
    Q_OBJECT
  private slots:
    void everyColumnIsInATableAndHasANameOfItsOwnThere() {
        for (const auto& spec : kColumnSpecs) {
            if (spec.column == Column::Allocation) continue; // below the last key of any
            QVERIFY2(std::any_of(kTables.begin(), kTables.end(), [&](auto t) { return hasColumn(t, spec.column); }),
                     spec.name.data());
        }
        for (const auto table : kTables) {
            std::set<std::string_view> names;
            for (const auto column : columnsOf(table)) {
                const auto name = columnName(table, column);
                QVERIFY(!name.empty());
                QVERIFY2(names.insert(name).second, name.data());
                QVERIFY2(parseColumn(table, name) == column, name.data());
            }
        }
    }
    void aliasesLeadToTheirColumnWhereATableHasIt() {
        for (const auto& spec : kColumnSpecs) {
            for (const auto alias : spec.aliases) {
                if (alias.empty()) continue;
                for (const auto table : kTables)
                    QVERIFY2((parseColumn(table, alias) == spec.column) == hasColumn(table, spec.column), alias.data());
            }
        }
    }
    void everyColumnIsDefinedInASentence() {
        for (const auto& spec : kColumnSpecs) {
            const std::string_view definition = spec.definition;
            QVERIFY2(definition.ends_with('.'), spec.name.data());
        }
    }
    void everyColumnOffersFirstWhatItDoesByItself() {
        for (const auto table : kTables) {
            for (const auto column : columnsOf(table)) {
                const auto offered = aggregationsOf(table, column);
                QVERIFY2(!offered.empty(), columnName(table, column).data());
                QVERIFY2(normalized({column, offered.front()}) == normalized(column), columnName(table, column).data());
            }
        }
    }
    void wordsHaveOneKeyEach() {
        for (const auto& spec : kColumnSpecs) {
            std::set<std::uint64_t> keys;
            for (const auto& word : spec.words) {
                QVERIFY2(keys.insert(word.key).second, spec.name.data());
                QCOMPARE(enumText(spec.column, word.key), std::string(word.text));
            }
        }
    }
    void aKeyWithoutAWordIsUnknown() {
        QCOMPARE(enumText(Column::Source, 99), std::string("Unknown (99)"));
        QVERIFY(findWord(Column::Source, 99) == nullptr);
        QCOMPARE(enumText(Column::Thread, 99), std::string());
    }
    void tablesOfferTheirColumnsInAnOrderOfTheirOwn() {
        QCOMPARE(namesOf(Table::VirtualAlloc),
                 std::string(
                     "Process, Process Name, PID, Committing ThreadId, Thread Name, Type, Impacting Type, Commit "
                     "Stack, Commit Stack (bottom-up), Stack Tag, Stack (Frame Tags), Source File:Line, Owner, "
                     "Annotation, FreeType, Address, Page "
                     "Address, "
                     "Generation, "
                     "Commit Time, "
                     "Decommit Time, Commit LifeTime, SelectionLifeTime, Survived Marks, Allocation Size, Count, Size, "
                     "Impacting "
                     "Size, Allocated, Freed, Peak Size, Peak Time, Slope, Trend, Resident, Held Pages"));
        QCOMPARE(
            namesOf(Table::Heap),
            std::string("Process, Process Name, PID, Handle, Thread, Thread Name, Type, Impacting Type, Stack, "
                        "Stack (bottom-up), Stack Tag, Stack (Frame Tags), "
                        "Source File:Line, Annotation, Source, Is Realloc, Temporary, FreeType, Address, Page Address, "
                        "Generation, AllocTime, "
                        "FreeTime, LifeTime, SelectionLifeTime, Survived Marks, Allocation Size, Reachability, Holder, "
                        "Object Type, Count, "
                        "Size, Impacting Size, "
                        "Allocated, Freed, Peak Size, Peak Time, Slope, Trend, Resident, Held Pages, Retained"));
        QCOMPARE(
            namesOf(Table::Frees),
            std::string(
                "Process, Process Name, PID, Handle, Thread, Thread Name, FreeType, Memory, Stack, Stack (bottom-up), "
                "Stack Tag, Stack (Frame Tags), "
                "Alloc Stack, Alloc Stack (bottom-up), Alloc Stack Tag, Alloc Stack (Frame Tags), Source File:Line, "
                "Annotation, Address, Page Address, AllocTime, "
                "FreeTime, "
                "LifeTime, "
                "Allocation Size, Count, Size, Freed"));
        QCOMPARE(namesOf(Table::Managed),
                 std::string("Process, Process Name, PID, Type, Kind, Thread, Thread Name, Stack, Stack (bottom-up), "
                             "Stack Tag, Stack (Frame Tags), Source File:Line, Annotation, Generation, Time, "
                             "Allocation Size, Count, Size"));
        QCOMPARE(namesOf(Table::GcHeap),
                 std::string("Process, Process Name, PID, Generation, Time, Generation Size, Count, Impacting Size, "
                             "Peak Size, Peak Time, Slope, Trend"));
    }
    void beginsWithTheLargestOfAmounts() {
        for (const auto amount :
             {Column::Size, Column::ImpactingSize, Column::LifeTime, Column::Count, Column::RowSize})
            QVERIFY2(startsDescending(amount), specOf(amount).name.data());
        for (const auto other : {Column::Process, Column::Pid, Column::Thread, Column::BeginTime, Column::Address})
            QVERIFY2(!startsDescending(other), specOf(other).name.data());
        QVERIFY(startsDescending({Column::Pid, Aggregation::UniqueCount}));
        QVERIFY(!startsDescending({Column::BeginTime, Aggregation::Max}));
    }
    void describesAmountsAsTheTableCountsThem() {
        QCOMPARE(columnDefinition(Table::Heap, Column::Count),
                 "Allocations that are outstanding during any part of the interval.");
        QCOMPARE(columnDefinition(Table::Frees, Column::Count), "Releases of memory inside the interval.");
        QCOMPARE(columnDefinition(Table::Frees, Column::Size), "Bytes released inside the interval.");
        QCOMPARE(columnDefinition(Table::Frees, Column::EndTime), "When the memory was released.");
        QCOMPARE(columnDefinition(Table::Snapshot, Column::Count),
                 "Blocks that were outstanding at the time of the snapshot.");
        QCOMPARE(columnDefinition(Table::Snapshot, Column::Size),
                 "Total size of the blocks that were outstanding at the time of the snapshot.");
        for (const auto column : {Column::Stack, Column::StackBottomUp}) {
            const std::string_view text = columnDefinition(Table::Frees, column);
            QVERIFY(text.starts_with("The call stack that released the memory"));
        }
    }
    void hasNoPeaksWhereNothingIsOutstanding() {
        const auto offersPeak = [](Table table, Column column) {
            const auto offered = aggregationsOf(table, column);
            return std::find(offered.begin(), offered.end(), Aggregation::Peak) != offered.end();
        };
        QVERIFY(offersPeak(Table::Heap, Column::Size));
        QVERIFY(offersPeak(Table::Heap, Column::Count));
        QVERIFY(!offersPeak(Table::Frees, Column::Size));
        QVERIFY(!offersPeak(Table::Frees, Column::Count));
    }
};
HIGHWATER_TEST(ColumnSpecsTest);
#include "column_specs_test.moc"
