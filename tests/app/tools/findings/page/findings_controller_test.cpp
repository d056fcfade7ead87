#include "app/tools/findings/page/findings_controller.h"

#include "app/recording/record_controller.h"
#include "app/tools/findings/page/findings_strip.h"
#include "app/tools/leaks/page/leak_controller.h"
#include "tests/app/main_window_test/window_stage.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMainWindow>
#include <QSignalSpy>
#include <QThread>
#include <QToolButton>

#include <atomic>
#include <memory>

using namespace highwater;
using namespace highwater::tests;
using analysis::Table;

namespace {

struct FindingsStage : WindowStage {
    ui::FindingsStrip& strip() { return *window.findChild<ui::FindingsStrip*>(); }
    ui::FindingCard& card(const char* name) { return *strip().findChild<ui::FindingCard*>(name); }
    QAction& toggle() { return *window.findChild<QAction*>("toggleFindings"); }
    app::FindingsController& controller() { return *window.findChild<app::FindingsController*>(); }
    bool begin(const QString& path) {
        return open({path}) && QTest::qWaitForWindowExposed(&window) &&
               QTest::qWaitFor([this] { return strip().isVisible(); }, 10'000);
    }
    bool waitForFindings() {
        QTest::qWait(1);
        return QTest::qWaitFor([this] { return controller().isUpToDate(); }, 20'000);
    }
    bool click(const char* name) {
        QTest::mouseClick(&card(name), Qt::LeftButton);
        return wait();
    }
    /// The text of the selected row of the current table, when it has arrived.
    QString selectedRow() {
        auto& table = panel().table();
        (void)QTest::qWaitFor([&] { return !table.selectionModel()->selectedRows().isEmpty(); });
        const auto rows = table.selectionModel()->selectedRows();
        return rows.isEmpty() ? QString() : panel().model().keyText(rows.first());
    }
    const analysis::Findings& findings() { return *strip().findings(); }
};

/// Tabs in a window of their own, with a controller whose question is answered by `find`.
struct LoneFindings {
    QTemporaryDir folder;
    app::ApplicationSettings settings{folder.filePath("settings.ini")};
    QMainWindow window;
    ui::AnalysisTabs* tabs = new ui::AnalysisTabs;
    std::unique_ptr<app::FindingsController> controller;

    explicit LoneFindings(app::FindingsController::Finder::Find find) {
        window.setCentralWidget(tabs);
        controller = std::make_unique<app::FindingsController>(*tabs, settings, window, std::move(find));
        window.show();
    }
};

analysis::Findings oneSurge(SignedByteCount bytes) {
    analysis::Findings findings;
    findings.surge.emplace();
    findings.surge->surge.bytes = bytes;
    findings.surge->surge.part = {TraceTime{0}, TraceTime{1'000'000}};
    findings.surge->owner = "a.exe!main";
    return findings;
}

} // namespace

/// View > Findings, by mouse and keys.
class FindingsControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }

    void cardsAreAboveTheFirstGraph() {
        FindingsStage stage;
        QVERIFY(!stage.strip().isVisible());
        QVERIFY(stage.begin(path_));
        const auto& strip = stage.strip();
        QCOMPARE(strip.parentWidget(), &stage.window.tabs().current());
        QVERIFY(strip.height() <= 56);
        const auto bottom = strip.mapTo(&stage.window, QPoint(0, strip.height())).y();
        QVERIFY(bottom <= stage.panel().mapTo(&stage.window, QPoint()).y());
        const auto surge = stage.card("surgeCard").accessibleName();
        QVERIFY2(surge.startsWith("Surge") && surge.contains("MemoryTestApp.exe!"), qPrintable(surge));
        const auto leak = stage.card("leakCard1").accessibleName();
        // Without symbols, operator new is a function of the program, with two callers.
        QVERIFY2(leak.startsWith("Leak: MemoryTestApp.exe!") && leak.contains("47.4 KB, growing "), qPrintable(leak));
    }

