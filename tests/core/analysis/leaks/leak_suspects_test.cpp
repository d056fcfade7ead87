#include "core/analysis/leaks/leak_suspects.h"

#include "core/analysis/table/grouped_table.h"
#include "tests/core/analysis/blocks_trace.h"
#include "tests/core/analysis/held/held_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// In a.exe, "main;leak" keeps one block of 10 bytes at 100, 110, ..., and "main;work" frees all its blocks; b.exe
/// keeps one block.
std::vector<BlockOfTest> blocksOfTwoPrograms() {
    std::vector<BlockOfTest> blocks;
    for (std::int64_t time = 100; time < 1000; time += 10) {
        blocks.push_back({time, 0, 10, "main;leak", 0, 1});
        blocks.push_back({time, time + 3, 500, "main;work", 0, 1});
    }
    blocks.push_back({500, 0, 77, "main;once", 1, 2});
    return blocks;
}

LeakQuery leakQuery(std::int64_t start = 0, std::int64_t end = 1000) {
    LeakQuery query;
    query.interval = {TraceTime{start}, TraceTime{end}};
    return query;
}

/// A heap block every 10 ns, and pages: a larger leak, one commit that stays, and commits that are released.
std::shared_ptr<const store::PublishedTrace> traceOfBothTables(bool hasBlocks = true, bool hasPages = true) {
    ColumnsBuilder builder;
    builder.process("a.exe", 7, TraceTime{0});
    Address next = 0x1000;
    const auto add = [&](store::TableKind table, std::int64_t time, ByteCount size, const char* stack) {
        ModelRow row;
        row.table = table;
        row.heap = table == store::TableKind::Heap ? 0x10000 : 0;
        row.begin = TraceTime{time};
        row.size = size;
        row.stack = stack;
        row.address = next += 0x1000;
        return builder.alloc(row);
    };
    for (std::int64_t time = 100; time < 1000; time += 10) {
        if (hasBlocks) (void)add(store::TableKind::Heap, time, 10, "main;leak");
        if (hasBlocks && time == 300) (void)add(store::TableKind::Heap, time, 40, "main;one");
        if (!hasPages) continue;
        (void)add(store::TableKind::VirtualAlloc, time, 4096, "main;map");
        if (time == 300) (void)add(store::TableKind::VirtualAlloc, time, 1 << 20, "main;arena");
    }
    return builder.publish(TraceTime{1000});
}

/// "main;leak" grows and is held; of "main;big" and "main;small", one block each is unreachable in a picture at 950.
std::shared_ptr<const store::PublishedTrace> picturedTrace(int otherStacks = 0) {
    ColumnsBuilder builder;
    builder.process("a.exe", 7, TraceTime{0});
    Address next = 0x1000;
    ModelPicture picture{0, TraceTime{950}, {}};
    const auto add = [&](std::int64_t time, ByteCount size, const std::string& stack, const ModelHeld& held) {
        ModelRow row;
        row.heap = 0x10000;
        row.begin = TraceTime{time};
        row.size = size;
        row.stack = stack;
        row.address = next += 0x1000;
        picture.blocks[builder.alloc(row)] = held;
    };
    const ModelHeld held{.root = "app!g_list"}, leaked{.reachability = Reachability::Unreachable};
    for (std::int64_t time = 100; time < 900; time += 10) {
        add(time, 10, "main;leak", held);
        if (time == 200) add(time, 5, "main;small", leaked);
        if (time == 500) add(time, 700, "main;big", leaked);
        if (time == 500) add(time, 900, "main;held", held);
        if (time == 500)
            for (int i = 0; i < otherStacks; ++i)
                add(time, 20, "main;f" + std::to_string(i), held);
    }
    builder.picture(std::move(picture));
    return builder.publish(TraceTime{1000});
}

LeakReport leaksOf(const store::PublishedTrace& trace, const LeakQuery& query) {
    FrameLabels labels;
    auto report = findLeaks(trace, labels, query);
    if (!report.hasValue()) qFatal("%s", report.error().message.c_str());
    return std::move(report).value();
}

} // namespace

class LeakSuspectsTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const store::PublishedTrace> trace_ = traceOfBlocks(blocksOfTwoPrograms());

  private slots:
    void whatGrowsComesFirst() {
        const auto report = leaksOf(*trace_, leakQuery());
        QCOMPARE(report.count, std::size_t{2});
        const auto& first = report.suspects[0];
        QCOMPARE(first.stack, (std::vector<std::string>{"leak!+0x1", "main!+0x1"}));
        QCOMPARE(first.verdict, LeakVerdict::Growing);
        QCOMPARE(first.keptCount, std::uint64_t{90});
        QCOMPARE(first.process, std::string("a.exe (7)"));
        QCOMPARE(first.levels.size(), LeakPeriod::kSlices + 1);
        QCOMPARE(report.suspects[1].verdict, LeakVerdict::Kept);
        QCOMPARE(report.suspects[1].process, std::string("b.exe (8)"));
        QCOMPARE(report.keptBytes, ByteCount{977});
    }
    /// The allocator frames below a stack may differ. Those of most of its memory are shown, not those of its first
    /// row.
    void theStackIsTheOneThatKeepsMost() {
        std::vector<BlockOfTest> blocks{{100, 0, 8, "main;leak;vfbasics.dll;verifier.dll"}};
        for (std::int64_t time = 200; time < 900; time += 10)
            blocks.push_back({time, 0, 3000, "main;leak;verifier.dll"});
        auto query = leakQuery();
        query.allocatorFrames = AllocatorFrames::builtIn();
        const auto report = leaksOf(*traceOfBlocks(blocks), query);
        QCOMPARE(report.count, std::size_t{1});
        const auto& suspect = report.suspects[0];
        QCOMPARE(suspect.stack, (std::vector<std::string>{"verifier.dll!+0x1", "leak!+0x1", "main!+0x1"}));
        QCOMPARE(suspect.owner, std::string("leak!+0x1"));
        QCOMPARE(suspect.keptCount, std::uint64_t{71});
    }
    /// Otherwise short programs would have the pool of the C++ library as their first suspect.
    void whatTheLoaderCallsIsOfTheStart() {
        const auto trace = traceOfBlocks(
            {{500, 0, 77, "ld-linux-x86-64.so.2;pool", 0, 1}, {600, 0, 10, "main;ld-linux-x86-64.so.2;late", 0, 1}});
        const auto report = leaksOf(*trace, leakQuery());
        QCOMPARE(report.suspects[0].stack.front(), std::string("late!+0x1"));
        QCOMPARE(report.suspects[0].verdict, LeakVerdict::Kept);
        QCOMPARE(report.suspects[1].verdict, LeakVerdict::StartUp);
    }
    /// A log line that a program keeps must not hide a pool of megabytes.
    void whatKeepsHardlyAnythingComesBehindWhatKeepsMuch() {
        std::vector<BlockOfTest> blocks;
        for (std::int64_t time = 200; time < 400; time += 10)
            blocks.push_back({time, 0, 1'000'000, "main;pool"});
        blocks.push_back({700, 0, 264, "main;line"});
        blocks.push_back({990, 0, 264, "main;late"});
        const auto owners = [&](std::uint64_t bytesAtOnce) {
            blocks[20].size = bytesAtOnce;
            std::vector<std::string> names;
            for (const auto& suspect : leaksOf(*traceOfBlocks(blocks), leakQuery()).suspects)
                names.push_back(suspect.owner.substr(0, suspect.owner.find('!')));
            return names;
        };
        QCOMPARE(owners(264), (std::vector<std::string>{"pool", "line", "late"}));
        QCOMPARE(owners(30'000), (std::vector<std::string>{"line", "pool", "late"}));
    }
    /// The stacks that keep least are not judged, but they are counted.
    void countsAllStacksThatKeep() {
        std::vector<BlockOfTest> blocks;
        for (int i = 0; i < 1100; ++i)
            blocks.push_back({100 + i / 2, 0, 10, "main;f" + std::to_string(i), 0, 1});
        QCOMPARE(leaksOf(*traceOfBlocks(blocks), leakQuery(0, 2000)).count, std::size_t{1100});
    }
    void keptRowsAreThoseOfATable() {
        for (const std::int64_t start : {0, 100, 101, 333, 895}) {
            auto query = heapTable(start, 900 + start / 10);
            auto labels = std::make_shared<FrameLabels>();
            const auto table = GroupedTable::compute(trace_, labels, query).value();
            std::uint64_t aifo = 0;
            for (const auto node : table->children(GroupedTable::kRoot)) {
                if (!table->computeValues(std::span(&node, 1)).hasValue()) qFatal("not computed");
                if (table->keyText(node) == "AIFO")
                    aifo = static_cast<std::uint64_t>(std::get<std::int64_t>(table->value(node, Column::Count)));
            }
            std::uint64_t kept = 0;
            const auto report = leaksOf(*trace_, leakQuery(start, 900 + start / 10));
            for (const auto& suspect : report.suspects)
                kept += suspect.keptCount;
            QCOMPARE(kept, aifo);
        }
    }
    void aFilterLeavesOutOthers() {
        auto query = leakQuery();
        query.filter.clauses.push_back({RowFilter::Clause::Mode::Keep, {leaksOf(*trace_, query).suspects[1].path}});
        const auto report = leaksOf(*trace_, query);
        QCOMPARE(report.suspects.size(), std::size_t{1});
        QCOMPARE(report.suspects[0].process, std::string("b.exe (8)"));
    }
    /// A report with suppressions is the report without them, less the stacks with a matching frame.
    void suppressedStacksAreCountedAndNotJudged() {
        const auto all = leaksOf(*trace_, leakQuery());
        const std::vector<std::pair<std::string, std::string>> patterns{
            {"leak:^leak$", "leak"}, {"leak:main", "main"}, {"leak:on", "once"}, {"leak:nobody", "nobody"}};
        for (const auto& [line, module] : patterns) {
            auto suppressions = std::make_shared<Suppressions>();
            suppressions->add(line, "test");
            auto query = leakQuery();
            query.suppressions = suppressions;
            const auto report = leaksOf(*trace_, query);
            SuppressedLeaks wanted;
            wanted.areAsked = true;
            for (const auto& suspect : all.suspects) {
                const bool isOut = std::ranges::any_of(
                    suspect.stack, [&, &name = module](const auto& frame) { return frame.starts_with(name + "!"); });
                if (!isOut) continue;
                ++wanted.stacks;
                wanted.keptCount += suspect.keptCount;
                wanted.keptBytes += suspect.keptBytes;
            }
            QCOMPARE(report.suppressed, wanted);
            QCOMPARE(report.count + wanted.stacks, all.count);
            QCOMPARE(report.suspects.size() + wanted.stacks, all.suspects.size());
            QCOMPARE(report.keptBytes + wanted.keptBytes, all.keptBytes);
        }
    }
    void aGenerationDoesNotLevelOff() {
        auto query = leakQuery();
        query.marks = std::make_shared<const std::vector<Mark>>(std::vector<Mark>{{1, TraceTime{400}, "warm"}});
        const auto whole = leaksOf(*trace_, query).suspects[0];
        QCOMPARE(whole.verdict, LeakVerdict::Growing);
        query.filter.marks = query.marks;
        query.filter.query = QueryExpression::parse(Table::Heap, "[AllocTime]:<400ns").value();
        QCOMPARE(leaksOf(*trace_, query).suspects[0].verdict, LeakVerdict::LevelledOff); // the query asks for this
        query.filter.query = QueryExpression::parse(Table::Heap, "Generation:~<\"1.\"").value();
        const auto first = leaksOf(*trace_, query);
        QCOMPARE(first.suspects[0].keptCount, std::uint64_t{30});
        QCOMPARE(first.suspects[0].verdict, LeakVerdict::Kept);
        QVERIFY(first.suspects[0].why.find("cannot be judged") != std::string::npos);
    }
    void aFilterOfSingleRowsCountsThose() {
        auto query = leakQuery();
        query.filter.query = QueryExpression::parse(Table::Heap, "Address:=0x1000 Or Address:=0x3000").value();
        const auto report = leaksOf(*trace_, query);
        QCOMPARE(report.suspects.size(), std::size_t{1});
        QCOMPARE(report.suspects[0].keptCount, std::uint64_t{2});
        QCOMPARE(report.suspects[0].keptBytes, ByteCount{20});
        QCOMPARE(report.keptBytes, ByteCount{20});
    }
    void bothTablesHaveOneRanking() {
        const auto trace = traceOfBothTables();
        auto query = leakQuery();
        query.otherFilter.emplace();
        const auto report = leaksOf(*trace, query);
        std::vector<std::string> ranking;
        for (const auto& suspect : report.suspects)
            ranking.push_back(std::string(tableWord(suspect.table)) + " " + suspect.stack.front());
        QCOMPARE(ranking, (std::vector<std::string>{"virtualalloc map!+0x1", "heap leak!+0x1",
                                                    "virtualalloc arena!+0x1", "heap one!+0x1"}));
        QCOMPARE(report.tables,
                 (std::vector<SearchedTable>{{Table::Heap, 2, 940}, {Table::VirtualAlloc, 2, (1 << 20) + 90 * 4096}}));
        QCOMPARE(report.count, std::size_t{4});
        QCOMPARE(report.keptBytes, report.tables[0].keptBytes + report.tables[1].keptBytes);
        query.table = Table::VirtualAlloc; // which one is named first makes no difference
        const auto turned = leaksOf(*trace, query);
        QCOMPARE(turned.tables, report.tables);
        QCOMPARE(turned.suspects.front().why, report.suspects.front().why);
    }
    /// A large arena beside the heap must not turn a heap suspect into something too small to name: share and verdict
    /// are those of its own table.
    void aSuspectOfTwoTablesIsTheSuspectOfOne() {
        const auto trace = traceOfBothTables();
        auto query = leakQuery();
        query.otherFilter.emplace();
        const auto both = leaksOf(*trace, query);
        query.otherFilter.reset();
        std::size_t found = 0;
        for (const auto table : {Table::Heap, Table::VirtualAlloc}) {
            query.table = table;
            const auto alone = leaksOf(*trace, query);
            double shares = 0;
            for (const auto& suspect : alone.suspects) {
                const auto same = std::ranges::find_if(both.suspects, [&](const auto& other) {
                    return other.table == table && other.path == suspect.path;
                });
                QVERIFY(same != both.suspects.end());
                QCOMPARE(same->why, suspect.why);
                QCOMPARE(same->share, suspect.share);
                QCOMPARE(same->verdict, suspect.verdict);
                QCOMPARE(same->keptBytes, suspect.keptBytes);
                shares += same->share;
                ++found;
            }
            QVERIFY(std::abs(shares - 1) < 1e-9);
        }
        QCOMPARE(found, both.suspects.size());
        const auto& small = both.suspects.back(); // 40 of 940 bytes of the heap, but 1/35,000 of all
        QVERIFY(isSuspect(small.verdict, small.share));
    }
    void aTableWithoutRowsIsNotSearched() {
        const auto tablesOf = [](bool hasBlocks, bool hasPages, Table first) {
            auto query = leakQuery();
            query.table = first;
            query.otherFilter.emplace();
            std::vector<Table> tables;
            for (const auto& table : leaksOf(*traceOfBothTables(hasBlocks, hasPages), query).tables)
                tables.push_back(table.table);
            return tables;
        };
        for (const auto first : {Table::Heap, Table::VirtualAlloc}) {
            QCOMPARE(tablesOf(true, false, first), std::vector{Table::Heap});
            QCOMPARE(tablesOf(false, true, first), std::vector{Table::VirtualAlloc});
            QCOMPARE(tablesOf(false, false, first), std::vector{first});
        }
    }
    void eachTableHasItsOwnFilter() {
        auto query = leakQuery();
        query.otherFilter.emplace();
        query.otherFilter->query = QueryExpression::parse(Table::VirtualAlloc, "Size:>1KB AND Size:<1MB").value();
        query.filter.query = QueryExpression::parse(Table::Heap, "Size:=40").value();
        std::vector<std::string> owners;
        for (const auto& suspect : leaksOf(*traceOfBothTables(), query).suspects)
            owners.push_back(suspect.stack.front());
        QCOMPARE(owners, (std::vector<std::string>{"map!+0x1", "one!+0x1"}));
    }
    void noMoreThanAskedFor() {
        auto query = leakQuery();
        query.most = 1;
        QCOMPARE(leaksOf(*trace_, query).suspects.size(), std::size_t{1});
        QCOMPARE(leaksOf(*trace_, query).count, std::size_t{2});
    }
    void anIntervalBeyondTheTraceEndsWithIt() {
        const auto report = leaksOf(*trace_, leakQuery(0, 5'000'000));
        QCOMPARE(report.interval.end, trace_->horizon);
        QCOMPARE(report.suspects[0].keptCount, std::uint64_t{90});
        QVERIFY(leaksOf(*trace_, leakQuery(2000, 3000)).suspects.empty());
        QVERIFY(leaksOf(*trace_, leakQuery(500, 500)).suspects.empty());
    }
    void anEmptyTraceHasNone() {
        const auto report = leaksOf(*traceOfBlocks({}), leakQuery());
        QVERIFY(report.suspects.empty());
        QCOMPARE(report.count, std::size_t{0});
    }
    void aProcessThatEndsKeepsWhatItNeverFreed() {
        ColumnsBuilder builder;
        builder.process("a.exe", 7, TraceTime{0});
        for (std::int64_t time = 0; time < 320; time += 2) {
            ModelRow row;
            row.heap = 0x10000;
            row.begin = TraceTime{time};
            row.size = 10;
            row.stack = "main;leak";
            row.address = 0x1000 * static_cast<Address>(time + 1);
            builder.alloc(row);
        }
        builder.endProcess(0, TraceTime{320});
        const auto report = leaksOf(*builder.publish(TraceTime{10'000}), leakQuery(0, 10'000));
        QCOMPARE(report.suspects[0].keptCount, std::uint64_t{160});
        QCOMPARE(report.suspects[0].period.end, TraceTime{320});
        QCOMPARE(report.suspects[0].verdict, LeakVerdict::Growing);
    }
    /// Two stacks share the second page; the third page has a freed block besides.
    void aSuspectHoldsThePagesThatAreItsAlone() {
        HeldTrace held;
        held.block("main;cache", 0, 16, 32).block("main;cache", 1, 16, 32).block("main;net", 1, 512, 32);
        held.block("main;net", 2, 16, 32).block("main;once", 2, 512, 32).freeLast();
        const auto trace = held.sample(3).publish();
        LeakQuery query;
        query.interval = trace->wholeRange();
        const auto heldBy = [&](const std::string& owner) {
            const auto report = leaksOf(*trace, query);
            const auto found = std::ranges::find(report.suspects, owner, &LeakSuspect::owner);
            return found == report.suspects.end() ? std::nullopt : found->held;
        };
        QCOMPARE(heldBy("cache!+0x1")->heldPages, ByteCount{4096});
        QCOMPARE(heldBy("cache!+0x1")->resident, ByteCount{64});
        QCOMPARE(heldBy("net!+0x1")->heldPages, ByteCount{4096});
        // The query selects only some rows of these stacks, but the others still use their pages.
        query.filter.query = QueryExpression::parse(Table::Heap, "Address:=0x100010 Or Address:=0x101010").value();
        QCOMPARE(heldBy("cache!+0x1")->heldPages, ByteCount{4096});
        query.filter.query = QueryExpression::parse(Table::Heap, "Address:=0x101010").value();
        QCOMPARE(heldBy("cache!+0x1")->heldPages, ByteCount{0});
        QCOMPARE(heldBy("cache!+0x1")->resident, ByteCount{32});
        query.filter = {};
        query.asksHeldPages = false;
        QVERIFY(!heldBy("cache!+0x1"));
        query.asksHeldPages = true;
        query.interval.end = TraceTime{5}; // before the sample
        QVERIFY(!heldBy("cache!+0x1"));
    }
    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        FrameLabels labels;
        const auto report = findLeaks(*trace_, labels, leakQuery(), stop.get_token());
        QVERIFY(!report.hasValue());
        QCOMPARE(report.error().kind, ErrorKind::Cancelled);
    }
    void freesLeakNothing() {
        auto query = leakQuery();
        query.table = Table::Frees;
        FrameLabels labels;
        const auto report = findLeaks(*trace_, labels, query);
        QVERIFY(!report.hasValue());
        QCOMPARE(report.error().kind, ErrorKind::Usage);
    }

  private:
    static Query heapTable(std::int64_t start, std::int64_t end) {
        Query query;
        query.table = Table::Heap;
        query.interval = {TraceTime{start}, TraceTime{end}};
        query.keys = {Column::Type};
        return query;
    }
    /// Ten bytes that nothing refers to are a fact, growth is an estimate.
    void stacksWithUnreachableBlocksComeFirst() {
        const auto report = leaksOf(*picturedTrace(), leakQuery());
        std::vector<std::string> ranking;
        for (const auto& suspect : report.suspects)
            ranking.push_back(suspect.stack.front());
        QCOMPARE(ranking, (std::vector<std::string>{"big!+0x1", "small!+0x1", "leak!+0x1", "held!+0x1"}));
        QVERIFY(report.hasPicture);
        const auto& first = report.suspects[0];
        QCOMPARE(first.verdict, LeakVerdict::Unreachable);
        QCOMPARE(first.unreachable(), (BlockSum{1, 700}));
        QCOMPARE(first.leakedBytes, ByteCount{700});
        QVERIFY2(first.why.starts_with("1 block (700 B) is unreachable because nothing refers to it (picture at "),
                 first.why.c_str());
        QVERIFY2(first.why.find(" Never freed: 1 allocation (700 B)") != std::string::npos, first.why.c_str());
        QVERIFY(isSuspect(first.verdict, 0));
    }
    void theVerdictGrowingStaysAndSaysWhoHoldsTheBlocks() {
        const auto report = leaksOf(*picturedTrace(), leakQuery());
        const auto& growing = report.suspects[2];
        QCOMPARE(growing.verdict, LeakVerdict::Growing);
        QCOMPARE(growing.picture->heldBy, (std::vector<std::string>{"app!g_list"}));
        QVERIFY2(growing.why.ends_with(" Held by app!g_list (picture at 0.00 s)."), growing.why.c_str());
    }
    /// Older blocks than the interval keep nothing that was allocated in it, but they are leaks.
    void unreachableBlocksFromBeforeTheIntervalAreSuspects() {
        const auto report = leaksOf(*picturedTrace(), leakQuery(300));
        const auto small = std::ranges::find_if(
            report.suspects, [](const LeakSuspect& suspect) { return suspect.owner == "small!+0x1"; });
        QVERIFY(small != report.suspects.end());
        QCOMPARE(small->keptCount, std::uint64_t{0});
        QCOMPARE(small->verdict, LeakVerdict::Unreachable);
        QCOMPARE(small->first, TraceTime{300});
        QVERIFY2(small->why.starts_with("1 block (5 B) is unreachable") && small->why.ends_with(")."),
                 small->why.c_str());
        QCOMPARE(report.count, report.suspects.size());
    }
    /// 2,000 larger stacks do not hide it.
    void aSmallStackIsJudgedIfItsBlocksAreUnreachable() {
        const auto report = leaksOf(*picturedTrace(2000), leakQuery());
        QCOMPARE(report.suspects[0].owner, std::string("big!+0x1"));
        QCOMPARE(report.suspects[1].owner, std::string("small!+0x1"));
    }
    /// Blocks may then have holders that were not recorded, so they are no proof.
    void missingEventsAreNoProof() {
        auto trace = std::make_shared<store::PublishedTrace>(*picturedTrace());
        trace->health.counts[static_cast<std::size_t>(Loss::EventsLost)] = 1;
        const auto first = leaksOf(*trace, leakQuery()).suspects[0];
        QCOMPARE(first.owner, std::string("big!+0x1"));
        QCOMPARE(first.verdict, LeakVerdict::Kept);
        QCOMPARE(first.leakedBytes, ByteCount{0});
        QVERIFY2(first.why.starts_with("At most 1 block (700 B) is unreachable"), first.why.c_str());
    }
    /// The blocks that were freed became older than nearly all that are kept.
    void youngBlocksOfAStackThatFreesMayStillBeFreed() {
        std::vector<BlockOfTest> blocks;
        for (std::int64_t time = 1; time < 994; time += 3)
            blocks.push_back({time, 0, 10, "main;list", 0, 1});
        const auto isYoungOf = [&] {
            const auto report = leaksOf(*traceOfBlocks(blocks), leakQuery());
            return std::pair(report.suspects[0].verdict, report.suspects[0].isYoung);
        };
        QVERIFY(!isYoungOf().second);
        for (std::int64_t i = 0; i < 90; ++i)
            blocks.push_back({1 + i / 3, 938 + i / 3, 10, "main;list", 0, 1});
        QCOMPARE(isYoungOf(), std::pair(LeakVerdict::Kept, true));
    }
    void picturesDoNotConcernVirtualAlloc() {
        auto query = leakQuery();
        query.table = Table::VirtualAlloc;
        QVERIFY(leaksOf(*picturedTrace(), query).suspects.empty());
    }
    void tracesWithoutPictureHaveNone() {
        const auto report = leaksOf(*trace_, leakQuery());
        QVERIFY(!report.hasPicture);
        QVERIFY(!report.suspects[0].picture);
    }
};

HIGHWATER_TEST(LeakSuspectsTest);
#include "leak_suspects_test.moc"
