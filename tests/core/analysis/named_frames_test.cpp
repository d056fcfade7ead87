#include "core/analysis/table/table_search.h"
#include "tests/core/analysis/named_trace.h"
#include "tests/core/analysis/printed_table.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

class NamedFramesTest : public QObject {
    Q_OBJECT
  private slots:
    void mergesTheAddressesOfAFunction() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110;lib+0x5");
        t.block(30, "app+0x18;app+0x130;lib+0x5");
        const auto query = heapQuery({Column::Stack});
        QCOMPARE(t.print(query), std::string("\napp!+0x18: 1 30 30\n  app!+0x130: 1 30 30\n    lib!+0x5: 1 30 30\n"
                                             "app!+0x10: 1 10 10\n  app!+0x110: 1 10 10\n    lib!+0x5: 1 10 10\n"));
        t.name("app", {{0, "main"}, {0x100, "work"}});
        QCOMPARE(t.print(query), std::string("\napp!main: 2 40 40\n  app!work: 2 40 40\n    lib!+0x5: 2 40 40\n"));
        t.forget("app");
        QVERIFY(t.print(query).starts_with("\napp!+0x18: 1 30 30\n"));
    }

    void showsShortNames() {
        NamedTrace t;
        t.block(10, "app+0x10");
        t.name("app", {{0, "?push@?$Ring@H@buffers@@QEAAXH@Z"}});
        QCOMPARE(t.print(heapQuery({Column::Stack})), std::string("\napp!buffers::Ring<>::push: 1 10 10\n"));
    }

    void asksForTheCallOfACallerAndTheInstructionOfALeaf() {
        NamedTrace t;
        t.block(10, "app+0x20;app+0x100");
        t.name("app", {{0, "main"}, {0x20, "next"}, {0x100, "leaf"}});
        QCOMPARE(t.print(heapQuery({Column::Stack})), std::string("\napp!main: 1 10 10\n  app!leaf: 1 10 10\n"));
    }

    void namesALeafThatTurnsOutToBeACallerToo() {
        NamedTrace t;
        t.block(10, "app+0x20");
        t.name("app", {{0, "main"}, {0x20, "next"}});
        QCOMPARE(t.print(heapQuery({Column::Stack})), std::string("\napp!next: 1 10 10\n"));
        t.block(5, "app+0x20;app+0x30");
        QCOMPARE(t.print(heapQuery({Column::Stack})), std::string("\napp!main: 2 15 15\n  app!next: 1 5 5\n"));
    }

    void keepsLabelsWhileNothingIsNamed() {
        NamedTrace t;
        t.block(10, "app+0x20;lib+0x30");
        const auto before = t.labels->labelsOf(*t.trace);
        QVERIFY(t.labels->labelsOf(*t.trace) == before);
        t.name("app", {{0, "main"}});
        const auto after = t.labels->labelsOf(*t.trace);
        QVERIFY(after != before);
        QVERIFY(t.labels->labelsOf(*t.trace) == after);
        std::size_t changed = 0;
        for (std::size_t i = 0; i < after->size(); ++i)
            changed += (*after)[i] != (*before)[i] ? 1 : 0;
        QCOMPARE(changed, std::size_t{1}); // lib's is unchanged
    }

    void filtersFromBeforeTheNamesKeepTheirRows() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110");
        t.block(100, "other+0x10;app+0x110");
        const auto query = heapQuery({Column::Stack});
        auto grouped = t.table(query);
        const auto path = grouped->path(grouped->children(grouped->children(0).back()).front());
        const auto keep = keeping(query, path);
        const auto remove = keeping(query, path, RowFilter::Clause::Mode::Remove);
        QCOMPARE(t.print(keep), std::string("\napp!+0x10: 1 10 10\n  app!+0x110: 1 10 10\n"));
        t.name("app", {{0, "main"}, {0x100, "work"}});
        QCOMPARE(t.print(keep), std::string("\napp!main: 1 10 10\n  app!work: 1 10 10\n"));
        QCOMPARE(t.print(remove), std::string("\nother!+0x10: 1 100 100\n  app!work: 1 100 100\n"));
        t.forget("app");
        QCOMPARE(t.print(keep), std::string("\napp!+0x10: 1 10 10\n  app!+0x110: 1 10 10\n"));
    }

    void aFilterByFunctionKeepsItsAddressesWhenNamesAreTakenBack() {
        NamedTrace t;
        t.block(10, "app+0x10");
        t.block(30, "app+0x18");
        t.block(100, "app+0x150");
        t.name("app", {{0, "main"}, {0x100, "work"}});
        const auto query = heapQuery({Column::Stack});
        auto grouped = t.table(query);
        const auto keep = keeping(query, grouped->path(grouped->children(0).back())); // main
        QCOMPARE(t.print(keep), std::string("\napp!main: 2 40 40\n"));
        t.forget("app");
        QCOMPARE(t.print(keep), std::string("\napp!+0x18: 1 30 30\napp!+0x10: 1 10 10\n"));
    }

    void bottomUpFiltersSurviveThatOtherFramesAreAllocatorFrames() {
        NamedTrace t;
        t.block(10, "app+0x10;crt+0x8;nt+0x4");
        auto query = heapQuery({Column::StackBottomUp});
        query.allocatorFrames = std::make_shared<AllocatorFrames>("nt!+0x*\ncrt!malloc\n");
        QCOMPARE(t.print(query), std::string("\ncrt!+0x8: 1 10 10\n  app!+0x10: 1 10 10\n"));
        const auto path = t.onlyPath(query, 2);
        t.block(500, "other+0x10;crt+0x8;nt+0x4");
        t.name("crt", {{0, "malloc"}});
        t.name("app", {{0, "main"}});
        const auto keep = keeping(query, path);
        QCOMPARE(t.print(keep), std::string("\napp!main: 1 10 10\n"));
        QCOMPARE(t.table(query)->renewed(path), (t.onlyPath(keep, 1)));
        t.name("nt", {{0, "Loader"}}); // not an allocator frame any more, now that it has a name
        QCOMPARE(t.print(keep), std::string("\nnt!Loader: 1 10 10\n  crt!malloc: 1 10 10\n    app!main: 1 10 10\n"));
    }

    void theStackThatAllocatedIsReadFromItsLeafToo() {
        NamedTrace t;
        t.freed(10, "app+0x10;crt+0x8;nt+0x4", "app+0x90;nt+0x40");
        t.freed(500, "other+0x10;crt+0x9;nt+0x4", "app+0x90;nt+0x40");
        auto query = freesQuery({Column::AllocStackBottomUp});
        query.allocatorFrames = std::make_shared<AllocatorFrames>("nt!+0x*\ncrt!malloc\n");
        QCOMPARE(t.print(query), std::string("\ncrt!+0x9: 1 500 \n  other!+0x10: 1 500 \n"
                                             "crt!+0x8: 1 10 \n  app!+0x10: 1 10 \n"));
        auto grouped = t.table(query);
        const auto path = grouped->path(grouped->children(grouped->children(0).back()).front());
        t.name("crt", {{0, "malloc"}});
        t.name("app", {{0, "main"}});
        QCOMPARE(t.print(keeping(query, path)), std::string("\napp!main: 1 10 \n"));
        QCOMPARE(t.table(query)->renewed(path), t.onlyPath(keeping(query, path), 1));
        query.keys = {Column::StackBottomUp};
        QCOMPARE(t.print(query), std::string("\napp!main: 2 510 \n")); // the function that freed: also main
        query.keys = {Column::AllocStack, Column::AllocStackBottomUp};
        QCOMPARE(t.print(keeping(query, path)),
                 std::string("\napp!main: 1 10 \n  crt!malloc: 1 10 \n    nt!+0x4: 1 10 \n"
                             "      app!main: 1 10 \n"));
    }

    void findsAsWellByTheOtherEndOfTheStackThatAllocated() {
        NamedTrace t;
        t.freed(10, "app+0x10;lib+0x10", "app+0x90");
        const auto asks = [&t](const char* text) {
            const auto query = QueryExpression::parse(Table::Frees, text);
            auto search = TableSearch::make(t.trace, t.labels, freesQuery({Column::AllocStackBottomUp}), query.value());
            return search.value()->count().value().count;
        };
        QCOMPARE(asks("[Alloc Stack (bottom-up)]:~=\"lib\""), std::uint64_t{1});
        QCOMPARE(asks("[Alloc Stack]:~=\"lib\""), std::uint64_t{1});
        QCOMPARE(asks("[Stack]:~=\"lib\""), std::uint64_t{0}); // another call
        QCOMPARE(asks("[Stack (bottom-up)]:~=\"app\""), std::uint64_t{0});
    }

    void searchesGoOnFromARowThatWasNamedSince() {
        NamedTrace t;
        t.block(30, "app+0x10;lib+0x10");
        t.block(10, "app+0x110;lib+0x20");
        const auto query = heapQuery({Column::Stack});
        const auto from = t.onlyPath(query, 1); // app!+0x10
        t.name("app", {{0, "main"}, {0x100, "work"}});
        const auto find = QueryExpression::parse(Table::Heap, "Stack:~=\"lib!+0x20\"");
        QVERIFY(find.hasValue());
        auto search = TableSearch::make(t.trace, t.labels, query, find.value());
        QVERIFY(search.hasValue());
        const auto found = search.value()->next(from, TableSearch::Direction::Forward);
        QVERIFY(found.hasValue() && found.value());
        auto grouped = t.table(query);
        QCOMPARE(*found.value(), grouped->path(grouped->children(grouped->children(0).back()).front()));
        QCOMPARE(grouped->renewed(from), grouped->path(grouped->children(0).front()));
    }
};
HIGHWATER_TEST(NamedFramesTest);
#include "named_frames_test.moc"
