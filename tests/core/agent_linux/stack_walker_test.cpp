#include "tests/core/agent/agent_recording.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

/// The functions of the target, as its dynamic linker reports them.
class Functions {
  public:
    explicit Functions(const AgentRecording& recording) {
        for (const QString& line : QString::fromUtf8(recording.output).split('\n', Qt::SkipEmptyParts)) {
            const QStringList parts = line.split(' ');
            if (parts.size() == 4 && parts[0] == "frame")
                ranges_[parts[1]] = {parts[2].toULongLong(nullptr, 0), parts[3].toULongLong()};
        }
    }
    [[nodiscard]] QString at(Address returnAddress) const {
        for (const auto& [name, range] : ranges_)
            if (returnAddress - 1 - range.first < range.second) return name;
        return QStringLiteral("?");
    }
    /// The first frames of a stack by name; repeated neighbours once.
    [[nodiscard]] QString stackText(const std::vector<Address>& frames, std::size_t most = 6) const {
        QStringList names;
        for (std::size_t i = 0; i < frames.size() && names.size() < static_cast<qsizetype>(most); ++i) {
            const QString name = at(frames[i]);
            if (names.isEmpty() || names.last() != name) names.append(name);
        }
        return names.join(" < ");
    }

  private:
    std::map<QString, std::pair<Address, ByteCount>> ranges_;
};

std::vector<AgentEvent> allocationsOf(const AgentRecording& recording, ByteCount size) {
    auto found = recording.all(AgentOp::Allocate);
    std::erase_if(found, [&](const AgentEvent& event) { return event.size != size; });
    return found;
}

} // namespace

/// Stacks of functions whose addresses the target prints, built without frame pointers.
class StackWalkerTest : public QObject {
    Q_OBJECT

    void compareStack(const AgentRecording& recording, ByteCount size, const QString& expected) {
        const Functions functions(recording);
        const auto found = allocationsOf(recording, size);
        QVERIFY2(!found.empty(), qPrintable(QString::number(size)));
        for (const AgentEvent& event : found)
            QCOMPARE(functions.stackText(recording.stacks.at(event.stackKey)).left(expected.size()), expected);
    }

