#include "tests/support/test_registry.h"
#include "ui/state/table/key_tree.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using analysis::Column;
using analysis::KeyPath;

namespace {

const KeyPath kProcess{{Column::Process, 1}};
const KeyPath kType{{Column::Process, 1}, {Column::Type, 2}};
const KeyPath kFrame{{Column::Process, 1}, {Column::Stack, 2}};

} // namespace

class KeyTreeTest : public QObject {
    Q_OBJECT
  private slots:
    void containsInsertedPaths() {
        KeyTree tree({kProcess, kFrame});
        tree.insert(kProcess);
        QCOMPARE(tree.size(), std::size_t{2});
        QVERIFY(tree.contains(kProcess) && tree.contains(kFrame) && !tree.contains(kType));
        QCOMPARE(tree.paths(), (std::vector{kProcess, kFrame}));
    }
    void keepsRowsBelowARemovedPath() {
        KeyTree tree({kProcess, kFrame});
        tree.remove(kProcess);
        tree.remove(kType);
        QCOMPARE(tree.paths(), std::vector<KeyPath>{kFrame});
        tree.remove(kFrame);
        QVERIFY(tree.isEmpty() && !tree.hasChildren(KeyTree::kRoot));
    }
    void isWalkedStepByStep() {
        const KeyTree tree({kFrame});
        const auto process = tree.child(KeyTree::kRoot, kFrame[0]);
        QVERIFY(process && !tree.isMember(*process));
        QVERIFY(!tree.child(*process, {Column::Type, 2})); // the same key of another column
        const auto frame = tree.child(*process, kFrame[1]);
        QVERIFY(frame && tree.isMember(*frame) && !tree.hasChildren(*frame));
    }
    void countsTheStepsFromARow() {
        const KeyTree tree({kType, kFrame, kFrame});
        QCOMPARE(tree.childCount(KeyTree::kRoot), 1u);
        QCOMPARE(tree.childCount(*tree.child(KeyTree::kRoot, kFrame[0])), 2u);
        QCOMPARE(KeyTree().childCount(KeyTree::kRoot), 0u);
    }
};
HIGHWATER_TEST(KeyTreeTest);
#include "key_tree_test.moc"
