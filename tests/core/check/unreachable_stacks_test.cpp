#include "core/check/unreachable_stacks.h"

#include "tests/core/analysis/held/pictured_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::check;
using namespace highwater::tests;

namespace {

/// "parse" lost 70 + 30 bytes, "config" lost 500, and the table is held.
std::shared_ptr<const store::PublishedTrace> leakingTrace() {
    PicturedTrace trace;
    const auto first = trace.block("main;parse", 70), second = trace.block("main;parse", 30);
    const auto config = trace.block("main;config", 500), table = trace.block("main;table", 9000);
    trace.picture(
        {{first, unreachable()}, {second, leakedBy(first)}, {config, unreachable()}, {table, byRoot("app!g_table")}});
    return trace.publish();
}

UnreachableMemory memoryOf(const store::PublishedTrace& trace, const std::string& suppressed = {}) {
    analysis::Suppressions suppressions;
    suppressions.add(suppressed, "file");
    analysis::FrameLabels labels;
    return findUnreachable(trace, labels, suppressions).value().front();
}

UnreachableVerdict verdictOf(ByteCount bytes, ByteCount limit) {
    UnreachableVerdict verdict{"a.etl", {}, limit};
    verdict.memory.process = "shop (12)";
    verdict.memory.time = TraceTime{20'427'803'226};
    verdict.memory.all = {22, bytes};
    return verdict;
}

} // namespace

class UnreachableStacksTest : public QObject {
    Q_OBJECT
  private slots:
    void stacksWithMostBytesComeFirst() {
        const auto memory = memoryOf(*leakingTrace());
        QCOMPARE(memory.process, std::string("server (7)"));
        QCOMPARE(memory.all, (analysis::BlockSum{3, 600}));
        QCOMPARE(memory.stacks.size(), std::size_t{2});
        QCOMPARE(memory.stacks[0].owner, std::string("config!+0x1"));
        QCOMPARE(memory.stacks[0].frames, (std::vector<std::string>{"config!+0x1", "main!+0x1"}));
        QCOMPARE(memory.stacks[1].unreachable, (analysis::BlockSum{2, 100}));
        QVERIFY(limitsText(memory).empty());
        QVERIFY(suppressedBlocksText(memory).empty());
    }
    void suppressedStacksAreCountedOnly() {
        const auto memory = memoryOf(*leakingTrace(), "leak:^config$");
        QCOMPARE(memory.all, (analysis::BlockSum{2, 100}));
        QCOMPARE(memory.stacks.size(), std::size_t{1});
        QCOMPARE(memory.suppressed, (analysis::BlockSum{1, 500}));
        QCOMPARE(suppressedBlocksText(memory),
                 std::string("suppressed: 1 stack of server (7) with 1 unreachable block (500 B)"));
        QVERIFY(memoryOf(*leakingTrace(), "leak:main").stacks.empty());
    }
    /// Such as those from before the recording.
    void blocksThatAreNotInTheTraceCount() {
        PicturedTrace trace;
        const auto leak = trace.block("main;leak", 10), old = trace.block("main;old", 500);
        trace.free(old);
        trace.picture({{leak, unreachable()}, {old, unreachable()}});
        const auto memory = memoryOf(*trace.publish());
        QCOMPARE(memory.all, (analysis::BlockSum{2, 510}));
        QCOMPARE(memory.stacks.size(), std::size_t{2});
        QCOMPARE(memory.stacks[1].owner, std::string("(not in the trace)"));
        QCOMPARE(memory.stacks[1].unreachable, (analysis::BlockSum{1, 500}));
    }
    void aTraceWithoutPictureCannotBeChecked() {
        PicturedTrace trace;
        trace.block("main;leak", 10);
        analysis::FrameLabels labels;
        const auto found = findUnreachable(*trace.publish(), labels, {});
        QVERIFY(!found.hasValue());
        QVERIFY(found.error().message.find("--picture-at-stop") != std::string::npos);
    }
    /// A process with the blocks of another allocator, or one that is not readable, would pass every check.
    void aPictureWithoutAKnownBlockCannotBeChecked() {
        auto trace = *leakingTrace();
        MemoryPicture picture;
        picture.time = trace.pictures->front()->time;
        picture.pid = 7;
        const auto found = [&] {
            trace.pictures = std::make_shared<const std::vector<SharedMemoryPicture>>(
                1, std::make_shared<const MemoryPicture>(picture));
            analysis::FrameLabels labels;
            return findUnreachable(trace, labels, {});
        };
        QVERIFY(found().hasValue()); // recorded from its start, it has no blocks
        picture.hasUnknownBlocks = true;
        const auto refused = found();
        QVERIFY(!refused.hasValue());
        QCOMPARE(refused.error().kind, ErrorKind::Unsupported);
        QVERIFY2(refused.error().message.starts_with("Unreachable memory of server (7) cannot be checked because its "
                                                     "picture of memory (0.00 s) contains no blocks"),
                 refused.error().message.c_str());
    }
    void missingDataIsNamed() {
        auto trace = std::make_shared<store::PublishedTrace>(*leakingTrace());
        trace->health.counts[static_cast<std::size_t>(Loss::EventsLost)] = 1;
        QVERIFY(limitsText(memoryOf(*trace)).starts_with("Some of the unreachable memory of server (7) may be in use"));
    }
    void moreThanTheLimitIsExceeded() {
        QVERIFY(verdictOf(1, 0).isExceeded());
        QVERIFY(!verdictOf(1024, 1024).isExceeded());
        QCOMPARE(unreachableText(verdictOf(2048, 0)),
                 std::string("shop (12): 22 blocks (2.0 KB) are unreachable (picture at 20.43 s), more than 0 B"));
        QCOMPARE(unreachableText(verdictOf(1024, 1024)),
                 std::string("shop (12): 22 blocks (1.0 KB) are unreachable (picture at 20.43 s), within 1.0 KB"));
        QVERIFY(unreachableText(verdictOf((1 << 20) + 1, 1 << 20)).ends_with("more than 1,048,576 B"));
    }
};

HIGHWATER_TEST(UnreachableStacksTest);
#include "unreachable_stacks_test.moc"