    void aClickOnHeldPagesShowsTheirColumnsAndOpensTheirOwner() {
        FindingsStage stage;
        QVERIFY(stage.begin(path_) && stage.waitForFindings());
        auto findings = stage.findings();
        const auto& suspect = findings.leaks.at(0).suspect;
        findings.held.emplace();
        findings.held->holders = {{{1 << 20, ByteCount{4} << 20, 100}, suspect.owner, analysis::pathToOwner(suspect)}};
        const auto owner = QString::fromStdString(suspect.owner);
        stage.strip().setFindings(std::make_shared<const analysis::Findings>(std::move(findings)));
        QVERIFY(stage.click("heldCard"));
        QCOMPARE(stage.selectedRow(), owner);
        QCOMPARE(stage.panel().graph().layout().table, Table::Heap);
        QCOMPARE(stage.panel().graph().layout().sort.front().column, analysis::Column::HeldPages);
    }
    void aClickOnTheSurgeZoomsAndOpensItsOwner() {
        FindingsStage stage;
        QVERIFY(stage.begin(path_));
        const auto surge = *stage.findings().surge;
        QVERIFY(stage.click("surgeCard"));
        QCOMPARE(stage.panel().graph().table(), surge.table);
        QCOMPARE(stage.state().visibleRange(), surge.surge.part);
        QCOMPARE(stage.selectedRow(), QString::fromStdString(surge.owner));
        QVERIFY(!stage.panel().graph().paintedRows().empty());
        // The cards remain, because they are about the whole trace.
        QCOMPARE(stage.findings().surge->surge.bytes, surge.surge.bytes);
    }

    void enterOpensALeakInTheWholeTrace() {
        FindingsStage stage;
        QVERIFY(stage.begin(path_) && stage.zoom(1, 3));
        const auto leak = stage.findings().leaks.front();
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        stage.card("leakCard1").setFocus(Qt::TabFocusReason);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QVERIFY(stage.wait());
        QVERIFY(!stage.state().isZoomed());
        QCOMPARE(stage.panel().graph().table(), leak.suspect.table);
        QCOMPARE(stage.selectedRow(), QString::fromStdString(leak.suspect.owner));
    }

    void aCardKeepsTheGroupingOfTheUser() {
        FindingsStage stage;
        QVERIFY(stage.begin(path_));
        const auto leak = stage.findings().leaks.front();
        QVERIFY(stage.showOnly(leak.suspect.table));
        for (const auto stack : {analysis::Column::Stack, analysis::Column::StackBottomUp}) {
            auto layout = stage.panel().graph().layout();
            layout.keys = {analysis::Column::Process, analysis::Column::Handle, stack};
            stage.panel().graph().setLayout(layout);
            QVERIFY(stage.wait() && stage.click("leakCard1"));
            QTRY_COMPARE(stage.selectedRow(), QString::fromStdString(leak.suspect.owner));
            QCOMPARE(stage.panel().graph().layout().keyColumns(), layout.keyColumns());
            stage.panel().table().clearSelection();
        }
    }

