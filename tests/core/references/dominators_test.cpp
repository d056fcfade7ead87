#include "core/references/dominators.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <utility>
#include <vector>

using namespace highwater;
using namespace highwater::references;

namespace {

constexpr auto kRoot = PictureBlock::kNone;
using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

ReferenceGraph graphOf(std::uint32_t blocks, Edges edges) {
    std::ranges::stable_sort(edges, {}, &Edges::value_type::first);
    ReferenceGraph graph;
    graph.first.resize(blocks + 1);
    for (const auto& [from, to] : edges) {
        ++graph.first[from + 1];
        graph.references.push_back(Reference(to, true));
    }
    for (std::uint32_t i = 1; i <= blocks; ++i)
        graph.first[i] += graph.first[i - 1];
    return graph;
}

using Dominators = std::vector<std::uint32_t>;

Dominators dominatorsOf(std::uint32_t count, const Edges& edges, const std::vector<std::uint32_t>& starts) {
    std::vector<PictureBlock> blocks(count);
    const auto graph = graphOf(count, edges);
    if (!DominatorSearch(blocks, graph, {}).findFrom(starts).hasValue()) qFatal("cancelled");
    Dominators dominators;
    for (const auto& block : blocks)
        dominators.push_back(block.dominator);
    return dominators;
}

} // namespace

class DominatorsTest : public QObject {
    Q_OBJECT

  private slots:
    void eachBlockOfAListDominatesTheNext() {
        QCOMPARE(dominatorsOf(3, {{0, 1}, {1, 2}}, {0}), (Dominators{kRoot, 0, 1}));
    }
    void theEndOfADiamondIsDominatedByItsTop() {
        QCOMPARE(dominatorsOf(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, {0}), (Dominators{kRoot, 0, 0, 0}));
    }
    void aBlockThatTwoRootsReachIsDominatedByNone() {
        QCOMPARE(dominatorsOf(3, {{0, 2}, {1, 2}}, {0, 1}), (Dominators{kRoot, kRoot, kRoot}));
        QCOMPARE(dominatorsOf(2, {{0, 1}}, {0, 1}), (Dominators{kRoot, kRoot}));
    }
    void cyclesAndReferencesToItselfChangeNothing() {
        QCOMPARE(dominatorsOf(3, {{0, 0}, {0, 1}, {1, 2}, {2, 1}, {2, 0}, {1, 1}}, {0}), (Dominators{kRoot, 0, 1}));
    }
    /// The example of Lengauer and Tarjan (1979): R A B C D E F G H I J K L are 0 to 12.
    void theExampleOfThePaperIsAsPublished() {
        const Edges edges{{0, 1}, {0, 2}, {0, 3},  {1, 4}, {2, 1},  {2, 4},  {2, 5},  {3, 6},  {3, 7},  {4, 12}, {5, 8},
                          {6, 9}, {7, 9}, {7, 10}, {8, 5}, {8, 11}, {9, 11}, {10, 9}, {11, 9}, {11, 0}, {12, 8}};
        QCOMPARE(dominatorsOf(13, edges, {0}), (Dominators{kRoot, 0, 0, 0, 0, 0, 3, 3, 0, 0, 7, 0, 4}));
    }
    void referencesFromLeaksToReachedBlocksDoNotCount() {
        std::vector<PictureBlock> blocks(3);
        const auto graph = graphOf(3, {{0, 1}, {2, 1}});
        DominatorSearch search(blocks, graph, {});
        QVERIFY(search.findFrom(std::vector<std::uint32_t>{0}).hasValue());
        QVERIFY(search.findFrom(std::vector<std::uint32_t>{2}).hasValue());
        QCOMPARE(blocks[1].dominator, 0u);
        QCOMPARE(blocks[2].dominator, kRoot);
    }
    /// Nodes 3 to 5 are roots: 3 -> 0 -> 1, 4 -> 1, 5 -> 2.
    void nodesBehindTheBlocksDominateThem() {
        std::vector<PictureBlock> blocks(3);
        const auto graph = graphOf(6, {{3, 0}, {0, 1}, {4, 1}, {5, 2}});
        QVERIFY(DominatorSearch(blocks, graph, {}).findFrom(std::vector<std::uint32_t>{3, 4, 5}).hasValue());
        QCOMPARE(blocks[0].dominator, 3u);
        QCOMPARE(blocks[1].dominator, kRoot);
        QCOMPARE(blocks[2].dominator, 5u);
    }
    /// A ladder on which simple algorithms are quadratic: references to each rung from far behind.
    void deepGraphsWithManyReferencesTakeLinearTime() {
        constexpr std::uint32_t kBlocks = 400'000;
        Edges edges;
        for (std::uint32_t i = 0; i + 1 < kBlocks; ++i) {
            edges.emplace_back(i, i + 1);
            if (i > 0) edges.emplace_back(i, kBlocks - i);
            if (i > 2) edges.emplace_back(i, i / 2);
        }
        const auto dominators = dominatorsOf(kBlocks, edges, {0});
        QCOMPARE(dominators[1], 0u);
        QCOMPARE(dominators[kBlocks - 1], 1u); // 1 refers to it
    }
    void theSearchIsCancelled() {
        std::vector<PictureBlock> blocks(100'000);
        const auto graph = graphOf(100'000, {});
        std::vector<std::uint32_t> starts(blocks.size());
        for (std::uint32_t i = 0; i < starts.size(); ++i)
            starts[i] = i;
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(DominatorSearch(blocks, graph, stop.get_token()).findFrom(starts).error().kind, ErrorKind::Cancelled);
    }
};

HIGHWATER_TEST(DominatorsTest);
#include "dominators_test.moc"
