#include "core/store/published/stack_table.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <map>
#include <random>
#include <utility>
#include <vector>

using namespace highwater;
using namespace highwater::store;

namespace {

std::vector<Address> rowOfFrames(Address first, std::size_t count) {
    std::vector<Address> frames;
    for (std::size_t i = 0; i < count; ++i)
        frames.push_back(first + i);
    return frames;
}

std::uint32_t depthOf(const StackTable& table, StackId stack) {
    return table.node(table.leaf(stack, table.revision())).depth;
}

} // namespace

class StackTableTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsTheInnerFramesOfStacksThatAreTooDeep() {
        StackTable table;
        const auto whole = table.intern({ProcessIndex{1}, 0}, rowOfFrames(100, 400));
        QCOMPARE(depthOf(table, whole), 400u);
        QCOMPARE(table.shortenedStacks(), std::uint64_t{0});
        const auto deep = table.intern({ProcessIndex{1}, 0}, rowOfFrames(100, 8000));
        QCOMPARE(depthOf(table, deep), 512u);
        QCOMPARE(table.node(table.leaf(deep, 0)).address, Address{100});
        QCOMPARE(table.shortenedStacks(), std::uint64_t{1});
    }
    void marksStacksThatTheirRecorderCut_data() {
        QTest::addColumn<std::size_t>("kernel");
        QTest::addColumn<std::size_t>("user");
        QTest::addColumn<bool>("isCut");
        const auto row = [](const char* name, std::size_t kernel, std::size_t user, bool isCut) {
            QTest::newRow(name) << kernel << user << isCut;
        };
        row("one less", 0, 191, false);
        row("user frames", 0, 192, true);
        row("one more, of a reader's own making", 0, 193, false);
        row("one record from kernel to user", 10, 182, true);
        row("two halves, of which the user's is cut", 10, 192, true);
        row("two halves, neither of which is", 10, 190, false);
        row("two halves, together far beyond", 100, 150, false);
    }
    void marksStacksThatTheirRecorderCut() {
        QFETCH(std::size_t, kernel);
        QFETCH(std::size_t, user);
        QFETCH(bool, isCut);
        auto frames = rowOfFrames(kKernelBit, kernel);
        const auto outer = rowOfFrames(0x1000, user);
        frames.insert(frames.end(), outer.begin(), outer.end());
        QCOMPARE(isCutByRecorder(frames), isCut);
        StackTable table;
        const auto stack = table.intern({ProcessIndex{1}, 0}, frames);
        (void)table.internDeferred({ProcessIndex{1}, 0}, 3);
        table.resolveDeferred(3, frames);
        QCOMPARE(depthOf(table, stack), static_cast<std::uint32_t>(frames.size() + (isCut ? 1 : 0)));
        QCOMPARE(table.nodeCount(), static_cast<std::uint32_t>(frames.size() + (isCut ? 3 : 2))); // each node once
        auto node = table.leaf(stack, 0);
        QCOMPARE(table.node(node).address, frames.front());
        while (table.node(node).depth > 1)
            node = table.node(node).parent;
        QCOMPARE(table.node(node).address, isCut ? kStackCut : frames.back());
    }
    /// Nodes, stacks and their look-up; with a map that stores its keys it used twice as much memory.
    void knowsEachNodeAgainInLittleMemory() {
        StackTable table;
        std::mt19937_64 random(5);
        std::map<std::pair<std::uint32_t, std::vector<Address>>, FrameNodeId> nodes; // by the frames, outermost first
        for (int i = 0; i < 40'000; ++i) {
            const StackRoot root{ProcessIndex{static_cast<std::uint32_t>(random() % 3)}, 0};
            std::vector<Address> frames(1 + random() % 12);
            for (auto& frame : frames)
                frame = 0x1000 + random() % 8;
            auto node = table.leaf(table.intern(root, frames), 0);
            for (std::vector<Address> path(frames.rbegin(), frames.rend()); !path.empty(); path.pop_back()) {
                QCOMPARE(nodes.try_emplace({root.process.value, path}, node).first->second, node);
                QCOMPARE(table.node(node).address, path.back());
                node = table.node(node).parent;
            }
            QCOMPARE(unpackRoot(table.node(node)), root);
        }
        QCOMPARE(table.nodeCount(), static_cast<std::uint32_t>(nodes.size() + 3 + 1));
        QVERIFY(nodes.size() > 100'000);
        QVERIFY2(table.bytesReserved() < nodes.size() * 80, qPrintable(QString::number(table.bytesReserved())));
    }
    /// 40 million nodes, if every process has its own for each frame.
    void limitsWhatOneStackOfManyProcessesTakes() {
        StackTable table;
        const auto frames = rowOfFrames(0x1000, 400);
        for (std::uint32_t process = 0; process < 100'000; ++process)
            QVERIFY(table.intern({ProcessIndex{process}, 0}, frames).value != 0);
        QVERIFY(table.nodeCount() < 8'000'000);
        QVERIFY(table.shortenedStacks() > 50'000);
    }
    /// Checking all stacks of the promise for each of them would take 5 billion steps.
    void keepsOnePromiseToManyProcesses() {
        StackTable table;
        constexpr std::uint32_t kProcesses = 100'000;
        std::vector<StackId> stacks;
        for (std::uint32_t process = 0; process < kProcesses; ++process)
            stacks.push_back(table.internDeferred({ProcessIndex{process}, 0}, 7));
        for (std::uint32_t process = 0; process < kProcesses; ++process)
            QCOMPARE(table.internDeferred({ProcessIndex{process}, 0}, 7), stacks[process]);
        table.resolveDeferred(7, rowOfFrames(0x1000, 3));
        for (const auto stack : stacks)
            QCOMPARE(depthOf(table, stack), 3u);
        QVERIFY(table.internDeferred({ProcessIndex{99'999}, 0}, 7) != stacks.back());
    }
};

HIGHWATER_TEST(StackTableTest);
#include "stack_table_test.moc"
