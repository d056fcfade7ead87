#include "core/pipeline/older_blocks.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <memory>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

/// The program and libc, loaded at 10; the program executes another one at 100, which loads a library at 150.
store::ProcessInstance executingProcess() {
    store::ProcessInstance process;
    const auto add = [&](std::int64_t loaded, TraceTime unloaded) {
        store::LoadedImage image;
        image.loaded = TraceTime{loaded}, image.unloaded = unloaded;
        process.images.push_back(image);
    };
    add(10, TraceTime{100}), add(10, TraceTime{100});
    add(20, TraceTime{30}); // a library that was unloaded
    add(101, kNever), add(101, kNever), add(150, TraceTime{160});
    return process;
}

} // namespace

class OlderBlocksTest : public QObject {
    Q_OBJECT

  private slots:
    void launchedProgramsHaveNone() { QVERIFY(!mayHaveOlderBlocks(executingProcess(), TraceTime{50})); }
    void attachedProcessesAndForksHaveThemUntilTheyExecuteAnotherProgram() {
        for (const bool isFork : {true, false}) {
            auto process = executingProcess();
            (isFork ? process.isFork : process.isAttached) = true;
            for (const std::int64_t time : {10, 25, 50, 99})
                QVERIFY(mayHaveOlderBlocks(process, TraceTime{time}));
            for (const std::int64_t time : {101, 155, 1000})
                QVERIFY(!mayHaveOlderBlocks(process, TraceTime{time}));
        }
    }
    /// Recordings of Windows do not mark them.
    void onWindowsRunningProcessesAndChildrenHaveThem() {
        store::ProcessTable processes;
        const auto add = [&processes](Occasion occasion, std::uint32_t pid, std::uint32_t parent, std::int64_t time) {
            ProcessEvent event;
            event.occasion = occasion, event.pid = pid, event.parentPid = parent, event.time = TraceTime{time};
            std::optional<ProcessIndex> ended;
            return processes.apply(event, ended);
        };
        const auto launched = add(Occasion::Start, 7, 1, 5), running = add(Occasion::RundownStart, 8, 1, 5),
                   child = add(Occasion::Start, 9, 7, 6);
        store::PublishedTrace trace;
        trace.processes = std::make_shared<const store::ProcessTable>(processes);
        QVERIFY(!mayHaveOlderBlocks(trace, launched, TraceTime{50}));
        QVERIFY(mayHaveOlderBlocks(trace, running, TraceTime{50}));
        QVERIFY(mayHaveOlderBlocks(trace, child, TraceTime{50}));
        trace.isOfAgent = true;
        QVERIFY(!mayHaveOlderBlocks(trace, child, TraceTime{50}));
    }
    void withoutImagesTheyMayHaveThem() {
        store::ProcessInstance process;
        process.isFork = true;
        QVERIFY(mayHaveOlderBlocks(process, TraceTime{50}));
    }
};

HIGHWATER_TEST(OlderBlocksTest);
#include "older_blocks_test.moc"
