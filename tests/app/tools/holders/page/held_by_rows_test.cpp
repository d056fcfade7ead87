#include "app/tools/holders/page/held_by_rows.h"

#include "tests/app/tools/holders/page/held_by_answers.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;
using analysis::HeldBy;

namespace {

/// The texts of rows and of those below them: "server (7)[server!g[server!add]]".
std::string textsOf(const std::vector<HeldBy>& processes, const std::vector<HeldRow>& rows, std::uint32_t row) {
    const auto& process = processes[rows[row].process];
    auto text = rows[row].node == HeldRow::kNone ? process.name : process.nodes[rows[row].node].text;
    for (std::uint32_t i = 0; i < rows[row].children; ++i)
        text += (i == 0 ? "[" : ", ") + textsOf(processes, rows, rows[row].firstChild + i);
    return rows[row].children == 0 ? text : text + "]";
}

} // namespace

class HeldByRowsTest : public QObject {
    Q_OBJECT
  private slots:
    void leaksAreFirstAndStepsInTheOrderOfTheirBytes() {
        const std::vector<HeldBy> processes{heldOfServer()};
        QCOMPARE(textsOf(processes, heldRowsOf(processes), 0),
                 std::string("server (7)[nothing (unreachable)[server!leak], "
                             "server!g_sessions[server!makeTable[server!Session::Session[server!readText, "
                             "server!readName]]], stack of main (7)[server!main]]"));
    }
    void processesAreFirst() {
        HeldByBuilder empty(1, "empty (8)", 4), small(2, "small (9)", 4);
        small.step(small.root("small!g", RootKind::Variable, 10), "small!add", {1, 10});
        const std::vector<HeldBy> processes{heldOfServer(), empty.done(), small.done()};
        const auto rows = heldRowsOf(processes);
        QVERIFY(rows[0].parent == HeldRow::kNone && rows[1].parent == HeldRow::kNone);
        QVERIFY(rows[2].parent != HeldRow::kNone); // nothing of the second process is held
        QCOMPARE(textsOf(processes, rows, 1), std::string("small (9)[small!g[small!add]]"));
    }
    void theProcessWithMostBytesIsFirst() {
        HeldByBuilder small(0, "small (9)", 4);
        small.step(small.root("small!g", RootKind::Variable, 10), "small!add", {1, 10});
        const std::vector<HeldBy> processes{small.done(), heldOfServer()};
        QCOMPARE(heldRowsOf(processes).front().process, 1U);
    }
    void stepsWithoutBlocksOfTheQuestionHaveNoRows() {
        HeldByBuilder server(0, "server (7)", 4);
        const auto root = server.root("server!g", RootKind::Variable, 10);
        const auto way = server.step(root, "server!way", {});
        server.step(way, "server!found", {1, 10});
        server.step(way, "server!other", {});
        const std::vector<HeldBy> processes{server.done()};
        QCOMPARE(textsOf(processes, heldRowsOf(processes), 0),
                 std::string("server (7)[server!g[server!way[server!found]]]"));
    }
};

HIGHWATER_TEST(HeldByRowsTest);
#include "held_by_rows_test.moc"
