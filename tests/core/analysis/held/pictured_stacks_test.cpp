#include "core/analysis/held/pictured_stacks.h"

#include "tests/core/analysis/held/pictured_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

using ByOwner = std::map<std::string, std::optional<PicturedStack>>;

/// By the innermost frame. Each stack is a group.
ByOwner picturedStacks(const store::PublishedTrace& trace, TimeRange interval) {
    FrameLabels labels;
    const auto stacks = PicturedStacks::make(trace, labels, {interval, nullptr, {}}, {}).value();
    if (stacks == nullptr) return {};
    SelectionQuery query;
    query.table = Table::Heap;
    query.interval = interval;
    query.columns = {Column::Process, Column::StackBottomUp, Column::FreeType};
    const auto selection = RowSelection::make(trace, labels, query, {}).value();
    std::map<std::string, std::uint32_t> numbers;
    std::vector<std::uint32_t> groups;
    for (const auto& cell : selection->cells()) {
        const auto frames = selection->reader().wholeStack(Column::StackBottomUp, cell.key).frames;
        const std::string name(labels.text(LabelId{frames.front()}));
        const auto number = numbers.try_emplace(name, static_cast<std::uint32_t>(numbers.size())).first->second;
        groups.push_back(isFreedInside(cell.key) ? PicturedStacks::kNoGroup : number);
    }
    if (!stacks->assign(*selection, groups, {})) qFatal("stopped");
    ByOwner answers;
    for (const auto& [name, number] : numbers)
        answers[name.substr(0, name.find('!'))] = stacks->of(number);
    return answers;
}
ByOwner picturedStacks(PicturedTrace& trace) {
    const auto published = trace.publish();
    return picturedStacks(*published, published->wholeRange());
}

std::string sinceText(const std::optional<PicturedStack>& stack) {
    return stack && stack->since ? fmt::format("{}-{}", stack->since->start.ns, stack->since->end.ns) : "unknown";
}

PicturedStack stackOf(BlockSum all, BlockSum unreachable) {
    PicturedStack stack;
    stack.time = TraceTime{5'000'000'000};
    stack.blocks = all;
    stack.unreachable = unreachable;
    return stack;
}

} // namespace

class PicturedStacksTest : public QObject {
    Q_OBJECT

