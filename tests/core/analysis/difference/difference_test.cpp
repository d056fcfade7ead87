#include "core/analysis/difference/difference.h"

#include "core/analysis/difference/difference_sentences.h"
#include "tests/core/analysis/blocks_trace.h"
#include "tests/core/analysis/difference/named_labels.h"
#include "tests/support/test_registry.h"

#include <fmt/format.h>

#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

using Trace = std::shared_ptr<const store::PublishedTrace>;
using Functions = std::map<std::string, std::vector<std::string>>;

const Functions kNames{{"main", {"main"}}, {"a", {"alpha"}}, {"b", {"beta"}}, {"c", {"gamma"}}};

ComparedTrace side(const Trace& trace, const Functions& names = kNames, std::int64_t start = 0,
                   std::int64_t end = 1000) {
    return {trace, namedLabels(*trace, names), {TraceTime{start}, TraceTime{end}}, {}};
}

DifferenceQuery question(std::vector<ComparedTrace> before, std::vector<ComparedTrace> after) {
    DifferenceQuery query;
    query.before = std::move(before);
    query.after = std::move(after);
    return query;
}

std::shared_ptr<Difference> differenceOf(DifferenceQuery query) {
    auto difference = Difference::compute(std::move(query));
    if (!difference.hasValue()) qFatal("%s", difference.error().message.c_str());
    return std::move(difference).value();
}

/// "  text: state before>after", in the order of the answer, two spaces per level.
void print(Difference& difference, Difference::NodeId node, const std::string& indent, std::string& text) {
    for (const auto child : difference.children(node)) {
        const auto change = difference.change(child, difference.query().decides);
        text += fmt::format("{}{}: {} {}>{}\n", indent, difference.text(child), stateWord(difference.state(child)),
                            change.before, change.after);
        print(difference, child, indent + "  ", text);
    }
}
std::string printed(DifferenceQuery query) {
    auto difference = differenceOf(std::move(query));
    std::string text = "\n";
    print(*difference, Difference::kRoot, "", text);
    return text;
}

/// Blocks of a.exe with another pid, other heaps and addresses, and modules that were loaded in another order.
Trace traceElsewhere(const std::vector<BlockOfTest>& blocks, const std::string& name = "a.exe") {
    ColumnsBuilder builder;
    builder.process("first.exe", 3, TraceTime{0});
    builder.process(name, 4711, TraceTime{0});
    std::int64_t time = 1;
    for (const auto* module : {"c", "x", "b", "a", "main"}) {
        ModelRow row;
        row.process = 1;
        row.heap = 0x770000;
        row.size = 0;
        row.stack = module;
        row.begin = TraceTime{time};
        row.address = 0x9000u + static_cast<Address>(time);
        ModelRelease release;
        release.time = TraceTime{time++};
        builder.end(builder.alloc(row), release);
    }
    for (const auto& block : blocks) {
        ModelRow row;
        row.process = 1;
        row.heap = 0x770000;
        row.thread = 99;
        row.size = block.size;
        row.stack = block.stack;
        row.begin = TraceTime{block.begin};
        row.address = 0xAB0000u + 0x100 * static_cast<Address>(block.begin);
        builder.alloc(row);
    }
    return builder.publish(TraceTime{1000});
}

/// The same trace, with this age in the identity of the file of the module of this name.
Trace withIdentity(const Trace& trace, const std::string& module, std::uint32_t age) {
    auto processes = std::make_shared<store::ProcessTable>(*trace->processes);
    for (const auto& process : trace->processes->processes()) {
        for (const auto& image : process.images) {
            if (trace->processes->module(image.module).name != module) continue;
            ImageIdentityEvent identity;
            identity.pid = process.pid;
            identity.base = image.base;
            identity.identity.pdbName = module + ".pdb";
            identity.identity.pdbGuid.data1 = 7;
            identity.identity.pdbAge = age;
            processes->apply(identity);
        }
    }
    auto changed = std::make_shared<store::PublishedTrace>(*trace);
    changed->processes = processes;
    return changed;
}

