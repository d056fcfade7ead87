#include "core/source/records/code_rundown.h"

#include "core/event/code_opcodes.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::source;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t kManaged = 10, kOther = 20;

/// The runtimes of some processes, and a clock that the test sets.
class Runtimes {
  public:
    void runtime(std::uint32_t pid, std::uint16_t instance) { say(kClrProvider, clr_event::kRuntime, pid, instance); }
    void method(std::uint32_t pid) { say(kClrRundownProvider, clr_rundown_event::kMethodEndVerbose, pid, 0); }
    void complete(std::uint32_t pid, std::uint16_t instance) {
        say(kClrRundownProvider, clr_rundown_event::kComplete, pid, instance);
    }
    bool begin(std::set<std::uint32_t> running = {kManaged, kOther}) { return rundown.begin(running, now); }
    [[nodiscard]] bool isStepOverAfter(std::chrono::milliseconds passed) {
        now += passed;
        return rundown.isStepOver(now);
    }

    CodeRundown rundown;
    CodeRundown::Time now{};

  private:
    void say(const Guid& provider, std::uint16_t id, std::uint32_t pid, std::uint16_t instance) {
        etl::RawRecord record;
        record.kind = etl::RawRecord::Kind::Provider;
        record.provider = reinterpret_cast<const std::byte*>(&provider);
        record.eventId = id;
        record.pid = pid;
        record.payload = reinterpret_cast<const std::byte*>(&instance);
        record.payloadBytes = sizeof(instance);
        rundown.note(record, now);
    }
};

} // namespace

/// When the runtimes have finished sending the names of managed code at the end of a recording.
class CodeRundownTest : public QObject {
    Q_OBJECT
  private slots:
    void nativeProgramsHaveNone() {
        Runtimes runtimes;
        runtimes.rundown.noteImage(kManaged, "C:\\Windows\\System32\\kernel32.dll");
        runtimes.rundown.noteImage(kManaged, "C:\\App\\myclr.dll");
        QVERIFY(!runtimes.begin());
    }

    void whoHasARuntimeIsKnownByItsEventsAndByItsImages() {
        Runtimes byEvent, byImage;
        byEvent.runtime(kManaged, 9);
        byImage.rundown.noteImage(kManaged, "\\Device\\HarddiskVolume3\\dotnet\\CoreCLR.dll");
        QVERIFY(byEvent.begin());
        QVERIFY(byImage.begin());
    }

    void whoHasEndedIsNotAsked() {
        Runtimes runtimes;
        runtimes.runtime(kManaged, 9);
        QVERIFY(!runtimes.begin({kOther}));
    }

    void eachStepIsOverWhenEveryRuntimeSaysSo() {
        Runtimes runtimes;
        runtimes.runtime(kManaged, 1); // two of them in one process
        runtimes.runtime(kManaged, 2);
        runtimes.runtime(kOther, 1);
        QVERIFY(runtimes.begin());
        runtimes.complete(kManaged, 1);
        runtimes.complete(kOther, 1);
        QVERIFY(!runtimes.isStepOverAfter(0ms));
        runtimes.complete(kManaged, 2);
        QVERIFY(runtimes.isStepOverAfter(0ms));
        runtimes.rundown.beginMethods(runtimes.now);
        QVERIFY(!runtimes.isStepOverAfter(0ms));
        for (const auto instance : {1, 2})
            runtimes.complete(kManaged, static_cast<std::uint16_t>(instance));
        QVERIFY(!runtimes.rundown.isComplete());
        runtimes.complete(kOther, 1);
        QVERIFY(runtimes.isStepOverAfter(0ms));
        QVERIFY(runtimes.rundown.isComplete());
    }

    void aProcessThatIsOnlyKnownByItsImageIsWaitedFor() {
        Runtimes runtimes;
        runtimes.runtime(kManaged, 1);
        runtimes.rundown.noteImage(kOther, "clr.dll");
        QVERIFY(runtimes.begin());
        runtimes.complete(kManaged, 1);
        QVERIFY(!runtimes.isStepOverAfter(0ms));
        runtimes.complete(kOther, 3); // it has not reported a runtime before
        QVERIFY(runtimes.isStepOverAfter(0ms));
    }

    void silenceEndsAStep() {
        Runtimes runtimes;
        runtimes.runtime(kManaged, 1);
        QVERIFY(runtimes.begin());
        QVERIFY(!runtimes.isStepOverAfter(499ms));
        QVERIFY(runtimes.isStepOverAfter(1ms));
        runtimes.rundown.beginMethods(runtimes.now);
        for (int i = 0; i < 50; ++i) {
            runtimes.method(kManaged);
            QVERIFY(!runtimes.isStepOverAfter(999ms));
        }
        QVERIFY(runtimes.isStepOverAfter(1ms));
        QVERIFY(!runtimes.rundown.isComplete());
    }

    void nobodyIsWaitedForForEver() {
        Runtimes runtimes;
        runtimes.runtime(kManaged, 1);
        QVERIFY(runtimes.begin());
        runtimes.rundown.beginMethods(runtimes.now);
        auto waited = 0ms;
        for (; waited < 120s; waited += 500ms) {
            runtimes.method(kManaged);
            if (runtimes.isStepOverAfter(500ms)) break;
        }
        QCOMPARE(waited, 119500ms);
    }
};

HIGHWATER_TEST(CodeRundownTest);

#include "code_rundown_test.moc"