  private slots:
    void countsUnreachableBlocksOfEachStack() {
        PicturedTrace trace;
        const auto first = trace.block("main;leak", 70), second = trace.block("main;leak", 30);
        const auto kept = trace.block("main;leak", 1000), below = trace.block("main;below", 7);
        const auto other = trace.block("main;other", 5);
        trace.picture({{first, unreachable()},
                       {second, unreachable()},
                       {kept, byRoot("app!g")},
                       {below, leakedBy(first)},
                       {other, byRoot("app!g")}});
        const auto stacks = picturedStacks(trace);
        QCOMPARE(stacks.at("leak")->unreachable, (BlockSum{2, 100}));
        QCOMPARE(stacks.at("leak")->blocks, (BlockSum{3, 1100}));
        QCOMPARE(stacks.at("below")->unreachable, (BlockSum{1, 7}));
        QCOMPARE(stacks.at("other")->unreachable, BlockSum());
    }
    /// A block that the program freed later was in use, whatever the picture shows.
    void blocksThatAreFreedLaterAreNotUnreachable() {
        PicturedTrace trace;
        const auto hidden = trace.block("main;hidden", 70), leak = trace.block("main;leak", 30);
        trace.picture({{hidden, unreachable()}, {leak, unreachable()}});
        trace.free(hidden);
        const auto stacks = picturedStacks(trace);
        QVERIFY(!stacks.at("hidden"));
        QCOMPARE(stacks.at("leak")->unreachable, (BlockSum{1, 30}));
    }
    void stacksWithoutBlocksInThePictureHaveNoAnswer() {
        PicturedTrace trace;
        const auto early = trace.block("main;early", 70);
        trace.picture({{early, unreachable()}});
        trace.block("main;late", 70);
        QVERIFY(!picturedStacks(trace).at("late"));
    }
    void anIntervalWithoutPictureHasNoAnswer() {
        PicturedTrace trace;
        const auto early = trace.block("main;early", 70);
        trace.picture({{early, unreachable()}}); // at 2
        trace.block("main;late", 70);            // at 3
        trace.block("main;late", 70);
        QVERIFY(picturedStacks(*trace.publish(), {TraceTime{3}, TraceTime{4}}).empty());
        QVERIFY(picturedStacks(*PicturedTrace().publish(), {TraceTime{0}, TraceTime{4}}).empty());
    }
    /// The root with most bytes, then the way below it with most of these.
    void theHolderIsTheRootOfMostBytes() {
        PicturedTrace trace;
        const auto table = trace.block("main;Session", 10), index = trace.block("main;Index", 10);
        const auto a = trace.block("main;item", 300), b = trace.block("main;item", 200),
                   c = trace.block("main;item", 400);
        trace.picture({{table, byRoot("app!g_sessions")},
                       {index, byRoot("app!g_sessions")},
                       {a, byBlock(table)},
                       {b, byBlock(index)},
                       {c, byRoot("app!g_cache")}});
        const auto stacks = picturedStacks(trace);
        QCOMPARE(stacks.at("item")->heldBy, (std::vector<std::string>{"app!g_sessions", "Session!+0x1"}));
        QCOMPARE(stacks.at("item")->held, (BlockSum{2, 500}));
        QCOMPARE(stacks.at("Session")->heldBy, (std::vector<std::string>{"app!g_sessions"}));
    }
    /// Nodes of a list are one step, which is that of the stack itself.
    void theStackItselfIsNotAStep() {
        PicturedTrace trace;
        std::map<std::size_t, ModelHeld> blocks;
        std::size_t before = 0;
        for (int i = 0; i < 100; ++i) {
            const auto node = trace.block("main;node", 10);
            blocks[node] = i == 0 ? byRoot("app!list") : byBlock(before);
            before = node;
        }
        trace.picture(blocks);
        QCOMPARE(picturedStacks(trace).at("node")->heldBy, (std::vector<std::string>{"app!list"}));
    }
    void unreachableBlocksHaveNoHolder() {
        PicturedTrace trace;
        const auto leak = trace.block("main;leak", 70), below = trace.block("main;below", 7);
        trace.picture({{leak, unreachable()}, {below, leakedBy(leak)}});
        QVERIFY(picturedStacks(trace).at("below")->heldBy.empty());
    }
    /// From the last picture in which the first of them was reachable to the first in which it was not.
    void unreachableSinceTwoPictures() {
        PicturedTrace trace;
        const auto one = trace.block("main;leak", 10), two = trace.block("main;leak", 20); // at 1 and 2
        trace.picture({{one, byRoot("app!g")}, {two, byRoot("app!g")}});                   // 3
        trace.picture({{one, byRoot("app!g")}, {two, unreachable()}});                     // 4
        trace.picture({{one, unreachable()}, {two, unreachable()}});                       // 5
        const auto stacks = picturedStacks(trace);
        QCOMPARE(sinceText(stacks.at("leak")), std::string("3-4"));
        QCOMPARE(stacks.at("leak")->time, TraceTime{5});
    }
    void unreachableSinceAllocationIfThatIsLater() {
        PicturedTrace trace;
        const auto root = trace.block("main;root", 10);
        trace.picture({{root, byRoot("app!g")}});                        // 2
        const auto leak = trace.block("main;leak", 20);                  // 3
        trace.picture({{root, byRoot("app!g")}, {leak, unreachable()}}); // 4
        trace.picture({{root, byRoot("app!g")}, {leak, unreachable()}}); // 5
        QCOMPARE(sinceText(picturedStacks(trace).at("leak")), std::string("3-4"));
    }
    /// It was unreachable, such as during a change of a list, and then reachable again.
    void onlyTheLastTimeCounts() {
        PicturedTrace trace;
        const auto leak = trace.block("main;leak", 10);
        trace.picture({{leak, unreachable()}});   // 2
        trace.picture({{leak, byRoot("app!g")}}); // 3
        trace.picture({{leak, unreachable()}});   // 4
        QCOMPARE(sinceText(picturedStacks(trace).at("leak")), std::string("3-4"));
    }
    void onePictureDoesNotShowSinceWhen() {
        PicturedTrace trace;
        const auto leak = trace.block("main;leak", 10);
        trace.picture({{leak, unreachable()}});
        QCOMPARE(sinceText(picturedStacks(trace).at("leak")), std::string("unknown"));
    }
    /// An earlier block at the same address is another block.
    void unreachableBlocksInTheOldestPictureAreSoSinceTheirAllocation() {
        PicturedTrace trace;
        trace.block("main;other", 10);
        const auto leak = trace.block("main;leak", 10); // 2
        trace.picture({{leak, unreachable()}});         // 3
        trace.picture({{leak, unreachable()}});         // 4
        QCOMPARE(sinceText(picturedStacks(trace).at("leak")), std::string("2-3"));
    }
    void sentencesOfUnreachableBlocks() {
        auto stack = stackOf({312, 1000}, {312, 1000});
        QCOMPARE(
            unreachableText(stack),
            std::string("312 blocks (1,000 B) are unreachable because nothing refers to them (picture at 5.00 s)."));
        stack.since = {TraceTime{1'200'000'000}, TraceTime{2'200'000'000}};
        QVERIFY(unreachableText(stack).ends_with(" The first of them became unreachable between 1.20 s and 2.20 s."));
        stack = stackOf({1, 10}, {1, 10});
        QCOMPARE(unreachableText(stack),
                 std::string("1 block (10 B) is unreachable because nothing refers to it (picture at 5.00 s)."));
        QCOMPARE(unreachableText(stackOf({1, 10}, {})), std::string());
    }
    void sentencesNameLimits() {
        auto stack = stackOf({2, 10}, {2, 10});
        stack.limits.isUpperBound = true;
        QVERIFY(unreachableText(stack).starts_with("At most 2 blocks"));
        QVERIFY(unreachableText(stack).find("may be in use because data is missing") != std::string::npos);
        stack.limits = {false, "blocks from before the recording were not recorded"};
        QVERIFY(unreachableText(stack).starts_with("At least 2 blocks"));
        QVERIFY(unreachableText(stack).ends_with(
            "More may be unreachable because blocks from before the recording were not recorded."));
        stack.limits.isUpperBound = true;
        QVERIFY(unreachableText(stack).starts_with("About 2 blocks"));
    }
    void sentencesOfHolders() {
        auto stack = stackOf({10, 100}, {});
        QCOMPARE(heldByText(stack), std::string());
        stack.heldBy = {"libapp.so!g_sessions", "Session::open"};
        stack.held = {10, 100};
        QCOMPARE(heldByText(stack),
                 std::string("Held by libapp.so!g_sessions through Session::open (picture at 5.00 s)."));
        QCOMPARE(heldByPath(stack), std::string("libapp.so!g_sessions > Session::open"));
        stack.held = {6, 62};
        stack.heldBy = {"stack of io (12)"};
        QCOMPARE(heldByText(stack), std::string("62 % held by stack of io (12) (picture at 5.00 s)."));
        stack.unreachable = {9, 90};
        QCOMPARE(heldByText(stack), std::string("The other block is held by stack of io (12) (picture at 5.00 s)."));
    }
    void missingDataIsALimit() {
        PicturedTrace trace;
        const auto leak = trace.block("main;leak", 10);
        trace.picture({{leak, unreachable()}});
        auto published = std::make_shared<store::PublishedTrace>(*trace.publish());
        QVERIFY(!picturedStacks(*published, published->wholeRange()).at("leak")->limits.isUpperBound);
        published->health.counts[static_cast<std::size_t>(Loss::EventsLost)] = 3;
        QVERIFY(picturedStacks(*published, published->wholeRange()).at("leak")->limits.isUpperBound);
    }
};

HIGHWATER_TEST(PicturedStacksTest);
#include "pictured_stacks_test.moc"
