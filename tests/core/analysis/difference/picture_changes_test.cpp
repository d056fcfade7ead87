#include "core/analysis/difference/picture_changes.h"

#include "core/analysis/difference/difference_sentences.h"
#include "tests/core/analysis/held/pictured_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// Sessions that g_sessions holds, each in a table of its own, and lost blocks.
ComparedTrace serverWith(int sessions, int lost, bool hasPicture = true) {
    PicturedTrace trace;
    std::map<std::size_t, ModelHeld> blocks;
    const auto table = trace.block("main;Table", 8);
    blocks[table] = byRoot("app!g_sessions");
    for (int i = 0; i < sessions; ++i)
        blocks[trace.block("main;add", 500)] = byBlock(table);
    for (int i = 0; i < lost; ++i)
        blocks[trace.block("main;forget", 100)] = unreachable();
    if (hasPicture) trace.picture(std::move(blocks));
    const auto published = trace.publish();
    return {published, std::make_shared<FrameLabels>(), published->wholeRange(), {}};
}

DifferenceQuery between(ComparedTrace before, ComparedTrace after) {
    DifferenceQuery query;
    query.before.push_back(std::move(before));
    query.after.push_back(std::move(after));
    return query;
}

std::optional<PictureChanges> changesOf(const DifferenceQuery& query) { return findPictureChanges(query).value(); }

} // namespace

class PictureChangesTest : public QObject {
    Q_OBJECT

  private slots:
    void ownersWithMoreUnreachableMemoryAreNamed() {
        const auto changes = changesOf(between(serverWith(3, 1), serverWith(3, 4)));
        QVERIFY(changes && changes->kept.empty());
        QCOMPARE(changes->unreachable.size(), std::size_t{1});
        const auto& change = changes->unreachable.front();
        QCOMPARE(change.unreachableBefore, (BlockSum{1, 100}));
        QCOMPARE(change.unreachableAfter(), (BlockSum{4, 400}));
        QCOMPARE(
            unreachableText(change),
            std::string("forget!(unnamed) in server: 4 blocks (400 B) are unreachable because nothing refers to them "
                        "(picture at 0.00 s). Before, 1 block (100 B) was."));
    }
    void newUnreachableMemoryWasNoneBefore() {
        const auto changes = changesOf(between(serverWith(3, 0), serverWith(3, 1)));
        QVERIFY(unreachableText(changes->unreachable.front()).ends_with("Before, none was."));
    }
    void growingOwnersHaveTheirHolder() {
        const auto changes = changesOf(between(serverWith(2, 1), serverWith(5, 1)));
        QVERIFY(changes && changes->unreachable.empty());
        QCOMPARE(changes->kept.size(), std::size_t{1});
        QCOMPARE(heldByText(changes->kept.front()),
                 std::string("add!(unnamed) in server, with 1.5 KB more: Held by app!g_sessions through Table!+0x1 "
                             "(picture at 0.00 s)."));
    }
    void lessMemoryIsNoChange() {
        const auto changes = changesOf(between(serverWith(5, 4), serverWith(2, 1)));
        QVERIFY(changes && changes->unreachable.empty() && changes->kept.empty());
    }
    void bothSidesNeedAPicture() {
        QVERIFY(!changesOf(between(serverWith(2, 1, false), serverWith(5, 4))));
        QVERIFY(!changesOf(between(serverWith(2, 1), serverWith(5, 4, false))));
        auto query = between(serverWith(2, 1), serverWith(5, 4));
        query.table = Table::VirtualAlloc;
        QVERIFY(!changesOf(query));
    }
    void changesAreNotesOfADifference() {
        const auto noteIds = [](DifferenceQuery query) {
            std::vector<std::string> ids;
            for (const auto& note : notesOf(*Difference::compute(std::move(query)).value()))
                ids.push_back(note.id);
            return ids;
        };
        const auto has = [](const std::vector<std::string>& ids, const char* id) {
            return std::ranges::find(ids, id) != ids.end();
        };
        const auto grown = noteIds(between(serverWith(2, 1), serverWith(5, 4)));
        QVERIFY(has(grown, "unreachable_grew") && has(grown, "held_grew"));
        const auto same = noteIds(between(serverWith(2, 1), serverWith(2, 1)));
        QVERIFY(!has(same, "unreachable_grew") && !has(same, "held_grew"));
    }
};

HIGHWATER_TEST(PictureChangesTest);
#include "picture_changes_test.moc"
