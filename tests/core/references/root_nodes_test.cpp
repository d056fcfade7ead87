#include "core/references/root_nodes.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::references;

namespace {

using NodeNumbers = std::vector<std::uint32_t>;

/// Three blocks, of which 0 refers to 1.
ReferenceGraph blocksOnly() {
    ReferenceGraph graph;
    graph.first = {0, 1, 1, 1};
    graph.references = {Reference(1, true)};
    return graph;
}

/// Areas of these roots, at ascending addresses.
RootAreas areasOfRoots(const NodeNumbers& roots) {
    RootAreas found;
    for (const auto root : roots) {
        found.areas.push_back({.root = root});
        found.parents.resize(std::max<std::size_t>(found.parents.size(), root + 1), RootAreas::kNoParent);
    }
    return found;
}

NodeNumbers targetsOf(const ReferenceGraph& graph, std::uint32_t node) {
    NodeNumbers blocks;
    for (const auto reference : graph.of(node))
        blocks.push_back(reference.block());
    return blocks;
}

NodeNumbers areasOf(const RootNodes& roots) {
    NodeNumbers areas;
    for (const auto& node : roots.nodes)
        areas.push_back(node.area);
    return areas;
}

RootReference fromArea(std::uint32_t area, std::uint32_t block) { return {0, area, Reference(block, true)}; }

} // namespace

class RootNodesTest : public QObject {
    Q_OBJECT

  private slots:
    void rootsFollowTheBlocks() {
        auto graph = blocksOnly();
        const auto roots = addRootNodes(graph, std::vector{fromArea(0, 2), fromArea(1, 0)}, areasOfRoots({0, 1}));
        QCOMPARE(graph.nodes(), std::size_t{5});
        QCOMPARE(targetsOf(graph, 0), NodeNumbers{1});
        QCOMPARE(targetsOf(graph, 2), NodeNumbers{});
        QCOMPARE(targetsOf(graph, 3), NodeNumbers{2});
        QCOMPARE(targetsOf(graph, 4), NodeNumbers{0});
        QCOMPARE(areasOf(roots), (NodeNumbers{0, 1}));
    }
    /// Variables are between the areas of the rest of their file.
    void areasOfARootAreOneNodeAndLinksKeepTheirOrder() {
        auto graph = blocksOnly();
        const std::vector references{fromArea(0, 2), fromArea(1, 1), fromArea(2, 0), fromArea(2, 2)};
        const auto roots = addRootNodes(graph, references, areasOfRoots({0, 1, 0}));
        QCOMPARE(targetsOf(graph, 3), (NodeNumbers{2, 0, 2}));
        QCOMPARE(targetsOf(graph, 4), NodeNumbers{1});
        NodeNumbers order;
        for (const auto& link : roots.links)
            order.push_back(link.root);
        QCOMPARE(order, (NodeNumbers{0, 1, 0, 0}));
    }
    void rootsThatReferToNothingAreNoNodes() {
        auto graph = blocksOnly();
        const auto roots = addRootNodes(graph, std::vector{fromArea(3, 1)}, areasOfRoots({0, 1, 0, 1, 2}));
        QCOMPARE(graph.nodes(), std::size_t{4});
        QCOMPARE(targetsOf(graph, 3), NodeNumbers{1});
        QCOMPARE(areasOf(roots), NodeNumbers{1}); // also if only its second area refers to a block
    }
    void stacksReferToTheirFrames() {
        auto graph = blocksOnly();
        auto areas = areasOfRoots({1, 2, 0});
        areas.parents = {RootAreas::kNoParent, 0, 0};
        const auto roots = addRootNodes(graph, std::vector{fromArea(0, 2), fromArea(1, 0)}, areas);
        QCOMPARE(targetsOf(graph, 3), (NodeNumbers{4, 5}));
        QCOMPARE(targetsOf(graph, 4), NodeNumbers{2});
        QCOMPARE(targetsOf(graph, 5), NodeNumbers{0});
        QCOMPARE(areasOf(roots), (NodeNumbers{0, 0, 1})); // a stack begins with its first frame
        QCOMPARE(roots.nodes[2].parent, 0u);
        auto more = blocksOnly();
        QCOMPARE(areasOf(addRootNodes(more, std::vector{fromArea(1, 2)}, areas)), (NodeNumbers{0, 1}));
        QCOMPARE(targetsOf(more, 3), NodeNumbers{4});
    }
    void aProcessWithoutReferencesFromRootsHasNoNodesOfRoots() {
        auto graph = blocksOnly();
        QVERIFY(addRootNodes(graph, {}, areasOfRoots({0, 1})).nodes.empty());
        QVERIFY(addRootNodes(graph, {}, {}).links.empty());
        QCOMPARE(graph.nodes(), std::size_t{3});
    }
};

HIGHWATER_TEST(RootNodesTest);
#include "root_nodes_test.moc"
