#include "core/analysis/flames/flames.h"

#include "core/analysis/flames/flame_layout.h"
#include "core/analysis/flames/flame_search.h"
#include "tests/core/analysis/flames/printed_flames.h"
#include "tests/core/analysis/named_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

std::string printed(const FlameTree& tree, const FlameWindow& window) {
    std::string text;
    FlameLayout(tree, window).visit([&](const FlameBox& box) {
        const auto name = box.node == FlameTree::kRoot ? "all" : shortText(tree, box.node);
        text += fmt::format("{} {} {:g}..{:g}", box.row, name, box.left, box.right);
        text += box.isMerged() ? fmt::format(" {} frames of {}\n", box.merged, box.width) : "\n";
    });
    return text;
}

} // namespace

/// Flame graphs: their frames, the widths of these, and the visible part.
class FlamesTest : public QObject {
    Q_OBJECT
  private slots:
    void narrowFramesStandTogetherWhereThereIsNoRoom() {
        std::vector<BlockOfTest> blocks;
        for (int i = 0; i < 20; ++i)
            blocks.push_back({i + 1, 0, static_cast<ByteCount>(i < 2 ? 500 : 1 + i), fmt::format("A;F{};G", i)});
        auto query = stacksOf(Column::Size);
        query.mostFrames = 8;
        const auto tree = flamesOf(traceOfBlocks(blocks), query);
        QCOMPARE(printed(tree), std::string("a.exe (7): 1207/0\n  A: 1207/0\n    F0: 500/0\n      G: 500/500\n    F1: "
                                            "500/0\n      G: 500/500\n    (36 more): 207/207\n"));
        QCOMPARE(tree.frames(), std::uint64_t{42});
        QCOMPARE(tree.cut, std::uint64_t{36});
        const auto more = static_cast<std::uint32_t>(tree.nodes.size() - 3);
        QVERIFY(tree.nodes[more].isMore());
        QCOMPARE(tree.path(more), tree.path(2)); // the path of the containing frame
    }
    void columnsOfSingleRowsAreLeftOut() {
        auto query = stacksOf(Column::Size);
        query.keys = {Column::Address, Column::Process, Column::Process, Column::BeginTime};
        QCOMPARE(printed(flamesOf(threeStacks(), query)), std::string("a.exe (7): 100/100\n"));
        query.keys = {};
        QCOMPARE(flamesOf(threeStacks(), query).root().width, std::uint64_t{100});
    }
    void refusesWhatIsNoWidth() {
        FrameLabels labels;
        auto query = stacksOf(Column::PeakSize);
        query.table = Table::Frees;
        QCOMPARE(computeFlames(*threeStacks(), labels, query).error().kind, ErrorKind::Usage);
        query = stacksOf(Column::Slope);
        QCOMPARE(computeFlames(*threeStacks(), labels, query).error().kind, ErrorKind::Usage);
        query = stacksOf(Column::Size);
        query.keys = {Column::Count};
        QCOMPARE(computeFlames(*threeStacks(), labels, query).error().kind, ErrorKind::Usage);
    }
    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        FrameLabels labels;
        const auto tree = computeFlames(*threeStacks(), labels, stacksOf(Column::PeakSize), stop.get_token());
        QCOMPARE(tree.error().kind, ErrorKind::Cancelled);
    }
    void inlinedFunctionsAreFramesOfTheirOwn() {
        NamedTrace named;
        named.block(10, "A;B");
        named.nameCode("B", {{0, {{"outer"}, {"inner"}}}});
        const auto tree = flamesOf(named.trace, stacksOf(Column::Size));
        QCOMPARE(tree.nodes.size(), std::size_t{4}); // without names
        const auto withNames = computeFlames(*named.trace, *named.labels, stacksOf(Column::Size)).value();
        QCOMPARE(withNames.text(3), std::string("B!outer"));
        QCOMPARE(withNames.text(4), std::string("B!inner [inlined]"));
    }

    void whatIsNarrowerThanAPixelIsOneBox() {
        std::vector<BlockOfTest> blocks{{1, 0, 900, "A;B"}};
        for (int i = 0; i < 10; ++i)
            blocks.push_back({i + 2, 0, 10, fmt::format("A;F{};G", i)});
        const auto tree = flamesOf(traceOfBlocks(blocks), stacksOf(Column::Size));
        FlameWindow window;
        window.width = 50; // 20 bytes per pixel
        QCOMPARE(printed(tree, window),
                 std::string("0 all 0..50\n1 a.exe (7) 0..50\n2 A 0..50\n3 B 0..45\n3 F0 45..50 20 frames of 100\n"));
        const FlameLayout layout(tree, window);
        QCOMPARE(layout.at(44.9, 3)->node, layout.at(0, 3)->node);
        QVERIFY(!layout.at(44.9, 3)->isMerged());
        QCOMPARE(layout.at(49.9, 3)->merged, std::uint64_t{20});
        QVERIFY(!layout.at(49.9, 4));
        QVERIFY(!layout.at(50, 3));
        window.firstRow = window.lastRow = 2;
        QCOMPARE(printed(tree, window), std::string("2 A 0..50\n"));
    }
    void aZoomIsAsWideAsAll() {
        const auto tree = flamesOf(threeStacks(), stacksOf(Column::Size));
        FlameWindow window;
        window.width = 90;
        window.zoom = 4; // C
        QCOMPARE(printed(tree, window), std::string("2 A 0..90\n1 a.exe (7) 0..90\n0 all 0..90\n3 C 0..90\n"));
        const FlameLayout layout(tree, window);
        QCOMPARE(layout.at(89, 1)->node, 1u);
        QCOMPARE(layout.at(89, 3)->node, 4u);
        QVERIFY(!layout.at(1, 4));
        QCOMPARE(layout.boxOf(3).right, 0.0); // B is to its left
        QCOMPARE(layout.boxOf(3).left, -180.0);
    }
    void nothingIsSeenOfNothing() {
        const auto tree = flamesOf(traceOfBlocks({}), stacksOf(Column::Size));
        QVERIFY(tree.isEmpty());
        QCOMPARE(tree.frames(), std::uint64_t{0});
        FlameWindow window;
        window.width = 100;
        QCOMPARE(printed(tree, window), std::string());
        QVERIFY(!FlameLayout(tree, window).at(1, 0));
        QCOMPARE(findInFlames(tree, "a").share, 0.0);
    }
    void matchesWithinMatchesCountOnce() {
        const auto trace = traceOfBlocks({{1, 0, 60, "XA;XB"}, {2, 0, 30, "XA;C"}, {3, 0, 10, "D;XB"}});
        const auto tree = flamesOf(trace, stacksOf(Column::Size));
        const auto found = findInFlames(tree, "xb");
        QCOMPARE(found.nodes.size(), std::size_t{2});
        QCOMPARE(found.width, std::uint64_t{70});
        QCOMPARE(findInFlames(tree, "x").width, std::uint64_t{100});
        QCOMPARE(findInFlames(tree, "X").nodes.size(), std::size_t{6}); // a.exe, and each +0x1
        QCOMPARE(findInFlames(tree, "xb").share, 0.7);
        QVERIFY(findInFlames(tree, "").nodes.empty());
    }
};
HIGHWATER_TEST(FlamesTest);
#include "flames_test.moc"