  private slots:
    void aStackNamesTheCallersFromTheInside() {
        const AgentRecording recording = record(target({"stacks"}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.exitCode, 0);
        compareStack(recording, 5001, "innerFunction < middleFunction < outerFunction < runStacks");
        compareStack(recording, 5002, "innerFunction < middleFunction < runStacks");
        compareStack(recording, 5003, "innerFunction < growingFunction < runStacks");
        compareStack(recording, 5004, "innerFunction < growingFunction < runStacks");
        compareStack(recording, 5005, "innerFunction < alignedFunction < runStacks");
        compareStack(recording, 5006, "innerFunction < alignedFunction < runStacks");
        compareStack(recording, 5007, "innerFunction < deepFunction < runStacks");
    }

    // Frame by frame, compared with libc's backtrace(), which shares no code with the agent.
    void stacksAreThoseThatAnotherUnwinderFinds() {
        const AgentRecording recording = record(target({"backtrace", "400"}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.exitCode, 0);
        std::map<ByteCount, std::vector<Address>> expected;
        ByteCount size = 0;
        for (const QString& line : QString::fromUtf8(recording.output).split('\n', Qt::SkipEmptyParts)) {
            const QStringList parts = line.split(' ');
            if (parts[0] == "walk")
                size = parts[2].toULongLong();
            else
                expected[size].push_back(parts[1].toULongLong(nullptr, 0));
        }
        QCOMPARE(expected.size(), 800u);
        for (const auto& [bytes, callers] : expected) {
            const auto found = allocationsOf(recording, bytes);
            QCOMPARE(found.size(), 1u);
            const auto& frames = recording.stacks.at(found[0].stackKey);
            QVERIFY2(std::equal(frames.begin() + 1, frames.end(), callers.begin(), callers.end()),
                     qPrintable(QStringLiteral("%1: %2 frames, %3 expected")
                                    .arg(bytes)
                                    .arg(frames.size() - 1)
                                    .arg(callers.size())));
        }
        QCOMPARE(recording.losses.stacksCut <= 1, true);
    }

    void equalStacksHaveOneKeyAndOthersAnother() {
        const AgentRecording recording = record(target({"stacks"}));
        const auto deep = allocationsOf(recording, 5007);
        QCOMPARE(deep.size(), 2u);
        const auto& first = recording.stacks.at(deep[0].stackKey);
        const auto& second = recording.stacks.at(deep[1].stackKey);
        QCOMPARE(first.size(), second.size());
        // They differ only in the place in runStacks() that called.
        std::size_t different = 0;
        for (std::size_t i = 0; i < first.size(); ++i)
            different += first[i] != second[i] ? 1 : 0;
        QCOMPARE(different, 1u);
        QVERIFY(deep[0].stackKey != deep[1].stackKey);
        const AgentRecording many = record(target({"many", "1000"}));
        QCOMPARE(many.stacks.size() < 30, true);
    }

    void aStackThatIsTooDeepKeepsItsInnermostFrames() {
        const AgentRecording recording = record(target({"stacks"}));
        const auto found = allocationsOf(recording, 5008);
        QCOMPARE(found.size(), 1u);
        QCOMPARE(recording.stacks.at(found[0].stackKey).size(), 192u);
        QCOMPARE(Functions(recording).stackText(recording.stacks.at(found[0].stackKey)),
                 QString("innerFunction < deepFunction"));
    }

    void aSignalHandlersStackGoesOnInWhatItInterrupted_data() {
        QTest::addColumn<QString>("ownStack");
        QTest::newRow("on the stack of the thread") << "0";
        QTest::newRow("on a stack of its own") << "1";
    }
    void aSignalHandlersStackGoesOnInWhatItInterrupted() {
        QFETCH(QString, ownStack);
        const AgentRecording recording = record(target({"signals", ownStack}));
        QCOMPARE(recording.problem, QString());
        const Functions functions(recording);
        const auto found = allocationsOf(recording, 6001);
        QCOMPARE(found.size(), 10u);
        for (const AgentEvent& event : found) {
            const QString text = functions.stackText(recording.stacks.at(event.stackKey), 10);
            QVERIFY2(text.startsWith("innerFunction < handlerFunction < ? < interruptedFunction < runSignals"),
                     qPrintable(text));
        }
    }

    void aStackGoesOnThroughGeneratedCode() {
        const AgentRecording recording = record(target({"generated"}));
        QCOMPARE(recording.problem, QString());
        QCOMPARE(recording.end.exitCode, 0);
        const QString whole = "innerFunction < generatedInner < betweenFunction < generatedMiddle < generatedOuter < "
                              "runGenerated";
        for (const ByteCount size : {7001, 7002}) {
            const auto found = allocationsOf(recording, size);
            QCOMPARE(found.size(), size == 7001 ? 2u : 1u);
            for (const AgentEvent& event : found) {
                const auto& frames = recording.stacks.at(event.stackKey);
                QCOMPARE(Functions(recording).stackText(frames), whole);
                QVERIFY(frames.size() > 7); // to the start of the program
            }
        }
    }

    // The frame's size is known from the end of its code.
    void aStackGoesOnThroughTrampolinesWithoutFramePointers() {
        const AgentRecording recording = record(target({"generated"}));
        const auto found = allocationsOf(recording, 7004);
        QCOMPARE(found.size(), 2u);
        for (const AgentEvent& event : found)
            QCOMPARE(Functions(recording).stackText(recording.stacks.at(event.stackKey), 4),
                     QString("innerFunction < generatedThin < runGenerated < ?"));
    }

    // The value where a frame pointer should point is not a code address, so it does not become a frame.
    void aStackEndsInGeneratedCodeWithoutFramePointers() {
        const AgentRecording recording = record(target({"generated"}));
        const auto found = allocationsOf(recording, 7003);
        QCOMPARE(found.size(), 2u);
        for (const AgentEvent& event : found) {
            const auto& frames = recording.stacks.at(event.stackKey);
            QCOMPARE(Functions(recording).stackText(frames), QString("innerFunction < generatedBent"));
            QCOMPARE(frames.size(), 2u);
        }
        QVERIFY(recording.losses.stacksCut >= 1);
    }

    void everyStackOfAPlainProgramReachesItsBegin() {
        QCOMPARE(record(target({"stacks"})).losses.stacksCut <= 1,
                 true); // the dynamic linker's own first frame has no description
        QCOMPARE(record(target({"threads", "250"})).losses.stacksCut <= 1, true);
    }
};
HIGHWATER_TEST(StackWalkerTest);

#include "stack_walker_test.moc"