/// Recordings of one program in which "main;a" keeps this many bytes, and "main;b" others.
std::vector<ComparedTrace> recordings(const std::vector<std::pair<ByteCount, ByteCount>>& bytes) {
    std::vector<ComparedTrace> traces;
    for (const auto& [a, b] : bytes)
        traces.push_back(side(traceOfBlocks({{10, 0, a, "main;a"}, {20, 0, b, "main;b"}})));
    return traces;
}

} // namespace

class DifferenceTest : public QObject {
    Q_OBJECT
  private slots:
    void groupsAreNewGrownShrunkGoneOrTheSame() {
        const auto before =
            traceOfBlocks({{10, 0, 100, "main;a"}, {20, 0, 50, "main;b"}, {30, 0, 7, "main;c"}, {40, 0, 5, "main", 1}});
        const auto after = traceOfBlocks({{10, 0, 100, "main;c"}, {20, 0, 40, "main;b"}, {30, 0, 3, "main;main"}});
        QCOMPARE(printed(question({side(before)}, {side(after)})), std::string(R"(
b.exe: gone 5>0
  main!main: gone 5>0
a.exe: shrunk 157>143
  main!main: shrunk 157>143
    c!gamma: grown 7>100
    main!main: new 0>3
    b!beta: shrunk 50>40
    a!alpha: gone 100>0
)"));
    }
    void theSameTraceTwiceIsTheSame() {
        const auto trace = traceOfBlocks({{10, 0, 100, "main;x"}, {20, 30, 50, "main;b"}});
        const auto one = side(trace);
        QCOMPARE(printed(question({one}, {one})), std::string(R"(
a.exe: same 100>100
  main!main: same 100>100
    x!+0x1: same 100>100
    b!beta: same 0>0
)")); // the larger first
    }
    void roundsOfOneTraceAreCompared() {
        const auto trace = traceOfBlocks({{10, 0, 100, "main;a"}, {20, 300, 50, "main;b"}, {600, 0, 9, "main;c"}});
        const auto labels = namedLabels(*trace, kNames);
        auto query = question({{trace, labels, {TraceTime{0}, TraceTime{500}}, {}}},
                              {{trace, labels, {TraceTime{500}, TraceTime{1000}}, {}}});
        QCOMPARE(printed(query), std::string(R"(
a.exe: grown 100>109
  main!main: grown 100>109
    c!gamma: new 0>9
    b!beta: gone 0>0
    a!alpha: same 100>100
)"));
        query.decides = Measure::Allocated;
        query.isRising = true;
        QCOMPARE(printed(query), std::string(R"(
a.exe: shrunk 150>9
  main!main: shrunk 150>9
    a!alpha: shrunk 100>0
    b!beta: gone 50>0
    c!gamma: new 0>9
)"));
    }
    void pidsAddressesAndBasesMeanNothing() {
        const std::vector<BlockOfTest> blocks{{100, 0, 100, "main;a"}, {200, 0, 50, "main;b;a"}};
        const auto text = printed(question({side(traceOfBlocks(blocks))}, {side(traceElsewhere(blocks, "A.EXE"))}));
        QVERIFY2(text.find("a.exe: same 150>150") != std::string::npos, text.c_str());
        QVERIFY2(text.find("a!alpha: same 100>100") != std::string::npos, text.c_str());
        QVERIFY2(text.find("  a!alpha: same 50>50") != std::string::npos, text.c_str());
    }
    void renamedPlacesAreMatched() {
        const auto before = traceOfBlocks({{10, 0, 100, "main;a"}, {20, 0, 50, "main;b"}});
        const auto after = traceElsewhere({{100, 0, 110, "main;a"}, {200, 0, 50, "main;c"}}, "shop.exe");
        auto query = question({side(before)}, {side(after, {{"main", {"main"}}, {"a", {"first"}}, {"c", {"beta"}}})});
        query.renames =
            std::make_shared<const Renames>(Renames::parse("a!alpha = a!first\nb = c\na.exe = shop.exe").value());
        const auto text = printed(query);
        QVERIFY2(text.find("shop.exe: grown 150>160") != std::string::npos, text.c_str());
        QVERIFY2(text.find("a!first: grown 100>110") != std::string::npos, text.c_str());
        QVERIFY2(text.find("c!beta: same 50>50") != std::string::npos, text.c_str());
    }
    void framesWithoutNamesAreMergedUnlessTheirFilesAreTheSame() {
        const auto before = withIdentity(traceOfBlocks({{10, 0, 1, "main;x"}, {20, 0, 2, "main;x+0x30"}}), "x", 1);
        const std::vector<BlockOfTest> blocks{{100, 0, 4, "main;x"}, {200, 0, 8, "main;x+0x30"}};
        const auto same = withIdentity(traceElsewhere(blocks), "x", 1);
        const auto other = withIdentity(traceElsewhere(blocks), "x", 2);
        auto text = printed(question({side(before)}, {side(same)}));
        QVERIFY2(text.find("x!+0x30: grown 2>8") != std::string::npos, text.c_str());
        QVERIFY2(text.find("x!+0x1: grown 1>4") != std::string::npos, text.c_str());
        for (const auto& unlike : {other, traceElsewhere(blocks)}) {
            text = printed(question({side(before)}, {side(unlike)}));
            QVERIFY2(text.find("x!(unnamed): grown 3>12") != std::string::npos, text.c_str());
            QVERIFY2(text.find("+0x") == std::string::npos, text.c_str());
        }
        const auto difference = differenceOf(question({side(before)}, {side(other)}));
        QCOMPARE(difference->merged().frames, std::size_t{4});
        QCOMPARE(difference->merged().modules, std::set<std::string>{"x"});
        const auto notes = notesOf(*difference);
        QCOMPARE(notes.front().id, std::string("unnamed_frames_merged"));
        QCOMPARE(notes.front().count, std::uint64_t{4});
        QVERIFY(differenceOf(question({side(before)}, {side(same)}))->merged().modules.empty());
    }
    void whetherAFunctionIsInlinedMeansNothing() {
        const auto trace = traceOfBlocks({{10, 0, 1, "main;a"}});
        const auto other = traceOfBlocks({{10, 0, 1, "main;a;b"}});
        const Functions inlined{{"main", {"main"}}, {"a", {"alpha", "deep"}}, {"b", {"deep"}}};
        const Functions plain{{"main", {"main"}}, {"a", {"alpha"}}, {"b", {"deep"}}};
        const auto text = printed(question({side(trace, inlined)}, {side(trace, inlined)}));
        QVERIFY2(text.find("a!deep [inlined]: same 1>1") != std::string::npos, text.c_str());
        // In another module it is another function.
        const auto apart = printed(question({side(trace, inlined)}, {side(other, plain)}));
        QVERIFY2(apart.find("a!deep [inlined]: gone") != std::string::npos, apart.c_str());
        const auto both =
            printed(question({side(other, {{"main", {"main"}}, {"a", {"alpha"}}, {"b", {"deep", "in"}}})},
                             {side(other, {{"main", {"main"}}, {"a", {"alpha"}}, {"b", {"deep", "in"}}})}));
        QVERIFY2(both.find("b!in [inlined]: same 1>1") != std::string::npos, both.c_str());
    }
    void bottomUpStacksBeginBehindTheAllocator() {
        const auto before = traceOfBlocks({{10, 0, 100, "main;a;b"}, {20, 0, 3, "main;b"}});
        const auto after = traceOfBlocks({{10, 0, 100, "main;a;b"}, {20, 0, 5, "main;b"}});
        auto query = question({side(before)}, {side(after)});
        query.keys = {Column::Process, Column::StackBottomUp};
        query.allocatorFrames = std::make_shared<AllocatorFrames>("b!*");
        QCOMPARE(printed(query), std::string(R"(
a.exe: grown 103>105
  main!main: grown 3>5
  a!alpha: same 100>100
    main!main: same 100>100
)"));
    }
    void aChangeMayBeTooSmall() {
        auto query = question(recordings({{100, 10}}), recordings({{105, 30}}));
        query.smallest = 10;
        const auto text = printed(query);
        QVERIFY2(text.find("a!alpha: same 100>105") != std::string::npos, text.c_str());
        QVERIFY2(text.find("b!beta: grown 10>30") != std::string::npos, text.c_str());
    }
    void severalRecordingsTellNoiseFromChanges() {
        const auto before = recordings({{100, 10}, {130, 10}, {90, 11}});
        const auto after = recordings({{140, 20}, {95, 21}, {120, 20}});
        const auto query = question(before, after);
        QCOMPARE(printed(query), std::string(R"(
a.exe: within_noise 110>140
  main!main: within_noise 110>140
    b!beta: grown 10>20
    a!alpha: within_noise 100>120
)"));
        const auto difference = differenceOf(query);
        QCOMPARE(difference->values(Difference::kRoot, Measure::Outstanding, Side::Before),
                 (std::vector<std::int64_t>{110, 140, 101}));
        QVERIFY(notesOf(*difference).back().sentence.starts_with("Numbers are medians of 3 before and 3 after."));
        QVERIFY(notesOf(*differenceOf(question(recordings({{1, 1}}), recordings({{2, 2}})))).back().id ==
                "noise_unknown");
    }
    /// Stacks that start differently have nothing in common, whatever they end with.
    void stacksThatMatchNowhereAreTold() {
        const auto trace = traceOfBlocks({{10, 0, 1, "main;a"}, {20, 0, 2, "main;b"}});
        const Functions named{{"main", {"main"}}, {"a", {"alpha"}}, {"b", {"beta"}}};
        const Functions started{{"main", {"start"}}, {"a", {"alpha"}}, {"b", {"beta"}}};
        const auto other = traceElsewhere({{10, 0, 1, "main;a"}, {20, 0, 2, "main;b"}});
        const auto apart = differenceOf(question({side(trace, named)}, {side(other, started)}));
        QVERIFY(apart->haveNoCommonStacks());
        const auto notes = notesOf(*apart);
        QVERIFY(std::ranges::any_of(notes, [](const auto& note) { return note.id == "no_common_stacks"; }));
        QVERIFY(!differenceOf(question({side(trace, named)}, {side(other, named)}))->haveNoCommonStacks());
        // If only one side exists, there is nothing to report.
        const auto nothing = differenceOf(question({side(trace, named)}, {side(traceOfBlocks({}), named)}));
        QVERIFY(!nothing->haveNoCommonStacks());
    }
    void ownersGrewInAllTheirStacksTogether() {
        const auto before = traceOfBlocks({{10, 0, 10, "main;a"}, {20, 0, 10, "main;b;a"}, {30, 0, 50, "main;c"}});
        const auto after = traceOfBlocks({{10, 0, 17, "main;a"}, {20, 0, 15, "main;b;a"}, {30, 0, 49, "main;c"}});
        auto query = question({side(before)}, {side(after)});
        query.isByOwner = true;
        for (const auto decides : {Measure::Outstanding, Measure::PeakSize}) {
            query.decides = decides;
            const auto difference = differenceOf(query);
            const auto& owners = difference->owners();
            QCOMPARE(owners.size(), std::size_t{2});
            QCOMPARE(owners[0].owner, std::string("a!alpha"));
            QCOMPARE(owners[0].process, std::string("a.exe"));
            QCOMPARE(owners[0].change, (Change{20, 32}));
            QVERIFY(owners[0].state == DifferenceState::Grown);
            QCOMPARE(owners[1].change.delta(), std::int64_t{-1});
        }
    }
    void pathsLeadToTheGroupsOfATrace() {
        const auto before = traceOfBlocks({{10, 0, 1, "main;x"}, {20, 0, 2, "main;x+0x30"}});
        const auto after = traceElsewhere({{100, 0, 4, "main;x"}});
        auto difference = differenceOf(question({side(before)}, {side(after)}));
        auto node = Difference::kRoot;
        for (int i = 0; i < 3; ++i)
            node = difference->children(node).front();
        QCOMPARE(difference->text(node), std::string("x!(unnamed)"));
        const auto paths = difference->paths(node, Side::Before, 0);
        QCOMPARE(paths.size(), std::size_t{2});
        const auto& labels = *difference->query().before.front().labels;
        for (const auto& path : paths) {
            QCOMPARE(path.size(), std::size_t{3});
            QVERIFY(path[0].column == Column::Process && path[2].column == Column::Stack);
            QVERIFY(labels.text(LabelId{static_cast<std::uint32_t>(path[2].key)}).starts_with("x!+0x"));
        }
        QCOMPARE(difference->paths(node, Side::After, 0).size(), std::size_t{1});
    }
    void lengthsThatDifferAreSaid() {
        const auto trace = traceOfBlocks({{10, 0, 100, "main;a"}});
        const auto labels = namedLabels(*trace, kNames);
        const auto lengths = [&](std::int64_t end) {
            return differenceOf(question({{trace, labels, {TraceTime{0}, TraceTime{500}}, {}}},
                                         {{trace, labels, {TraceTime{0}, TraceTime{end}}, {}}}));
        };
        QVERIFY(!haveDifferentLengths(*lengths(540)));
        QVERIFY(haveDifferentLengths(*lengths(5000))); // as far as the trace goes
        QCOMPARE(lengths(5000)->seconds(Side::After), 1e-6);
        QCOMPARE(notesOf(*lengths(1000)).front().id, std::string("lengths_differ"));
    }
    /// Growth of a program that frees its memory as it exits is not in the numbers at the end.
    void memoryFreedOnExitIsSaid() {
        const auto traceThatFrees = [](bool frees) {
            ColumnsBuilder builder;
            builder.process("a.exe", 7, TraceTime{0});
            ModelRow row;
            row.heap = 0x10000;
            row.size = 400 << 10;
            row.stack = "main;a";
            row.begin = TraceTime{10};
            row.address = 0x1000;
            const auto block = builder.alloc(row);
            ModelRelease release;
            release.time = TraceTime{890};
            if (frees) builder.end(block, release);
            builder.endProcess(0, TraceTime{900});
            return builder.publish(TraceTime{1000});
        };
        const auto noteOf = [&](bool freesBefore, bool freesAfter, Measure measure = Measure::Outstanding) {
            auto query = question({side(traceThatFrees(freesBefore))}, {side(traceThatFrees(freesAfter))});
            query.decides = measure;
            const auto notes = notesOf(*differenceOf(std::move(query)));
            const auto found = std::ranges::find(notes, "freed_on_exit", &DifferenceNote::id);
            return found == notes.end() ? std::string() : found->sentence;
        };
        QCOMPARE(noteOf(false, true),
                 std::string("After: Most of the heap memory was freed as a.exe exited, and is not listed. Shortly "
                             "before, 400.0 KB were outstanding. To compare this memory, choose an interval that ends "
                             "earlier."));
        QVERIFY(noteOf(true, true).starts_with("Before: Most of the heap memory was freed as a.exe exited"));
        QCOMPARE(noteOf(false, false), std::string());
        QCOMPARE(noteOf(true, true, Measure::Allocated), std::string()); // includes it
    }
    void stopsAndRefuses() {
        const auto trace = traceOfBlocks({{10, 0, 100, "main;a"}});
        const auto query = question({side(trace)}, {side(trace)});
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(Difference::compute(query, stop.get_token()).error().kind, ErrorKind::Cancelled);
        auto frees = query;
        frees.table = Table::Frees;
        QCOMPARE(Difference::compute(frees).error().kind, ErrorKind::Usage);
        auto byPid = query;
        byPid.keys = {Column::Pid};
        const auto refused = Difference::compute(byPid);
        QVERIFY(refused.error().message.starts_with("PID cannot be compared between traces."));
        auto oneSide = query;
        oneSide.after.clear();
        QCOMPARE(Difference::compute(oneSide).error().kind, ErrorKind::Usage);
        auto byNothing = query;
        byNothing.keys.clear();
        QVERIFY(!differenceOf(byNothing)->hasChildren(Difference::kRoot));
        QVERIFY(!differenceOf(question({side(traceOfBlocks({}))}, {side(traceOfBlocks({}))}))
                     ->hasChildren(Difference::kRoot));
    }
};

HIGHWATER_TEST(DifferenceTest);
#include "difference_test.moc"
