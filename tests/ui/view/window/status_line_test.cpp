#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/view/window/status_line.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace highwater;
using namespace highwater::ui;
using tests::ms;

class StatusLineTest : public QObject {
    Q_OBJECT
  private slots:
    void offersToCancelWhileLoading() {
        StatusLine line;
        auto* cancel = line.findChild<QToolButton*>("cancelLoading");
        QVERIFY(cancel->isHidden());
        line.showProgress("a.etl", 1024, 2048);
        QVERIFY(!cancel->isHidden());
        QCOMPARE(line.findChild<QLabel*>("loading")->text(), "Loading a.etl: 1.0 KB of 2.0 KB");
        QSignalSpy cancelled(&line, &StatusLine::cancelWanted);
        cancel->click();
        QCOMPARE(cancelled.count(), 1);
        line.hideProgress();
        QVERIFY(cancel->isHidden());
    }
    void summarizesTheTrace() {
        StatusLine line;
        auto* note = line.findChild<QLabel*>("traceNote");
        QVERIFY(note->isHidden());
        line.setTrace(TraceNote{34'000'000'000, 6'342, 1, false});
        QCOMPARE(note->text(), "34.000 s · 6,342 heap allocations · 1 commit · nothing lost");
        line.setTrace(TraceNote{34'000'000'000, 0, 70, true});
        QCOMPARE(note->text(), "34.000 s · 70 commits · ⚠ events are missing");
        line.setTrace(TraceNote{34'000'000'000, 0, 0, false});
        QCOMPARE(note->text(), "34.000 s · 0 heap allocations · nothing lost");
        line.setTrace(TraceNote{34'000'000'000, 0, 0, false, 10'382});
        QCOMPARE(note->text(), "34.000 s · 10,382 managed allocations · nothing lost");
        // Sums of another profiler refer to one instant.
        line.setTrace(TraceNote{3, 8, 0, false, 0, false, true});
        QCOMPARE(note->text(), "8 heap totals by stack · nothing lost");
        TraceNote unrecorded{34'000'000'000, 0, 70, false};
        unrecorded.unrecordedBytes = 49 << 20;
        line.setTrace(unrecorded);
        QCOMPARE(note->text(), "34.000 s · 70 commits · ⚠ 49.0 MB not recorded");
        line.setTrace({});
        QVERIFY(note->isHidden());
    }
    void showsResidentMemoryAfterTheTrace() {
        StatusLine line;
        const auto* note = line.findChild<QLabel*>("traceNote");
        line.setResidentMemory("Rss 1.9 GB: 1.9 GB live");
        QVERIFY(note->isHidden());
        line.setTrace(TraceNote{34'000'000'000, 0, 70, false});
        QCOMPARE(note->text(), "34.000 s · 70 commits · nothing lost · Rss 1.9 GB: 1.9 GB live");
        line.setResidentMemory({});
        QCOMPARE(note->text(), "34.000 s · 70 commits · nothing lost");
    }
    void isEmptyWithoutAShownTrace() {
        StatusLine line;
        line.setTrace(TraceNote{34'000'000'000, 0, 70, false});
        line.setTraceShown(false);
        line.setSymbols({"Symbols: 1 of 2", "One is missing.", true, false});
        line.setTrace(TraceNote{34'000'000'000, 0, 71, false});
        const auto* note = line.findChild<QLabel*>("traceNote");
        const auto* symbols = line.findChild<QToolButton*>("symbolNote");
        const auto* cancel = line.findChild<QToolButton*>("cancelSymbols");
        QVERIFY(note->isHidden() && symbols->isHidden() && cancel->isHidden());
        line.setTraceShown(true);
        QVERIFY(!note->isHidden() && !symbols->isHidden() && !cancel->isHidden());
        QCOMPARE(note->text(), "34.000 s · 71 commits · nothing lost");
    }
};
HIGHWATER_TEST(StatusLineTest);
#include "status_line_test.moc"
