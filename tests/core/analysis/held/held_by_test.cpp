#include "core/analysis/held/held_by.h"

#include "core/analysis/held/held_tree.h"
#include "tests/core/analysis/held/pictured_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

Result<std::vector<HeldBy>> findIn(const store::PublishedTrace& trace, HeldByQuery query = {}) {
    if (query.interval.end == kNever) query.interval = trace.wholeRange();
    FrameLabels labels;
    return findHeldBy(trace, labels, query);
}
Result<std::vector<HeldBy>> find(PicturedTrace& trace, HeldByQuery query = {}) {
    return findIn(*trace.publish(), std::move(query));
}
/// Each holder, as "root > step > step: blocks, bytes".
std::string textOf(PicturedTrace& trace, HeldByQuery query = {}) {
    std::string text;
    const auto found = find(trace, std::move(query)).value();
    for (const auto& holder : found.front().holders) {
        std::vector<std::string> path{holder.text};
        for (const auto step : holder.path)
            path.push_back(found.front().nodes[step].text);
        text += fmt::format("{}{}: {}, {}{}", text.empty() ? "" : "; ", fmt::join(path, " > "), holder.held.count,
                            holder.held.bytes, holder.isCertain() ? "" : ", possibly");
    }
    return text;
}

} // namespace

class HeldByTest : public QObject {
    Q_OBJECT

