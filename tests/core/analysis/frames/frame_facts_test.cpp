#include "core/analysis/columns/cell_text.h"
#include "core/analysis/table/table_search.h"
#include "tests/core/analysis/named_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

constexpr auto kMain = "C:\\src\\app\\main.cpp";
constexpr auto kRing = "C:\\src\\app\\ring.h";

Query withSource(std::vector<Column> keys) {
    auto query = heapQuery(std::move(keys));
    query.columns = {Column::SourceLine};
    return query;
}

/// All rows with their source, "text: file:line"; computed for each level as it is shown.
std::string sources(GroupedTable& table, GroupedTable::NodeId node = GroupedTable::kRoot, std::string indent = "\n") {
    std::string text;
    const auto children = table.children(node);
    if (!table.computeValues(children).hasValue()) return "stopped";
    for (const auto child : children) {
        text += indent + table.keyText(child) + ": " +
                plainText(Column::SourceLine, table.value(child, Column::SourceLine)) +
                sources(table, child, indent + "  ");
    }
    return text;
}

/// main (line 10 to 12) calls work, where push is inlined at line 20; crt!malloc is an allocator frame.
NamedTrace sourceTrace() {
    NamedTrace t;
    t.block(10, "app+0x10;app+0x110;crt+0x8");
    t.nameCode("app", {{0, {{"main", kMain, 10}}},
                       {0x18, {{"main", kMain, 12}}},
                       {0x100, {{"work", kMain, 20}, {"push", kRing, 7}}},
                       {0x120, {{"work", kMain, 25}}}});
    t.name("crt", {{0, "malloc"}});
    return t;
}

std::shared_ptr<const AllocatorFrames> allocators() { return std::make_shared<AllocatorFrames>("crt!malloc\n"); }

FrameFacts factsAt(NamedTrace& t, const Query& query, std::size_t levels) {
    auto table = t.table(query);
    auto node = GroupedTable::kRoot;
    for (std::size_t i = 0; i < levels; ++i)
        node = table->children(node).front();
    return table->frameFacts(node).value();
}

} // namespace

class FrameFactsTest : public QObject {
    Q_OBJECT
  private slots:
    void everyFrameShowsItsOwnLine() {
        auto t = sourceTrace();
        auto table = t.table(withSource({Column::Stack}));
        QCOMPARE(sources(*table), std::string("\napp!main: C:\\src\\app\\main.cpp:10"
                                              "\n  app!work: C:\\src\\app\\main.cpp:20"
                                              "\n    app!push [inlined]: C:\\src\\app\\ring.h:7"
                                              "\n      crt!malloc: "));
    }

    void severalLinesOfAFileAreARange() {
        auto t = sourceTrace();
        t.block(5, "app+0x1a;app+0x130;crt+0x8");
        auto table = t.table(withSource({Column::Stack}));
        const auto text = sources(*table);
        QVERIFY2(text.starts_with("\napp!main: C:\\src\\app\\main.cpp:10-12"
                                  "\n  app!work: C:\\src\\app\\main.cpp:20-25"),
                 text.c_str());
    }

    void backwardStacksShowTheSame() {
        auto t = sourceTrace();
        auto query = withSource({Column::StackBottomUp});
        query.allocatorFrames = allocators();
        QCOMPARE(sources(*t.table(query)), std::string("\napp!push [inlined]: C:\\src\\app\\ring.h:7"
                                                       "\n  app!work: C:\\src\\app\\main.cpp:20"
                                                       "\n    app!main: C:\\src\\app\\main.cpp:10"));
    }

    void theStackThatAllocatedShowsItsLinesFromEitherEnd() {
        auto t = sourceTrace();
        t.freed(10, "app+0x10;app+0x110;crt+0x8", "app+0x130;crt+0x40");
        auto query = freesQuery({Column::AllocStackBottomUp});
        query.columns = {Column::SourceLine};
        query.allocatorFrames = allocators();
        QCOMPARE(sources(*t.table(query)), std::string("\napp!push [inlined]: C:\\src\\app\\ring.h:7"
                                                       "\n  app!work: C:\\src\\app\\main.cpp:20"
                                                       "\n    app!main: C:\\src\\app\\main.cpp:10"));
        QCOMPARE(factsAt(t, query, 1).inlinedInto.front().name, std::string("work"));
        query.keys = {Column::Process}; // for rows that are not frames: where the block was freed
        QCOMPARE(sources(*t.table(query)), std::string("\na.exe (7): C:\\src\\app\\main.cpp:25"));
    }

