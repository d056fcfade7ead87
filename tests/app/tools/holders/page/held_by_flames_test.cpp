#include "app/tools/holders/page/held_by_flames.h"

#include "tests/app/tools/holders/page/held_by_answers.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;
using analysis::FlameTree, analysis::HeldBy;

namespace {

/// "server (7) 0+5860 [...]": frames with their place, and those above them.
std::string flamesText(const FlameTree& tree, std::uint32_t node) {
    const auto& of = tree.nodes[node];
    auto text = fmt::format("{} {}+{}", node == FlameTree::kRoot ? "all" : tree.text(node), of.begin, of.width);
    for (std::uint32_t i = 0; i < of.childCount; ++i)
        text += (i == 0 ? " [" : ", ") + flamesText(tree, of.firstChild + i);
    return of.childCount == 0 ? text : text + "]";
}

} // namespace

class HeldByFlamesTest : public QObject {
    Q_OBJECT
  private slots:
    void framesAreSideBySideTheWidestFirst() {
        const std::vector<HeldBy> processes{heldOfServer()};
        const auto tree = heldFlamesOf(processes).tree;
        QCOMPARE(flamesText(tree, FlameTree::kRoot),
                 std::string("all 0+5860 [server (7) 0+5860 [server!g_sessions 0+5600 [server!makeTable 0+5600 "
                             "[server!Session::Session 0+5500 [server!readText 0+4000, server!readName 4000+500]]], "
                             "stack of main (7) 5600+200 [server!main 5600+200], nothing (unreachable) 5800+60 "
                             "[server!leak 5800+60]]]"));
        QCOMPARE(tree.frames(), std::uint64_t{10});
        QCOMPARE(tree.depth, 5U);
        QCOMPARE(tree.root().count, std::uint64_t{34});
        QCOMPARE(tree.selfWidth(4 + 1), std::uint64_t{100}); // blocks of makeTable itself
    }
    void largerProcessesAreFirst() {
        HeldByBuilder small(1, "small (9)", 3);
        small.step(small.root("small!g", RootKind::Variable, 10), "small!add", {1, 10});
        const auto tree = heldFlamesOf({small.done(), heldOfServer()}).tree;
        QCOMPARE(tree.text(1), std::string("server (7)"));
        QCOMPARE(tree.text(2), std::string("small (9)"));
        QCOMPARE(tree.nodes[2].begin, std::uint64_t{5860});
    }
    /// A zoom survives a new answer.
    void framesAreFoundByTheirKeys() {
        const auto tree = heldFlamesOf({heldOfServer()}).tree;
        for (std::uint32_t node = 0; node < tree.nodes.size(); ++node)
            QCOMPARE(tree.find(tree.path(node)), node);
    }
    void withoutBlocksThereIsNoFrame() { QVERIFY(heldFlamesOf({}).tree.isEmpty()); }
};

HIGHWATER_TEST(HeldByFlamesTest);
#include "held_by_flames_test.moc"
