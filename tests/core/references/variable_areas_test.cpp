#include "core/references/variable_areas.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <limits>

using namespace highwater;
using namespace highwater::references;

namespace {

constexpr std::uint32_t kFile = 0, kThread = 1;

/// Areas of app.so and of the thread "worker".
RootAreas areasOf(std::vector<RootArea> areas) {
    return {.names = {"app.so", "worker"}, .threadNames = kThread, .areas = std::move(areas)};
}
RootArea data(Address begin, Address end) {
    return {.begin = begin, .end = end, .kind = RootKind::Variable, .name = kFile};
}
RootArea threadLocal(Address begin, Address end, std::uint32_t thread) {
    return {.begin = begin, .end = end, .kind = RootKind::ThreadLocal, .name = kThread, .thread = thread};
}
RootArea stack(Address begin, Address end) {
    return {.begin = begin, .end = end, .kind = RootKind::Stack, .name = kThread, .thread = 0};
}

/// "100-108 a" etc.
std::string textOf(const RootAreas& found) {
    std::string text;
    for (const auto& area : found.areas)
        text += fmt::format("{}{:x}-{:x} {}", text.empty() ? "" : ", ", area.begin, area.end, found.names[area.name]);
    return text;
}

std::string splitText(std::vector<RootArea> areas, std::vector<Variable> variables) {
    auto found = areasOf(std::move(areas));
    splitByVariables(found, std::move(variables));
    return textOf(found);
}

std::vector<std::uint32_t> rootsOf(RootAreas found) {
    numberRoots(found);
    std::vector<std::uint32_t> roots;
    for (const auto& area : found.areas)
        roots.push_back(area.root);
    return roots;
}
using Roots = std::vector<std::uint32_t>;

} // namespace

class VariableAreasTest : public QObject {
    Q_OBJECT