    void otherGroupsShowTheLineThatAllocated() {
        auto t = sourceTrace();
        auto query = withSource({Column::Process});
        query.allocatorFrames = allocators();
        QCOMPARE(sources(*t.table(query)), std::string("\na.exe (7): C:\\src\\app\\ring.h:7"));
        t.block(5, "app+0x1a;app+0x130;crt+0x8");
        QCOMPARE(sources(*t.table(query)), std::string("\na.exe (7): ")); // two lines, so none is shown
    }

    void groupsByLine() {
        auto t = sourceTrace();
        t.block(5, "app+0x1a;app+0x130;crt+0x8");
        t.block(7, "other+0x10");
        auto query = heapQuery({Column::SourceLine});
        query.allocatorFrames = allocators();
        QCOMPARE(t.print(query), std::string("\nC:\\src\\app\\ring.h:7: 1 10 10\n(no source): 1 7 7\n"
                                             "C:\\src\\app\\main.cpp:25: 1 5 5\n"));
        query.keys = {Column::Process};
        query.columns = {{Column::SourceLine, Aggregation::UniqueCount}, {Column::SourceLine, Aggregation::Count}};
        auto table = t.table(query);
        const auto process = table->children(0).front();
        QVERIFY(table->computeValues(std::span(&process, 1)).hasValue());
        QVERIFY(table->value(process, query.columns[0]) == CellValue(std::int64_t{2}));
        QVERIFY(table->value(process, query.columns[1]) == CellValue(std::int64_t{2}));
    }

    void filtersAndFindsByFile() {
        auto t = sourceTrace();
        t.block(5, "app+0x1a;app+0x130;crt+0x8");
        auto query = heapQuery({Column::Stack});
        query.allocatorFrames = allocators();
        const auto ring = QueryExpression::parse(Table::Heap, "[Source File]:~=\"ring.h\"").value();
        auto filtered = query;
        filtered.filter.query = ring;
        QVERIFY(t.print(filtered).starts_with("\napp!main: 1 10 10\n  app!work"));
        // Search matches the shown text: the frame of that file.
        auto search = TableSearch::make(t.trace, t.labels, query, ring);
        QVERIFY(search.hasValue());
        const auto found = search.value()->next({}, TableSearch::Direction::Forward);
        QVERIFY(found.hasValue() && found.value());
        QCOMPARE(t.labels->text(LabelId{static_cast<std::uint32_t>(found.value()->back().key)}),
                 std::string("app!push [inlined]"));
    }

    void sortsByLine() {
        auto t = sourceTrace();
        t.block(500, "app+0x130");
        auto query = heapQuery({Column::Stack});
        query.sort = {{Column::SourceLine, false}};
        const auto text = t.print(query);
        const auto main = text.find("\napp!main: 1 10 10\n"), work = text.find("\napp!work: 1 500 500\n");
        QVERIFY2(main < work && work != std::string::npos, text.c_str());
    }