    void backTakesTheGroupingOfACardBack() {
        FindingsStage stage;
        QVERIFY(stage.begin(path_));
        const auto leak = stage.findings().leaks.front();
        QVERIFY(stage.showOnly(leak.suspect.table));
        auto layout = stage.panel().graph().layout();
        layout.keys = {analysis::Column::Process, analysis::Column::Handle}; // no stack to open
        stage.panel().graph().setLayout(layout);
        QVERIFY(stage.wait() && stage.click("leakCard1"));
        QCOMPARE(stage.selectedRow(), QString::fromStdString(leak.suspect.owner));
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        QTest::keyClick(&stage.panel().table(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel().graph().layout().keyColumns(), layout.keyColumns());
        QTest::keyClick(&stage.panel().table(), Qt::Key_Right, Qt::AltModifier);
        QVERIFY(stage.wait());
        QVERIFY(stage.panel().graph().layout().isBottomUp());
    }

    void aKeyShowsOneFindingAfterTheOther() {
        FindingsStage stage;
        QVERIFY(stage.begin(path_));
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        const auto findings = stage.findings();
        QVERIFY(findings.surge && !findings.leaks.empty());
        QTest::keyClick(&stage.window, Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(stage.wait());
        QCOMPARE(stage.selectedRow(), QString::fromStdString(findings.surge->owner));
        QTest::keyClick(&stage.window, Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(stage.wait());
        QTRY_COMPARE(stage.selectedRow(), QString::fromStdString(findings.leaks.front().suspect.owner));
    }

    /// A filter could hide the row.
    void filtersAreRemovedAndCanBeTakenBack() {
        FindingsStage stage;
        QVERIFY(stage.begin(path_) && stage.showOnly(stage.findings().leaks.front().suspect.table));
        const auto query = analysis::QueryExpression::parse(Table::Heap, "Process:explorer").value();
        stage.panel().graph().addFilter({.clause = {}, .text = "Process:explorer", .query = query});
        QVERIFY(stage.wait() && stage.click("leakCard1"));
        QVERIFY(stage.panel().graph().filterSteps().empty());
        QCOMPARE(stage.selectedRow(), QString::fromStdString(stage.findings().leaks.front().suspect.owner));
        stage.state().back();
        QCOMPARE(stage.panel().graph().filterSteps().size(), std::size_t{1});
    }

    void closingHidesTheStripForGood() {
        FindingsStage stage;
        QVERIFY(stage.begin(path_));
        QVERIFY(stage.toggle().isChecked() && stage.settings.showsFindings());
        QTest::mouseClick(stage.strip().findChild<QToolButton*>("closeFindings"), Qt::LeftButton);
        QVERIFY(!stage.strip().isVisible());
        QVERIFY(!stage.toggle().isChecked() && !stage.settings.showsFindings());
        QVERIFY(stage.open({path_}) && stage.waitForFindings());
        QVERIFY(!stage.strip().isVisible());
        app::MainWindow next(stage.settings);
        QVERIFY(!next.findChild<QAction*>("toggleFindings")->isChecked());
        stage.toggle().trigger();
        QVERIFY(stage.waitForFindings());
        QVERIFY(stage.strip().isVisible() && stage.settings.showsFindings());
    }

    void theStripFollowsTheTab() {
        FindingsStage stage;
        QVERIFY(stage.begin(path_));
        auto& tabs = stage.window.tabs();
        tabs.addAnalysis(Table::VirtualAlloc);
        QVERIFY(stage.wait());
        QCOMPARE(stage.strip().parentWidget(), &tabs.current());
        QVERIFY(stage.strip().isVisible());
        tabs.closeAnalysis(tabs.currentIndex());
        QCOMPARE(stage.strip().parentWidget(), &tabs.current());
        QVERIFY(stage.strip().isVisible());
    }

    void aTraceWithoutGrowthHasNoCards() {
        FindingsStage stage;
        QVERIFY(stage.begin(path_));
        const auto other = folder_.filePath("other.etl");
        fixtures::TraceBuilder trace;
        trace.processStarts(fixtures::seconds(0.1), {.pid = 10, .name = "a.exe", .mainTid = 11});
        trace.endsAt(fixtures::seconds(2));
        QVERIFY(trace.writeTo(other.toStdString()).hasValue());
        QVERIFY(stage.open({other}) && stage.waitForFindings());
        QVERIFY(!stage.strip().isVisible() && stage.strip().isEmpty());
    }

    /// At a low rate, and a slow answer is shown all the same.
    void aGrowingTraceIsAskedAgain() {
        std::atomic<int> asked = 0;
        LoneFindings stage([&asked](const auto&, const std::stop_token& stop) -> Result<analysis::Findings> {
            for (int i = 0; i < 20; ++i) {
                if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "cancelled"};
                QThread::msleep(10);
            }
            return oneSurge(++asked * 1024);
        });
        SmallTrace trace;
        trace.process(1, "a.exe");
        const auto labels = std::make_shared<analysis::FrameLabels>();
        QSignalSpy named(stage.controller.get(), &app::FindingsController::namesWanted);
        auto& shown = stage.tabs->shown();
        shown.setLoading(true);
        shown.show(trace.publish(1000), labels);
        const auto* strip = stage.window.findChild<ui::FindingsStrip*>();
        const auto surge = [&] { return strip->isVisible() ? strip->cards().front()->accessibleName() : QString(); };
        QElapsedTimer time;
        time.start();
        for (int i = 1; time.elapsed() < 10'000 && !surge().contains("+2.0 KB"); ++i) {
            shown.show(trace.publish(1000 + 100 * i), labels);
            QTest::qWait(50);
        }
        QVERIFY2(surge().contains("+2.0 KB"), qPrintable(surge()));
        QVERIFY(time.elapsed() > 2'500);
        QCOMPARE(named.size(), 1);
        // The last data is not waited for.
        shown.setLoading(false);
        QTRY_VERIFY(surge().contains("+3.0 KB"));
        QVERIFY(stage.controller->isUpToDate());
        shown.clear();
        QVERIFY(!strip->isVisible());
    }

    /// Until then, the cards would show the first part of a large file.
    void theEndOfLoadingDoesNotWaitForAnOlderAnswer() {
        std::atomic<int> asked = 0;
        LoneFindings stage([&asked](const auto& question, const std::stop_token& stop) -> Result<analysis::Findings> {
            ++asked;
            for (int i = 0; question.trace->horizon < ms(2000) && !stop.stop_requested() && i < 2000; ++i)
                QThread::msleep(10);
            if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "cancelled"};
            return oneSurge(question.trace->horizon < ms(2000) ? 1024 : 2048);
        });
        SmallTrace trace;
        trace.process(1, "a.exe");
        const auto labels = std::make_shared<analysis::FrameLabels>();
        auto& shown = stage.tabs->shown();
        shown.setLoading(true);
        shown.show(trace.publish(1000), labels);
        QTRY_COMPARE(asked.load(), 1);
        shown.show(trace.publish(2000), labels);
        shown.setLoading(false);
        const auto* strip = stage.window.findChild<ui::FindingsStrip*>();
        QTRY_VERIFY(strip->isVisible());
        QVERIFY(strip->cards().front()->accessibleName().contains("+2.0 KB"));
    }

    /// The card of a stack disappears when the list of leaks shows that the stack has stopped growing.
    void aListOfLeaksThatContradictsACardIsFollowed() {
        std::atomic<int> asked = 0;
        LoneFindings stage([&asked](const auto&, const std::stop_token&) -> Result<analysis::Findings> {
            analysis::Findings found;
            if (++asked > 1) return found;
            found.leaks.emplace_back();
            found.leaks[0].suspect.owner = "board!leak";
            found.leaks[0].suspect.path = {{analysis::Column::Process, 1}};
            found.leaks[0].suspect.verdict = analysis::LeakVerdict::Growing;
            return found;
        });
        SmallTrace trace;
        trace.process(1, "a.exe");
        auto& shown = stage.tabs->shown();
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        const auto* strip = stage.window.findChild<ui::FindingsStrip*>();
        QTRY_VERIFY(strip->isVisible());
        analysis::LeakQuery query;
        query.interval = shown.trace()->wholeRange();
        analysis::LeakReport report;
        report.suspects = {strip->findings()->leaks[0].suspect};
        const auto follow = [&] {
            stage.controller->compareWith(query, report);
            QTest::qWait(50);
            return asked.load();
        };
        QCOMPARE(follow(), 1); // the same verdict
        report.suspects[0].verdict = analysis::LeakVerdict::LevelledOff;
        const auto whole = std::exchange(query.interval, TimeRange{TraceTime{1}, TraceTime{900}});
        QCOMPARE(follow(), 1); // in another interval
        query.interval = whole;
        (void)follow();
        QTRY_VERIFY(!strip->isVisible());
        QCOMPARE(asked.load(), 2);
    }

    void theListOfLeaksInTheWindowIsCompared() {
        FindingsStage stage;
        QVERIFY(stage.begin(path_) && stage.waitForFindings());
        auto suspect = stage.findings().leaks.front().suspect;
        suspect.verdict = analysis::LeakVerdict::LevelledOff;
        analysis::LeakQuery query;
        query.interval = stage.state().wholeRange();
        analysis::LeakReport report;
        report.suspects = {suspect};
        emit stage.window.findChild<app::LeakController*>()->answered(query, report);
        QVERIFY(!stage.controller().isUpToDate());
    }

    /// In the first seconds of a recording no symbols are loaded.
    void aCardWaitsForANameThatIsComing() {
        std::atomic<bool> isNamed = false;
        LoneFindings stage([&isNamed](const auto&, const std::stop_token&) -> Result<analysis::Findings> {
            auto found = oneSurge(1024);
            found.surge->owner = isNamed ? "board!leak" : "board!+0x1a20";
            return found;
        });
        SmallTrace trace;
        trace.process(1, "a.exe");
        auto& shown = stage.tabs->shown();
        QObject::connect(stage.controller.get(), &app::FindingsController::namesWanted, &shown,
                         [&shown] { shown.setNamesComing(true); });
        shown.setLoading(true);
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        const auto* strip = stage.window.findChild<ui::FindingsStrip*>();
        QTRY_VERIFY(strip->isVisible());
        const auto text = [&] { return strip->cards().front()->accessibleName(); };
        QVERIFY2(text().contains("board!(naming…)") && !text().contains("0x"), qPrintable(text()));
        isNamed = true;
        shown.noteNames();
        QTRY_VERIFY_WITH_TIMEOUT(text().contains("board!leak"), 1000); // at once
    }
    void aFunctionWithoutANameKeepsItsAddress() {
        LoneFindings stage([](const auto&, const std::stop_token&) -> Result<analysis::Findings> {
            auto found = oneSurge(1024);
            found.surge->owner = "board!+0x1a20";
            return found;
        });
        SmallTrace trace;
        trace.process(1, "a.exe");
        auto& shown = stage.tabs->shown();
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        const auto* strip = stage.window.findChild<ui::FindingsStrip*>();
        QTRY_VERIFY(strip->isVisible());
        const auto text = [&] { return strip->cards().front()->accessibleName(); };
        QVERIFY2(text().contains("board!+0x1a20"), qPrintable(text()));
        shown.setNamesComing(true);
        shown.noteNames();
        QTRY_VERIFY(text().contains("naming"));
        shown.setNamesComing(false, 100); // there are no symbols
        QTRY_VERIFY2(text().contains("board!+0x1a20"), qPrintable(text()));
    }

    void aClosedStripAsksNothing() {
        std::atomic<int> asked = 0;
        LoneFindings stage([&asked](const auto&, const std::stop_token&) -> Result<analysis::Findings> {
            return oneSurge(++asked * 1024);
        });
        stage.controller->toggleAction()->trigger();
        SmallTrace trace;
        trace.process(1, "a.exe");
        stage.tabs->shown().show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        QTest::qWait(50);
        QCOMPARE(asked.load(), 0);
        QVERIFY(stage.controller->isUpToDate());
    }

    void aRefusedTraceHasNoCards() {
        LoneFindings stage([](const auto&, const std::stop_token&) -> Result<analysis::Findings> {
            return Error{ErrorKind::Usage, "The file contains totals only."};
        });
        SmallTrace trace;
        trace.process(1, "a.exe");
        stage.tabs->shown().show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        QTRY_VERIFY(stage.controller->isUpToDate());
        QVERIFY(!stage.window.findChild<ui::FindingsStrip*>()->isVisible());
    }

    void aRecordingInProgressHasCards() {
#ifndef HIGHWATER_CAN_RECORD
        QSKIP("there is no recorder for this system");
#endif
        FindingsStage stage;
        stage.window.recordController().session().startReplay(path_, 4);
        QTRY_VERIFY_WITH_TIMEOUT(stage.strip().isVisible(), 20'000);
        QVERIFY(stage.window.tabs().shown().isLoading());
        stage.window.recordController().session().stop();
    }
};

HIGHWATER_TEST(FindingsControllerTest);
#include "findings_controller_test.moc"
