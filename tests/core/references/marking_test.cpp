#include "core/references/marking.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <numeric>

using namespace highwater;
using namespace highwater::references;

namespace {

/// Blocks and their references: certain ones to n, possible ones to -1 - n.
class MarkedGraph {
  public:
    MarkedGraph(const std::vector<std::vector<int>>& references, const std::vector<int>& roots)
        : blocks(references.size()) {
        graph.first.push_back(0);
        for (const auto& ofBlock : references) {
            for (const auto to : ofBlock)
                graph.references.push_back(referenceTo(to));
            graph.first.push_back(static_cast<std::uint32_t>(graph.references.size()));
        }
        for (const auto to : roots)
            links.push_back({static_cast<std::uint32_t>(links.size()), referenceTo(to)});
        auto result = markBlocks(blocks, graph, links, {});
        if (!result.hasValue()) qFatal("cancelled");
        marked = std::move(result).value();
    }
    [[nodiscard]] std::string letters() const {
        std::string text;
        for (const auto& block : blocks)
            text += "RPUL"[static_cast<std::size_t>(block.reachability)];
        return text;
    }
    [[nodiscard]] std::uint32_t holderOf(std::size_t block) const { return blocks[block].holder; }

    std::vector<PictureBlock> blocks;
    ReferenceGraph graph;
    std::vector<RootLink> links; ///< each from a root of its own
    Marked marked;

  private:
    static Reference referenceTo(int to) {
        return to >= 0 ? Reference(static_cast<std::uint32_t>(to), true)
                       : Reference(static_cast<std::uint32_t>(-1 - to), false);
    }
};

using Blocks = std::vector<std::uint32_t>;

} // namespace

class MarkingTest : public QObject {
    Q_OBJECT

  private slots:
    void aShortPathHolds() {
        const MarkedGraph graph({{1}, {2}, {3}, {}, {3}}, {0, 4});
        QCOMPARE(graph.letters(), "RRRRR");
        QCOMPARE(graph.holderOf(3), 4u);
        QCOMPARE(graph.holderOf(0), 5u); // the first root
        QCOMPARE(graph.holderOf(4), 6u);
        QCOMPARE(graph.marked.holdingRoots, (Blocks{0, 1}));
    }
    void ofPathsOfEqualLengthThatOfTheFirstRootHolds() {
        const MarkedGraph graph({{3}, {4}, {3}, {}, {3}}, {2, 1, 0});
        QCOMPARE(graph.holderOf(3), 2u);
    }
    void rootsThatHoldNothingAreNotListed() {
        const MarkedGraph graph({{}, {}}, {-1, 0, 0, 1});
        QCOMPARE(graph.letters(), "RR");
        QCOMPARE(graph.marked.holdingRoots, (Blocks{1, 3}));
    }
    void aRootThatHoldsSeveralBlocksIsListedOnce() {
        std::vector<PictureBlock> blocks(3);
        ReferenceGraph graph;
        graph.first.resize(blocks.size() + 1);
        const std::vector<RootLink> links{{7, Reference(0, true)}, {2, Reference(1, false)}, {7, Reference(2, true)}};
        QCOMPARE(markBlocks(blocks, graph, links, {}).value().holdingRoots, (Blocks{2, 7}));
        QCOMPARE(blocks[2].holder, 3u + 7);
        QCOMPARE(blocks[1].holder, 3u + 2);
    }
    void aLongPathOfCertainReferencesHoldsRatherThanAShortPathOfOthers() {
        // 0 -> 1 -> 2 -> 3, and roots with a reference into the middle of 2 and of 3
        const MarkedGraph graph({{1}, {2}, {3}, {}}, {-3, -4, 0});
        QCOMPARE(graph.letters(), "RRRR");
        QCOMPARE(graph.holderOf(3), 2u);
        QCOMPARE(graph.holderOf(2), 1u);
        QCOMPARE(graph.holderOf(0), 4u + 2);
        QCOMPARE(graph.marked.holdingRoots, Blocks{2});
        const MarkedGraph blocks({{1, -4}, {2}, {3}, {}}, {0}); // likewise from a block
        QCOMPARE(blocks.holderOf(3), 2u);
    }
    void possibleReferencesMakePossible() {
        const MarkedGraph graph({{-2}, {2}, {}}, {0});
        QCOMPARE(graph.letters(), "RPP");
        QCOMPARE(graph.holderOf(2), 1u);
    }
    void possibleBlocksHaveTheShortestPathBehindReachableOnes() {
        // 0 -> 1 -> 2 -? 5 and 3 -? 4 -> 6 -> 5: three references from 0, or three from 3 by possible ones
        const MarkedGraph graph({{1}, {2}, {-6}, {-5}, {6}, {}, {5}}, {0, 3});
        QCOMPARE(graph.letters(), "RRRRPPP");
        QCOMPARE(graph.holderOf(5), 2u);
        const MarkedGraph shorter({{1}, {2}, {-6}, {-5}, {5}, {}}, {0, 3});
        QCOMPARE(shorter.holderOf(5), 4u);
    }
    void theFewestLeakedBlocksAreUnreachable() {
        // 0 <-> 1 -> 2, 3 -> 3, 4 -> 5 -> 4 and 6 -> 5, 7 -> 0
        const MarkedGraph graph({{1}, {0, 2}, {}, {3}, {5}, {4}, {5}, {0}}, {});
        QCOMPARE(graph.letters(), "LLLULLUU");
        QCOMPARE(graph.holderOf(0), 7u);
        QCOMPARE(graph.holderOf(4), 5u);
        QCOMPARE(graph.marked.heads, (Blocks{3, 6, 7}));
    }
    void leaksThatReferToReachedBlocksAreLeaks() {
        const MarkedGraph graph({{}, {0}}, {0});
        QCOMPARE(graph.letters(), "RU");
    }
    void longCyclesNeedNoRecursion() {
        constexpr int kBlocks = 500'000;
        std::vector<std::vector<int>> references(kBlocks);
        for (int i = 0; i < kBlocks; ++i)
            references[static_cast<std::size_t>(i)] = {(i + 1) % kBlocks};
        const MarkedGraph leaked(references, {});
        QCOMPARE(leaked.letters(), "U" + std::string(kBlocks - 1, 'L'));
        const MarkedGraph reached(references, {kBlocks / 2});
        QCOMPARE(reached.letters(), std::string(kBlocks, 'R'));
        QCOMPARE(reached.holderOf(0), std::uint32_t{kBlocks - 1});
    }
    void theSearchIsCancelled() {
        std::vector<PictureBlock> blocks(100'000);
        ReferenceGraph graph;
        graph.first.resize(blocks.size() + 1);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(markBlocks(blocks, graph, {}, stop.get_token()).error().kind, ErrorKind::Cancelled);
    }
};

HIGHWATER_TEST(MarkingTest);
#include "marking_test.moc"
