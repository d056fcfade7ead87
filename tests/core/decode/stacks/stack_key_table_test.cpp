#include "core/decode/stacks/stack_key_table.h"
#include "tests/core/decode/example_stacks.h"
#include "tests/core/decode/record_stream.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

constexpr std::uint64_t kKey = 0xFFFFE00000001230;
constexpr std::uint64_t kOtherKey = 0xFFFFE00000004560;

EventStack::Kind kindOf(const RecordingSink& sink, std::size_t n) { return sink.events.at(n).event.stack.kind; }
std::uint32_t pendingOf(const RecordingSink& sink, std::size_t n) {
    return sink.events.at(n).event.stack.pending.value;
}

struct ObservedStack {
    TraceTime time;
    std::uint32_t pid;
    Frames frames;
    friend bool operator==(const ObservedStack&, const ObservedStack&) = default;
};
struct RecordingObserver final : StackObserver {
    std::vector<ObservedStack> seen;
    void onStack(TraceTime time, std::uint32_t pid, std::span<const Address> frames) override {
        seen.push_back({time, pid, {frames.begin(), frames.end()}});
    }
};

} // namespace

/// Stack keys as the decoder uses them. Patience is 1000 ticks.
class StackKeyTableTest : public QObject {
    Q_OBJECT
  private slots:
    void namesTheFramesLater() {
        RecordStream stream;
        stream.heapAlloc(10, kPid, 7);
        stream.userKey(11, 10, kPid, 7, kKey);
        stream.keyFrames(50'000, 35, kKey, kUser);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(kindOf(sink, 0), EventStack::Kind::Pending);
        QCOMPARE(sink.framesOf(0), kUser);
        QVERIFY(health.isClean());
    }
    void sharesOnePendingStackWithinAGeneration() {
        RecordStream stream;
        for (int i = 0; i < 3; ++i) {
            stream.heapAlloc(10 + i, kPid, 7);
            stream.userKey(10 + i, 10 + i, kPid, 7, kKey);
        }
        stream.heapAlloc(20, kPid, 7);
        stream.userKey(20, 20, kPid, 7, kOtherKey);
        stream.keyFrames(30, 36, kKey, kUser);
        stream.keyFrames(30, 36, kOtherKey, kOtherUser);
        RecordingSink sink;
        stream.decodeInto(sink);
        QCOMPARE(pendingOf(sink, 0), 0u);
        QCOMPARE(pendingOf(sink, 2), 0u);
        QCOMPARE(pendingOf(sink, 3), 1u); // dense
        QCOMPARE(sink.pending.size(), std::size_t{2});
        QVERIFY(!sink.definedTwice);
        QCOMPARE(sink.framesOf(3), kOtherUser);
    }
    void startsANewGenerationAfterEachDefinition() {
        RecordStream stream;
        stream.heapAlloc(10, kPid, 7);
        stream.userKey(11, 10, kPid, 7, kKey);
        stream.keyFrames(12, 35, kKey, kUser);
        stream.keyFrames(13, 35, kKey, kKernel); // nothing referred to this one
        stream.heapAlloc(20, kPid, 7);
        stream.userKey(21, 20, kPid, 7, kKey);
        stream.keyFrames(22, 36, kKey, kOtherUser);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kUser);
        QCOMPARE(sink.framesOf(1), kOtherUser);
        QVERIFY(health.isClean());
    }
    void joinsKernelAndUserKeys() {
        RecordStream stream;
        for (int i = 0; i < 2; ++i) {
            stream.virtualAlloc(10 + i, kPid, 0);
            stream.kernelKey(10 + i, 10 + i, kPid, 7, kKey);
            stream.userKey(10 + i, 10 + i, kPid, 7, kOtherKey);
        }
        stream.keyFrames(20, 35, kOtherKey, kUser);
        stream.keyFrames(21, 35, kKey, kKernel);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.pending.size(), std::size_t{1});
        QCOMPARE(sink.framesOf(0), kKernelAndUser);
        QCOMPARE(sink.framesOf(1), kKernelAndUser);
        QVERIFY(health.isClean());
    }
    void joinsAKeyAndPlainFrames() {
        RecordStream stream;
        stream.virtualAlloc(10, kPid, 0);
        stream.kernelKey(11, 10, kPid, 7, kKey);
        stream.stackWalk(12, 10, kPid, 7, kUser);
        stream.virtualAlloc(20, kPid, 0);
        stream.stackWalk(21, 20, kPid, 7, kKernel);
        stream.userKey(22, 20, kPid, 7, kOtherKey);
        stream.keyFrames(30, 35, kKey, kKernel);
        stream.keyFrames(31, 35, kOtherKey, kUser);
        RecordingSink sink;
        stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kKernelAndUser);
        QCOMPARE(sink.framesOf(1), kKernelAndUser);
        QVERIFY(pendingOf(sink, 0) != pendingOf(sink, 1));
    }
    void deliversFramesWhenTheKeyIsDefinedWhileItsEventWaits() {
        RecordStream stream;
        stream.virtualAlloc(10, kPid, 0);
        stream.kernelKey(11, 10, kPid, 7, kKey);
        stream.keyFrames(12, 35, kKey, kKernel); // before the user half
        stream.userKey(13, 10, kPid, 7, kKey);   // the same value for another stack
        stream.keyFrames(14, 35, kKey, kUser);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kKernelAndUser);
        QVERIFY(health.isClean());
    }
    void keepsTheKernelKeyWhenTheUserHalfDoesNotCome() {
        RecordStream stream;
        stream.virtualAlloc(10, kPid, 0);
        stream.kernelKey(11, 10, kPid, 7, kKey);
        stream.tick(5000);
        stream.keyFrames(6000, 36, kKey, kKernel);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), kKernel);
        QCOMPARE(health[Loss::StackHalvesMissing], std::uint64_t{1});
        QCOMPARE(health[Loss::StacksUnresolved], std::uint64_t{0});
    }
    void resolvesAtOnceAfterACreateRecord() {
        RecordStream stream;
        stream.keyFrames(5, 34, kKey, kUser);
        for (int i = 0; i < 2; ++i) {
            stream.heapAlloc(10 + i, kPid, 7);
            stream.userKey(10 + i, 10 + i, kPid, 7, kKey);
        }
        stream.keyFrames(20, 35, kKey, kUser); // the key ends here
        stream.heapAlloc(30, kPid, 7);
        stream.userKey(31, 30, kPid, 7, kKey);
        stream.keyFrames(40, 34, kKey, kOtherUser); // also defines the waiting one
        stream.heapAlloc(50, kPid, 7);
        stream.userKey(51, 50, kPid, 7, kKey);
        stream.keyFrames(60, 34, kKey, kKernel); // a new use without a delete
        stream.heapAlloc(70, 4, 7);
        stream.kernelKey(71, 70, 4, 7, kKey);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(kindOf(sink, 0), EventStack::Kind::Frames);
        QCOMPARE(sink.framesOf(0), kUser);
        QCOMPARE(sink.framesOf(1), kUser);
        QCOMPARE(kindOf(sink, 2), EventStack::Kind::Pending);
        QCOMPARE(sink.framesOf(2), kOtherUser);
        QCOMPARE(kindOf(sink, 3), EventStack::Kind::Frames);
        QCOMPARE(sink.framesOf(3), kOtherUser);
        QCOMPARE(sink.framesOf(4), kKernel);
        QVERIFY(health.isClean());
    }
    void countsEveryReferenceThatStaysUndefined() {
        RecordStream stream;
        stream.heapAlloc(10, kPid, 7);
        stream.userKey(11, 10, kPid, 7, kKey);
        stream.keyFrames(12, 35, kKey, kUser);
        stream.heapAlloc(20, kPid, 7);
        stream.userKey(21, 20, kPid, 7, kKey);
        stream.userKey(22, 3, kPid, 7, kKey); // from a record that is not about memory
        stream.kernelKey(23, 4, kPid, 7, kOtherKey);
        RecordingSink sink;
        QCOMPARE(stream.decodeInto(sink)[Loss::StacksUnresolved], std::uint64_t{3});
        QCOMPARE(kindOf(sink, 1), EventStack::Kind::Pending);
        QCOMPARE(sink.pending.size(), std::size_t{1}); // the second one never gets frames
    }
    void readsKeysOf32BitRecords() {
        RecordStream stream(4);
        stream.heapAlloc(10, kPid, 7);
        stream.userKey(11, 10, kPid, 7, 0x81234560);
        stream.keyFrames(12, 36, 0x81234560, {0x401000, 0x402000});
        RecordingSink sink;
        stream.decodeInto(sink);
        QCOMPARE(sink.framesOf(0), (Frames{0x401000, 0x402000}));
    }
    void showsEveryStackToTheObserver() {
        RecordStream stream;
        stream.userKey(11, 10, 1, 7, kKey);
        stream.userKey(21, 20, 2, 8, kKey);
        stream.stackWalk(22, 5, 3, 9, kOtherUser);
        stream.keyFrames(30, 35, kKey, kUser);
        stream.keyFrames(40, 34, kKey, kKernel);
        stream.kernelKey(51, 50, 4, 7, kKey);
        RecordingSink sink;
        RecordingObserver observer;
        stream.decodeInto(sink, 1000, &observer);
        const std::vector<ObservedStack> expected{
            {{5}, 3, kOtherUser}, {{10}, 1, kUser}, {{20}, 2, kUser}, {{50}, 4, kKernel}};
        QVERIFY(observer.seen == expected);
    }
};
HIGHWATER_TEST(StackKeyTableTest);
#include "stack_key_table_test.moc"
