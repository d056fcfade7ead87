#include "app/tools/holders/page/held_by_before.h"

#include "tests/app/tools/holders/page/held_by_answers.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;
using analysis::HeldBy;

namespace {

/// Each row with its bytes before: "server (7) 30, server!g 10"; "-": its process was in no picture.
std::string beforeText(const std::vector<HeldBy>& now, const std::vector<HeldBy>& earlier) {
    const auto rows = heldRowsOf(now);
    const auto before = sumsBefore(rows, now, earlier);
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& process = now[rows[i].process];
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ",
                            rows[i].node == HeldRow::kNone ? process.name : process.nodes[rows[i].node].text,
                            before[i] ? std::to_string(before[i]->bytes) : "-");
    }
    return text;
}

} // namespace

class HeldByBeforeTest : public QObject {
    Q_OBJECT
  private slots:
    void rowsAreFoundByTheirHolderAndOwners() {
        HeldByBuilder now(0, "server (7)", 4), earlier(0, "server (7)", 2);
        const auto other = earlier.root("server!g_other", RootKind::Variable, 0);
        const auto before = earlier.root("server!g", RootKind::Variable, 0);
        earlier.step(earlier.step(before, "server!table", {1, 10}, 5), "server!add", {2, 20}, 6);
        earlier.step(other, "server!add", {1, 7}, 6);
        const auto root = now.root("server!g", RootKind::Variable, 0);
        const auto table = now.step(root, "server!table", {1, 10}, 5);
        now.step(table, "server!add", {9, 90}, 6);
        now.step(table, "server!new", {1, 1}, 7);
        QCOMPARE(beforeText({now.done()}, {earlier.done()}),
                 std::string("server (7) 37, server!g 30, server!table 30, server!add 20, server!new 0"));
    }
    void aFrameIsNotTheFunctionThatAllocates() {
        HeldByBuilder builder(0, "server (7)", 4);
        const auto stack = builder.root("stack of main (7)", RootKind::Stack, 0);
        builder.step(stack, "server!work", {1, 10}, 5);
        builder.step(stack, "server!work", {1, 3}, 5);
        auto answer = builder.done();
        answer.nodes[1].isFrame = true;
        QCOMPARE(beforeText({answer}, {answer}),
                 std::string("server (7) 13, stack of main (7) 13, server!work 10, server!work 3"));
    }
    void anOwnerBelowANewStepIsNewAsWell() {
        HeldByBuilder now(0, "server (7)", 4), earlier(0, "server (7)", 2);
        earlier.step(earlier.root("server!g", RootKind::Variable, 0), "server!add", {1, 10}, 5);
        const auto list = now.step(now.root("server!g", RootKind::Variable, 0), "server!list", {1, 1}, 8);
        now.step(list, "server!add", {1, 10}, 5);
        QCOMPARE(beforeText({now.done()}, {earlier.done()}),
                 std::string("server (7) 10, server!g 10, server!list 0, server!add 0"));
    }
    void holdersWithTheSameNameAreNotCountedTwice() {
        HeldByBuilder now(0, "server (7)", 4), earlier(0, "server (7)", 2);
        for (auto* builder : {&now, &earlier}) {
            const auto first = builder->root("mapping without a name", RootKind::Mapping, 0);
            const auto second = builder->root("mapping without a name", RootKind::Mapping, 0);
            builder->step(first, "server!add", {1, 30}, 5);
            builder->step(second, "server!add", {1, 20}, 5);
        }
        const auto third = now.root("mapping without a name", RootKind::Mapping, 0);
        now.step(third, "server!add", {1, 10}, 5);
        QCOMPARE(beforeText({now.done()}, {earlier.done()}),
                 std::string("server (7) 50, mapping without a name 30, mapping without a name 20, mapping without a "
                             "name 0, server!add 30, server!add 20, server!add 0"));
    }
    void aProcessWithoutAnEarlierPictureHasNoSums() {
        HeldByBuilder now(1, "new (8)", 4), earlier(0, "server (7)", 2);
        now.step(now.root("new!g", RootKind::Variable, 0), "new!add", {1, 10});
        QCOMPARE(beforeText({now.done()}, {earlier.done()}), std::string("new (8) -, new!g -, new!add -"));
    }
};

HIGHWATER_TEST(HeldByBeforeTest);
#include "held_by_before_test.moc"