  private slots:
    void blocksBelongToTheRootOfTheirPath() {
        PicturedTrace trace;
        const auto table = trace.block("main;makeTable", 100), session = trace.block("main;Session", 50);
        const auto other = trace.block("main;log", 30);
        trace.picture({{table, byRoot("app!g_sessions")}, {session, byBlock(table)}, {other, byRoot("app!g_log")}});
        QCOMPARE(textOf(trace), std::string("app!g_sessions > makeTable!+0x1: 2, 150; app!g_log > log!+0x1: 1, 30"));
    }
    /// Such as those from before the recording.
    void blocksThatAreNoRowsHaveNoOwner() {
        PicturedTrace trace;
        const auto old = trace.block("main;old", 70), table = trace.block("main;makeTable", 100);
        trace.free(old);
        trace.picture({{old, byRoot("app!g_old")}, {table, byBlock(old)}});
        QCOMPARE(textOf(trace), std::string("app!g_old > (not in the trace) > makeTable!+0x1: 2, 170"));
        const auto answer = find(trace).value().front();
        QCOMPARE(answer.untraced.bytes, ByteCount{70});
        QVERIFY(rowsOf(answer, 2).empty());
        QVERIFY(answer.cautions.front().starts_with("70 B in 1 block is not in the trace"));
        HeldByQuery query;
        query.filter.query = QueryExpression::parse(Table::Heap, "[Allocation Size]:>=1").value();
        QCOMPARE(textOf(trace, query), std::string("app!g_old > (not in the trace) > makeTable!+0x1: 1, 100"));
    }
    /// What a second root leads to would stay without the first one, which holds it nevertheless.
    void holdersAreInTheOrderOfWhatTheyRetainOrHold() {
        PicturedTrace trace;
        const auto shared = trace.block("main;shared", 1000), below = trace.block("main;below", 500);
        const auto own = trace.block("main;own", 30), node = trace.block("main;node", 5);
        trace.picture({{shared, bySeveralRoots("app!g_view")},
                       {below, byBlock(shared)},
                       {own, byRoot("app!g_log")},
                       {node, {.holder = own, .dominatingRoot = "app!g_log"}}});
        const auto holders = find(trace).value().front().holders;
        QCOMPARE(holders.size(), std::size_t{2});
        QCOMPARE(holders[0].text, std::string("app!g_view"));
        QCOMPARE(holders[0].retained, ByteCount{0});
        QCOMPARE(holders[0].held.bytes, ByteCount{1500});
        QCOMPARE(holders[1].retained, ByteCount{35});
    }
    /// The way leads to the step with most of the bytes.
    void thePathLeadsToMostBytes() {
        PicturedTrace trace;
        const auto table = trace.block("main;makeTable", 10), node = trace.block("main;insert", 20);
        const auto text = trace.block("main;text", 900), small = trace.block("main;small", 5);
        trace.picture(
            {{table, byRoot("app!g")}, {node, byBlock(table)}, {text, byBlock(node)}, {small, byBlock(table)}});
        QCOMPARE(textOf(trace), std::string("app!g > makeTable!+0x1 > insert!+0x1 > text!+0x1: 4, 935"));
    }
    void nodesOfAListAreOneStep() {
        PicturedTrace trace;
        std::map<std::size_t, ModelHeld> blocks;
        std::size_t before = 0;
        for (int i = 0; i < 1000; ++i) {
            const auto node = trace.block(i % 2 == 0 ? "main;even" : "main;odd", 10);
            blocks[node] = i == 0 ? byRoot("app!list") : byBlock(before);
            before = node;
        }
        trace.picture(blocks);
        const auto answer = find(trace).value().front();
        QCOMPARE(answer.nodes.size(), std::size_t{4}); // the root, no root, two steps
        QCOMPARE(answer.holders.front().held.count, std::uint64_t{1000});
    }
    void unreachableBlocksAreAHolderOfTheirOwn() {
        PicturedTrace trace;
        const auto leak = trace.block("main;leak", 70), below = trace.block("main;below", 7);
        trace.picture({{leak, {.reachability = Reachability::Unreachable}},
                       {below, {.reachability = Reachability::OnlyLeaked, .holder = leak, .dominator = leak}}});
        const auto answer = find(trace).value().front();
        QCOMPARE(textOf(trace), std::string("nothing (unreachable) > leak!+0x1: 2, 77, possibly"));
        QVERIFY(!answer.holders.front().kind);
        QCOMPARE(answer.sum(Reachability::Unreachable).bytes, ByteCount{70});
        QCOMPARE(answer.sum(Reachability::OnlyLeaked).bytes, ByteCount{7});
    }
    void onlyBlocksOfTheFilterCountButPathsAreWhole() {
        PicturedTrace trace;
        const auto table = trace.block("main;makeTable", 100), session = trace.block("main;Session", 50);
        trace.picture({{table, byRoot("app!g")}, {session, byBlock(table)}});
        HeldByQuery query;
        query.filter.query = QueryExpression::parse(Table::Heap, "[Allocation Size]:=50").value();
        QCOMPARE(textOf(trace, query), std::string("app!g > makeTable!+0x1 > Session!+0x1: 1, 50"));
    }
    void theNewestPictureInTheIntervalCounts() {
        PicturedTrace trace;
        const auto early = trace.block("main;early", 10);
        trace.picture({{early, byRoot("app!a")}}); // at 2
        trace.free(early);
        const auto late = trace.block("main;late", 20);
        trace.picture({{late, byRoot("app!b")}}); // at 5
        QCOMPARE(textOf(trace), std::string("app!b > late!+0x1: 1, 20"));
        QCOMPARE(textOf(trace, {.interval = {TraceTime{0}, TraceTime{3}}}), std::string("app!a > early!+0x1: 1, 10"));
        QVERIFY(!find(trace, {.interval = {TraceTime{3}, TraceTime{4}}}).hasValue());
    }
    /// Not from a recording of another system, where there is no way to get them.
    void aTraceWithoutPicturesSaysHowToGetThem() {
        PicturedTrace trace;
        trace.block("main", 10);
        const auto found = find(trace);
        QVERIFY(!found.hasValue());
        QVERIFY(found.error().message.find("Only recordings that Highwater makes contain pictures") !=
                std::string::npos);
        store::PublishedTrace ofAgent;
        ofAgent.isOfAgent = true;
        const auto refused = whyNoPictures(ofAgent)->message;
        for (const auto* way : {"Ctrl+Alt+P", "--picture-every"})
            QVERIFY2(refused.find(way) != std::string::npos, refused.c_str());
    }
    void anIntervalWithoutPicturesNamesTheNearestOne() {
        PicturedTrace trace;
        const auto block = trace.block("main", 10);
        trace.picture({{block, byRoot("app!a")}}); // at 2
        trace.block("main", 10);
        trace.block("main", 10);
        const auto found = find(trace, {.interval = {TraceTime{3}, TraceTime{4}}});
        QVERIFY(!found.hasValue());
        QVERIFY2(found.error().message.find("at 0.000000002 s") != std::string::npos, found.error().message.c_str());
    }
    void rowsAreThoseOfTheRootAndOfTheOwnersStacks() {
        PicturedTrace trace;
        const auto table = trace.block("main;makeTable", 100), node = trace.block("main;load;insert", 20);
        const auto other = trace.block("main;save;insert", 30), leak = trace.block("main;leak", 5);
        trace.picture({{table, byRoot("app!g")},
                       {node, byBlock(table)},
                       {other, byBlock(table)},
                       {leak, {.reachability = Reachability::Unreachable}}});
        const auto answer = find(trace).value().front();
        const auto nodeOf = [&](const std::string& text) {
            return static_cast<std::uint32_t>(std::ranges::find(answer.nodes, text, &HeldNode::text) -
                                              answer.nodes.begin());
        };
        const KeyPath held{{Column::Process, 0}, {Column::Holder, 2}}; // 1: nothing
        QCOMPARE(rowsOf(answer, nodeOf("app!g")), std::vector<KeyPath>(1, held));
        const auto inserted = rowsOf(answer, nodeOf("insert!+0x1"));
        QCOMPARE(inserted.size(), std::size_t{1}); // callers do not matter
        QCOMPARE(inserted.front().size(), std::size_t{3});
        QCOMPARE(inserted.front()[1], held[1]);
        QVERIFY(inserted.front()[2].column == Column::StackBottomUp);
        const KeyPath leaked{{Column::Process, 0}, {Column::Holder, 1}};
        QCOMPARE(rowsOf(answer, nodeOf("nothing (unreachable)")), std::vector<KeyPath>(1, leaked));
    }
    /// A block that two frames refer to is only retained by the stack.
    void framesAreTheFirstStepsFromAStack() {
        PicturedTrace trace;
        const auto mine = trace.block("main;load", 10), both = trace.block("main;open", 200);
        const auto rest = trace.block("main;read", 3000);
        trace.picture({{mine, byRoot("app!Box<int, char>::run")},
                       {both, byRoot("app!work, work.cpp:41")},
                       {rest, byRoot("worker")}});
        auto published = *trace.publish();
        auto picture = *published.pictures->front();
        // The stack is before its frames.
        const auto stack = std::ranges::find(picture.names, "worker") - picture.names.begin();
        std::swap(picture.roots[0], picture.roots[static_cast<std::size_t>(stack)]);
        const auto blocks = static_cast<std::uint32_t>(picture.blocks.size());
        for (auto& block : picture.blocks) {
            const auto name = block.holder - blocks; // roots have the numbers of their names
            const auto now = name == stack ? 0 : name == 0 ? static_cast<std::uint32_t>(stack) : name;
            block.holder = blocks + now;
            block.dominator = block.bytes == 200 ? blocks : block.holder;
        }
        for (auto& root : picture.roots) {
            root.kind = RootKind::Stack;
            root.thread = 9;
            root.threadName = static_cast<std::uint32_t>(stack);
            if (&root != &picture.roots[0]) root.parent = 0, root.code = 1;
        }
        QVERIFY(isValid(picture));
        published.pictures = std::make_shared<const std::vector<SharedMemoryPicture>>(
            1, std::make_shared<const MemoryPicture>(std::move(picture)));
        FrameLabels labels;
        const auto answer = findHeldBy(published, labels, {.interval = published.wholeRange()}).value().front();
        QCOMPARE(answer.holders.size(), std::size_t{1});
        const auto& holder = answer.holders.front();
        QCOMPARE(holder.text, std::string("stack of worker (9)"));
        QCOMPARE(holder.held, (BlockSum{3, 3210}));
        QCOMPARE(holder.retained, ByteCount{3210});
        const auto frame = std::ranges::find(answer.nodes, "app!work, work.cpp:41", &HeldNode::text);
        QVERIFY(frame != answer.nodes.end() && frame->parent == 0 && frame->isFrame);
        QCOMPARE(frame->all, (BlockSum{1, 200}));
        QCOMPARE(labels.text(LabelId{frame->owner}), std::string_view("app!work")); // to compare pictures
        const auto withoutLine = std::ranges::find(answer.nodes, "app!Box<int, char>::run", &HeldNode::text);
        QVERIFY(withoutLine != answer.nodes.end());
        QCOMPARE(labels.text(LabelId{withoutLine->owner}), std::string_view("app!Box<int, char>::run"));
        QCOMPARE(rowsOf(answer, 0).size(), std::size_t{3});                         // its own, and those of each frame
        const auto ofFrame = rowsOf(answer, static_cast<std::uint32_t>(frame - answer.nodes.begin()));
        QCOMPARE(ofFrame.size(), std::size_t{1});
        QCOMPARE(ofFrame.front().size(), std::size_t{2});
        QCOMPARE(rowsOf(answer, static_cast<std::uint32_t>(answer.nodes.size() - 1)).front().size(), std::size_t{3});
    }
    void whatMayBeWrongIsSaid() {
        PicturedTrace trace;
        const auto block = trace.block("main", 10);
        trace.picture({{block, byRoot("app!g")}});
        auto published = *trace.publish();
        QVERIFY(findIn(published).value().front().cautions.empty());
        MemoryPicture picture = *published.pictures->front();
        picture.unreadThreads = 2;
        picture.unreadBytes = 4096;
        picture.hasUnknownBlocks = true;
        published.pictures = std::make_shared<const std::vector<SharedMemoryPicture>>(
            1, std::make_shared<const MemoryPicture>(std::move(picture)));
        published.health.counts[static_cast<std::size_t>(Loss::EventsLost)] = 3;
        const auto cautions = findIn(published).value().front().cautions;
        QCOMPARE(cautions.size(), std::size_t{4});
        QVERIFY(cautions[0].starts_with("2 threads could not be stopped"));
        QVERIFY(cautions[1].starts_with("4.0 KB of memory"));
        QVERIFY(cautions[2].starts_with("Not all blocks are known"));
        QVERIFY(cautions[3].starts_with("Events were lost"));
        MemoryPicture empty;
        empty.time = published.pictures->front()->time;
        empty.pid = published.pictures->front()->pid;
        empty.hasUnknownBlocks = true;
        published.pictures = std::make_shared<const std::vector<SharedMemoryPicture>>(
            1, std::make_shared<const MemoryPicture>(std::move(empty)));
        QVERIFY(findIn(published).value().front().cautions.front().starts_with("No blocks are known because"));
    }
    void stepsCountTheirUncertainBlocks() {
        PicturedTrace trace;
        const auto table = trace.block("main;table", 100), node = trace.block("main;entry", 20);
        auto possible = byBlock(table);
        possible.reachability = Reachability::Possible;
        trace.picture({{table, byRoot("app!g")}, {node, possible}});
        const auto answer = find(trace).value().front();
        QVERIFY(!answer.holders.front().isCertain());
        QCOMPARE(answer.nodes[answer.holders.front().node].uncertain, std::uint64_t{1});
        QCOMPARE(std::ranges::find(answer.nodes, "entry!+0x1", &HeldNode::text)->uncertain, std::uint64_t{1});
    }
    /// Deeper paths end at the last step.
    void pathsHaveAMostDepth() {
        MemoryPicture picture;
        picture.names = {"app!g"};
        picture.roots.push_back({.kind = RootKind::Variable});
        std::vector<std::uint32_t> owners;
        for (std::uint32_t i = 0; i < 1000; ++i) {
            picture.blocks.push_back({.address = 100 * (i + 1), .bytes = 10, .holder = i == 0 ? 1000 : i - 1});
            owners.push_back(i);
        }
        const HeldTree tree(picture, owners);
        QCOMPARE(tree.steps().back().depth, HeldTree::kMostDepth);
        QCOMPARE(tree.steps().size(), std::size_t{HeldTree::kMostDepth + 2});
    }
};

HIGHWATER_TEST(HeldByTest);
#include "held_by_test.moc"