    void tellsAFunction() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110");
        t.block(5, "app+0x18;app+0x110");
        t.nameCode("app",
                   {{0, {{"?run@Ring@@QEAAXH@Z", kMain, 3, symbols::NameOrigin::Private, 2}}}, {0x100, {{"x"}}}});
        const auto facts = factsAt(t, heapQuery({Column::Stack}), 1);
        QVERIFY(facts.kind == FrameFacts::Kind::Function);
        QCOMPARE(facts.module, std::string("app"));
        QCOMPARE(facts.name, std::string("Ring::run(int)"));
        QCOMPARE(facts.foldedWith, 2u);
        QCOMPARE(facts.addresses, std::uint64_t{2});
        QCOMPARE(facts.highestAddress - facts.lowestAddress, Address{8});
        QVERIFY((facts.sources == std::vector<SourceRange>{{kMain, 3, 3}}));
        QVERIFY(!facts.isInlined && facts.inlinedInto.empty());
    }

    void tellsWhatAFunctionWasInlinedInto() {
        auto t = sourceTrace();
        const auto facts = factsAt(t, heapQuery({Column::Stack}), 3);
        QVERIFY(facts.isInlined);
        QCOMPARE(facts.name, std::string("push"));
        QVERIFY((facts.inlinedInto == std::vector<FrameFacts::Host>{{"work", {kMain, 20, 20}}}));
        NamedTrace two;
        two.block(10, "app+0x10");
        two.block(10, "app+0x110");
        two.nameCode("app", {{0, {{"a"}, {"push"}}}, {0x100, {{"b"}, {"push"}}}});
        const auto ofTwo = factsAt(two, heapQuery({Column::StackBottomUp}), 1);
        QCOMPARE(ofTwo.hosts, std::uint64_t{2});
        QVERIFY(ofTwo.isInlined && ofTwo.inlinedInto.empty());
    }

    void aNameFarAwayIsNoName() {
        NamedTrace t;
        t.block(10, "app+0x8000");
        t.block(5, "app+0x100");
        t.nameCode("app", {{0, {{"Exported", "", 0, symbols::NameOrigin::Export}}}}, 0x8001);
        const auto query = heapQuery({Column::Stack});
        QCOMPARE(t.print(query), std::string("\napp!+0x8000: 1 10 10\napp!Exported: 1 5 5\n"));
        const auto facts = factsAt(t, query, 1);
        QVERIFY(facts.kind == FrameFacts::Kind::Nameless);
        QCOMPARE(facts.name, std::string("Exported"));
        QVERIFY(facts.origin == symbols::NameOrigin::Export);
        QCOMPARE(facts.bytesBehindName, std::uint64_t{0x8000});
        // Debug files with private symbols contain the end of a function.
        t.nameCode("app", {{0, {{"Long"}}}}, 0x8001);
        QCOMPARE(t.print(query), std::string("\napp!Long: 2 15 15\n"));
    }

    void tellsCodeOfNoModuleAndRowsWithoutStack() {
        NamedTrace t;
        t.block(10, "");
        QVERIFY(factsAt(t, heapQuery({Column::Stack}), 1).kind == FrameFacts::Kind::NoStack);
        auto byProcess = t.table(heapQuery({Column::Process}));
        QVERIFY(!byProcess->frameFacts(byProcess->children(0).front()));
        const store::ProcessTable processes;
        RowCode jit;
        jit.place.address = 0x7ff812345678;
        const auto facts = factsOf(processes, std::span(&jit, 1));
        QVERIFY(facts.kind == FrameFacts::Kind::Unknown);
        QCOMPARE(facts.lowestAddress, Address{0x7ff812345678});
        QVERIFY(facts.module.empty() && facts.name.empty());
    }

    void switchesBetweenShortAndFullNames() {
        NamedTrace t;
        t.block(10, "app+0x10");
        t.block(5, "app+0x110");
        t.nameCode("app", {{0, {{"?run@Ring@@QEAAXH@Z"}}}, {0x100, {{"?run@Ring@@QEAAXN@Z"}}}});
        const auto query = heapQuery({Column::Stack});
        QCOMPARE(t.print(query), std::string("\napp!Ring::run: 2 15 15\n"));
        const auto path = t.onlyPath(query, 1);
        t.labels->setNameStyle(symbols::NameStyle::Full);
        QCOMPARE(t.print(query), std::string("\napp!Ring::run(int): 1 10 10\napp!Ring::run(double): 1 5 5\n"));
        auto keep = query;
        keep.filter.clauses.push_back({RowFilter::Clause::Mode::Keep, {path}});
        QCOMPARE(t.print(keep), t.print(query));
        t.labels->setNameStyle(symbols::NameStyle::Short);
        QCOMPARE(t.table(query)->renewed(path), path);
    }
};
HIGHWATER_TEST(FrameFactsTest);
#include "frame_facts_test.moc"