  private slots:
    void areasWithoutVariablesStayWhole() {
        QCOMPARE(splitText({data(0x100, 0x200)}, {}), "100-200 app.so");
        QCOMPARE(splitText({data(0x100, 0x200)}, {{0x80, 0x100, "below"}, {0x200, 0x208, "above"}}), "100-200 app.so");
        QCOMPARE(splitText({}, {{0x80, 0x100, "a"}}), "");
    }
    void aVariableHasAnAreaOfItsOwnAndTheRestKeepsItsName() {
        QCOMPARE(splitText({data(0x100, 0x200)}, {{0x180, 0x188, "b"}, {0x110, 0x130, "a"}}),
                 "100-110 app.so, 110-130 a, 130-180 app.so, 180-188 b, 188-200 app.so");
        QCOMPARE(splitText({data(0x100, 0x110)}, {{0x100, 0x108, "a"}, {0x108, 0x110, "b"}}), "100-108 a, 108-110 b");
        QCOMPARE(splitText({data(0x100, 0x110)}, {{0x100, 0x110, "a"}}), "100-110 a");
    }
    void onlyTheWordsInAnAreaGetTheName() {
        QCOMPARE(splitText({data(0x100, 0x110)}, {{0xF0, 0x108, "a"}, {0x108, 0x200, "b"}}), "100-108 a, 108-110 b");
    }
    void aVariableMayBeInSeveralAreas() { // blocks or control blocks are between
        QCOMPARE(splitText({data(0x100, 0x110), data(0x180, 0x190), data(0x1C0, 0x1D0)},
                           {{0x108, 0x1C8, "a"}, {0x1C8, 0x1D0, "b"}}),
                 "100-108 app.so, 108-110 a, 180-190 a, 1c0-1c8 a, 1c8-1d0 b");
    }
    void onlyWholeWordsBelongToAVariable() {
        QCOMPARE(splitText({data(0x100, 0x120)}, {{0x101, 0x117, "a"}}), "100-108 app.so, 108-110 a, 110-120 app.so");
        QCOMPARE(
            splitText({data(0x100, 0x120)}, {{0x104, 0x108, "int"}, {0x108, 0x108, "empty"}, {0x110, 0x10C, "no"}}),
            "100-120 app.so");
    }
    void ofAliasesTheShortestNameCountsThenTheFirstInTheAlphabet() {
        const Variable longer{0x100, 0x108, "__environ"}, shorter{0x100, 0x108, "environ"},
            first{0x100, 0x108, "cnviron"};
        QCOMPARE(splitText({data(0x100, 0x108)}, {longer, shorter}), "100-108 environ");
        QCOMPARE(splitText({data(0x100, 0x108)}, {shorter, longer}), "100-108 environ");
        QCOMPARE(splitText({data(0x100, 0x108)}, {shorter, first, longer}), "100-108 cnviron");
    }
    void overlappingVariablesShareNoWord() {
        QCOMPARE(splitText({data(0x100, 0x140)}, {{0x108, 0x120, "b"}, {0x100, 0x110, "a"}, {0x118, 0x130, "c"}}),
                 "100-110 a, 110-120 b, 120-130 c, 130-140 app.so");
        QCOMPARE(splitText({data(0x100, 0x140)}, {{0x100, 0x140, "all"}, {0x108, 0x120, "in"}}), "100-140 all");
    }
    void threadLocalVariablesNameThreadLocalAreasOnly() {
        QCOMPARE(splitText({data(0x100, 0x110), threadLocal(0x200, 0x210, 0), threadLocal(0x300, 0x310, 1),
                            stack(0x210, 0x220)},
                           {{0x108, 0x110, "t", RootKind::ThreadLocal},
                            {0x208, 0x210, "t", RootKind::ThreadLocal},
                            {0x308, 0x310, "t", RootKind::ThreadLocal},
                            {0x200, 0x208, "shared"},
                            {0x210, 0x218, "t", RootKind::ThreadLocal},
                            {0x210, 0x218, "shared"}}),
                 "100-110 app.so, 200-208 worker, 208-210 t, 300-308 worker, 308-310 t, 210-220 worker");
    }
    void allElseOfAnAreaIsKept() {
        auto area = threadLocal(0x100, 0x110, 5);
        area.isOfCLibrary = true;
        auto found = areasOf({area});
        splitByVariables(found, {{0x100, 0x108, "a", RootKind::ThreadLocal}});
        QCOMPARE(found.areas.size(), std::size_t{2});
        for (const auto& piece : found.areas)
            QVERIFY(piece.isOfCLibrary && piece.thread == 5 && piece.kind == RootKind::ThreadLocal);
    }
    void hostileRangesAreBounded() {
        constexpr auto kLast = std::numeric_limits<Address>::max();
        QCOMPARE(splitText({data(0x100, 0x108)}, {{kLast, kLast, "a"}, {kLast - 3, 8, "b"}, {0, kLast, "c"}}),
                 "100-108 c");
    }
    void areasOfTheSameKindNameAndThreadAreOneRoot() {
        auto found = areasOf({data(0x100, 0x110), data(0x200, 0x210), threadLocal(0x300, 0x310, 0),
                              threadLocal(0x400, 0x410, 1), threadLocal(0x500, 0x510, 0), stack(0x600, 0x610)});
        QCOMPARE(rootsOf(found), (Roots{0, 0, 1, 2, 1, 3}));
        numberRoots(found);
        QCOMPARE(found.roots(), 4u);
        splitByVariables(found, {{0x108, 0x210, "a"}});
        QCOMPARE(rootsOf(found), (Roots{0, 1, 1, 2, 3, 2, 4}));
    }
    void equalNamesOfSeveralVariablesAreOneRoot() { // static variables of two files
        auto found = areasOf({data(0x100, 0x120)});
        splitByVariables(found, {{0x100, 0x108, "cache"}, {0x110, 0x118, "cache"}});
        QCOMPARE(rootsOf(found), (Roots{0, 1, 0, 1}));
    }
    void framesOfAFunctionAreOneRootBelowThatOfTheirStack() {
        auto found = areasOf({stack(0x100, 0x160)});
        splitByVariables(found, {{0x100, 0x110, "app!a", RootKind::Stack, 7},
                                 {0x110, 0x120, "app!b", RootKind::Stack, 8},
                                 {0x120, 0x140, "app!a", RootKind::Stack, 9}});
        QCOMPARE(textOf(found), "100-110 app!a, 110-120 app!b, 120-140 app!a, 140-160 worker");
        QCOMPARE(rootsOf(found), (Roots{1, 2, 1, 0}));
        numberRoots(found);
        constexpr auto kNoParent = RootAreas::kNoParent;
        QCOMPARE(found.parents, (Roots{kNoParent, 0, 0}));
        QCOMPARE(found.areas[1].code, Address{8});
        QCOMPARE(found.topOf(2), 0u);
        QCOMPARE(found.topOf(0), 0u);
    }
    /// Where a function has saved a register of its caller.
    void aWordInAFrameMayBelongToAnotherFrame() {
        const auto textOfStack = [](std::vector<Variable> words) {
            for (auto& word : words)
                word.kind = RootKind::Stack, word.code = 7;
            return splitText({stack(0x100, 0x140)}, std::move(words));
        };
        const Variable inner{0x100, 0x120, "in"}, outer{0x120, 0x140, "out"};
        QCOMPARE(textOfStack({inner, outer, {0x108, 0x110, "out"}}),
                 "100-108 in, 108-110 out, 110-120 in, 120-140 out");
        QCOMPARE(textOfStack({inner, outer, {0x100, 0x108, "out"}, {0x118, 0x120, "out"}}),
                 "100-108 out, 108-118 in, 118-120 out, 120-140 out");
        QCOMPARE(textOfStack({inner, {0x108, 0x110, "a"}, {0x108, 0x110, "b"}, {0x10C, 0x130, "c"}}),
                 "100-108 in, 108-110 a, 110-130 c, 130-140 worker");
    }
    void aStackThatHasOnlyFramesIsARoot() {
        auto found = areasOf({stack(0x100, 0x120)});
        splitByVariables(found, {{0x100, 0x120, "worker", RootKind::Stack, 7}}); // a hostile name
        numberRoots(found);
        QCOMPARE(found.parents, (Roots{RootAreas::kNoParent, 0}));
        QCOMPARE(found.areas.front().root, 1u);
    }
    void manyVariablesTakeLittleTime() {
        constexpr Address kVariables = 300'000;
        std::vector<Variable> variables;
        for (Address i = kVariables; i-- > 0;)
            variables.push_back({16 * i, 16 * i + 8, fmt::format("libbig.so!variable_{}", i)});
        std::vector<RootArea> areas;
        for (Address i = 0; i < kVariables / 2; ++i)
            areas.push_back(data(32 * i, 32 * i + 24));
        auto found = areasOf(areas);
        splitByVariables(found, variables);
        numberRoots(found);
        QCOMPARE(found.areas.size(), std::size_t{kVariables / 2 * 3});
        QCOMPARE(found.roots(), static_cast<std::uint32_t>(kVariables + 1)); // the last one has all between
    }
};

HIGHWATER_TEST(VariableAreasTest);
#include "variable_areas_test.moc"
