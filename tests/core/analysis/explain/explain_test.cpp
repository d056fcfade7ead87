#include "core/analysis/explain/explain.h"

#include "core/analysis/explain/finding_text.h"
#include "tests/core/analysis/blocks_trace.h"
#include "tests/core/analysis/held/held_trace.h"
#include "tests/core/analysis/held/pictured_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

LeakQuery explainQuery(std::int64_t start = 0, std::int64_t end = 1000) {
    LeakQuery query;
    query.interval = {TraceTime{start}, TraceTime{end}};
    return query;
}

Explanation explained(const store::PublishedTrace& trace, const LeakQuery& query) {
    FrameLabels labels;
    auto answer = explain(trace, labels, query);
    if (!answer.hasValue()) qFatal("%s", answer.error().message.c_str());
    return std::move(answer).value();
}

/// a.exe leaks all the time; b.exe allocates a lot at once and frees a part of it.
std::vector<BlockOfTest> leakAndSurge() {
    std::vector<BlockOfTest> blocks;
    for (std::int64_t time = 100; time < 1000; time += 10)
        blocks.push_back({time, 0, 10, "main;leak", 0, 1});
    blocks.push_back({400, 700, 3000, "main;load;work", 1, 2});
    blocks.push_back({410, 0, 1000, "main;load;keep", 1, 2});
    blocks.push_back({50, 405, 500, "main;early", 1, 2});
    return blocks;
}

} // namespace

class ExplainTest : public QObject {
    Q_OBJECT
  private slots:
    void theSurgeIsThatOfTheProcessThatRoseMost() {
        const auto answer = explained(*traceOfBlocks(leakAndSurge()), explainQuery());
        const auto& surge = answer.rise.surge;
        QVERIFY(surge.has_value());
        QCOMPARE(surge->processText, std::string("b.exe (8)"));
        QCOMPARE(surge->part, (TimeRange{TraceTime{400}, TraceTime{411}}));
        QCOMPARE(surge->kind, SurgeKind::Steep);
        QCOMPARE(surge->bytes, SignedByteCount{3500});
        QCOMPARE(surge->startBytes, SignedByteCount{500});
        QCOMPARE(surge->endBytes, SignedByteCount{4000});
        QCOMPARE(surge->lastBytes, SignedByteCount{1000});
        QCOMPARE(surge->stackCount, std::size_t{2});
        QCOMPARE(surge->stacks[0].owner, std::string("work!+0x1"));
        QCOMPARE(surge->stacks[0].bytes, SignedByteCount{3000});
        QCOMPARE(surge->stacks[0].share, 3000 / 3500.0);
        QCOMPARE(surge->stacks[1].stack, (std::vector<std::string>{"keep!+0x1", "load!+0x1", "main!+0x1"}));
        QCOMPARE(answer.rise.programs.size(), std::size_t{2});
        QCOMPARE(answer.rise.programs[0].process, std::string("b.exe (8)"));
        QCOMPARE(answer.rise.programs[1].rows, std::uint64_t{90});
    }
    void aStackMayRiseMoreThanAllTogether() {
        const auto trace = traceOfBlocks({{10, 260, 100, "a"}, {250, 0, 150, "b"}, {270, 0, 100, "b"}});
        const auto answer = explained(*trace, explainQuery(20, 1000));
        QCOMPARE(answer.rise.surge->bytes, SignedByteCount{150});
        const auto later = explained(*traceOfBlocks({{10, 260, 100, "a"}, {250, 0, 150, "b"}, {270, 0, 150, "b"}}),
                                     explainQuery(20, 1000));
        QCOMPARE(later.rise.surge->bytes, SignedByteCount{200});
        QCOMPARE(later.rise.surge->stacks[0].bytes, SignedByteCount{300});
        QCOMPARE(later.rise.surge->stacks[0].share, 1.5);
        QCOMPARE(later.rise.surge->stackCount, std::size_t{1});
    }
    void suspectsAreThoseThatNothingExplains() {
        const auto answer = explained(*traceOfBlocks(leakAndSurge()), explainQuery());
        QCOMPARE(answer.judged, std::size_t{2});
        QCOMPARE(answer.suspects.size(), std::size_t{2});
        QCOMPARE(answer.suspects[0].verdict, LeakVerdict::Growing);
        QCOMPARE(answer.suspects[1].verdict, LeakVerdict::Kept);
        QVERIFY(answer.whyNone.empty());
    }
    /// From all blocks of its stacks that are in the newest picture.
    void aSurgeSaysWhoHoldsItsStacks() {
        PicturedTrace trace;
        const auto table = trace.block("main;Table", 8), item = trace.block("main;item", 900);
        const auto lost = trace.block("main;item", 400);
        trace.picture({{table, byRoot("app!g_table")}, {item, byBlock(table)}, {lost, unreachable()}});
        const auto published = trace.publish();
        const auto answer = explained(*published, explainQuery(0, published->horizon.ns));
        QVERIFY(answer.rise.surge.has_value());
        const auto& stack = answer.rise.surge->stacks.front();
        QCOMPARE(stack.owner, std::string("item!+0x1"));
        QCOMPARE(stack.picture->heldBy, (std::vector<std::string>{"app!g_table", "Table!+0x1"}));
        QCOMPARE(stack.picture->unreachable, (BlockSum{1, 400}));
        QCOMPARE(answer.suspects[0].verdict, LeakVerdict::Unreachable);
        QCOMPARE(answer.suspects[0].owner, std::string("item!+0x1"));
    }
    /// The pictures are read once for the surge and for the suspects.
    void aLargeStackThatIsNoSuspectIsNamedWithItsHolder() {
        PicturedTrace trace;
        std::map<std::size_t, ModelHeld> blocks;
        for (int i = 0; i < 20; ++i)
            blocks[trace.block("main;fill", 1000)] = byRoot("app!g_cache");
        trace.pass(1000);
        trace.picture(std::move(blocks));
        const auto published = trace.publish();
        const auto answer = explained(*published, explainQuery(0, published->horizon.ns));
        QVERIFY(answer.suspects.empty());
        QVERIFY(answer.largest.has_value());
        const auto text = largestText(*answer.largest);
        QVERIFY2(text == "fill!+0x1 in server (7) keeps 19.5 KB, the most of all stacks that are not suspects. Held by "
                         "app!g_cache (picture at 0.00 s).",
                 text.c_str());
    }
    void whereNothingIsSuspectThatIsSaid() {
        std::vector<BlockOfTest> blocks;
        for (std::int64_t time = 1; time < 20; ++time)
            blocks.push_back({time, 0, 10, "main;start", 0, 1});
        const auto answer = explained(*traceOfBlocks(blocks), explainQuery());
        QVERIFY(answer.suspects.empty());
        QCOMPARE(answer.whyNone,
                 std::string("No stack is a suspect. Stacks that keep memory: 1 allocated at process start."));
        blocks[0].size = 100'000;
        blocks.push_back({700, 0, 10, "main;line", 0, 1});
        blocks.push_back({990, 0, 10, "main;late", 0, 1}); // too recent to judge: counted with the other
        QCOMPARE(explained(*traceOfBlocks(blocks), explainQuery()).whyNone,
                 std::string("No stack is a suspect. Stacks that keep memory: 1 allocated at process start, 2 with "
                             "less than a thousandth of the kept memory."));
        const auto freed = explained(*traceOfBlocks({{10, 20, 5, "a"}}), explainQuery());
        QVERIFY(freed.whyNone.starts_with("No memory that was allocated in the interval is kept"));
        const auto none = explained(*traceOfBlocks({}), explainQuery());
        QVERIFY(!none.rise.surge && none.whyNone.starts_with("This trace has no"));
    }
    void theOwnerWhoseFewBlocksHoldPagesIsNamed() {
        HeldTrace held;
        for (std::uint64_t page = 0; page < 2 * kMegabytePages; ++page)
            held.block("main;cache", page, 16, 32);
        const auto trace = held.sample(4 * kMegabytePages).publish();
        LeakQuery query;
        query.interval = trace->wholeRange();
        const auto answer = explained(*trace, query);
        QVERIFY(answer.held && answer.balance);
        QCOMPARE(answer.balance->point.resident, ByteCount{4} << 20);
        QCOMPARE(answer.held->holders.front().owner, std::string("cache!+0x1"));
        QVERIFY(std::ranges::count(answer.names.modules, std::string("cache")) == 1);
        query.filter.query = QueryExpression::parse(Table::Heap, "Size:>8").value();
        QVERIFY(!explained(*trace, query).held &&
                !explained(*trace, query).balance); // the page is about some rows, and pages are held by all
        QVERIFY(!explained(*traceOfBlocks(leakAndSurge()), explainQuery()).held);
    }
    void framesWithoutNamesAreCounted() {
        const auto answer = explained(*traceOfBlocks(leakAndSurge()), explainQuery());
        QCOMPARE(answer.names.unnamed, answer.names.frames);
        QCOMPARE(answer.names.modules, (std::vector<std::string>{"work", "load", "main", "keep", "leak"}));
    }
    void stopsAndRefuses() {
        const auto trace = traceOfBlocks(leakAndSurge());
        FrameLabels labels;
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(explain(*trace, labels, explainQuery(), stop.get_token()).error().kind, ErrorKind::Cancelled);
        auto query = explainQuery();
        query.table = Table::Frees;
        QCOMPARE(explain(*trace, labels, query).error().kind, ErrorKind::Usage);
    }
};

HIGHWATER_TEST(ExplainTest);
#include "explain_test.moc"
