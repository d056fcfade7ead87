#include "app/tools/fleet/page/fleet_rows.h"

#include "app/tools/fleet/page/fleet_chart.h"
#include "app/tools/fleet/page/fleet_export.h"
#include "app/tools/fleet/page/fleet_list.h"
#include "app/tools/fleet/page/fleet_view.h"
#include "core/fleet/stores/open_fleet_store.h"
#include "core/summary/run_id.h"
#include "tests/app/main_window_test/window_stage.h"
#include "tests/built_programs/built_programs.h"
#include "tests/fixtures/exercise2.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"
#include "ui/view/parts/message_strip.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace highwater;
using namespace highwater::tests;
using fixtures::kKiB, fixtures::seconds;

namespace {

constexpr const char* kToMain = "ntdll.dll!RtlUserThreadStart;app.exe!main;";

/// Four seconds of a program that allocates `leaked` bytes and keeps them, and others that it frees.
fixtures::TraceBuilder labTrace(ByteCount leaked, ByteCount noise) {
    fixtures::TraceBuilder trace;
    trace.processRunsAlready({.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {"ntdll.dll"}});
    trace.processRunsAlready({.pid = 20, .name = "other.exe", .mainTid = 21, .modules = {"ntdll.dll"}});
    const auto main = std::string(kToMain);
    trace.heapAlloc({seconds(1), 10, 11}, 0x1D0000, {0x2000000, leaked}, main + "app.exe!leak");
    trace.heapAlloc({seconds(2), 10, 11}, 0x1D0000, {0x1000000, 8 * kKiB + noise}, main + "app.exe!cache");
    trace.heapFree({seconds(2.5), 10, 11}, 0x1D0000, 0x1000000, main + "app.exe!cache");
    trace.heapAlloc({seconds(3), 10, 11}, 0x1D0000, {0x3000000, leaked / 2}, main + "app.exe!leak");
    trace.heapAlloc({seconds(3), 20, 21}, 0x1D0000, {0x2000000, 4096}, "ntdll.dll!RtlUserThreadStart;other.exe!main");
    trace.endsAt(seconds(4));
    return trace;
}

/// The error of highwater-cli; empty if there is none.
QString cli(const QStringList& arguments) {
    QProcess program;
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(QStringLiteral(HIGHWATER_CLI), arguments);
    if (!program.waitForFinished(60'000)) return "does not end";
    return program.exitCode() == 0 ? QString() : QString::fromUtf8(program.readAll());
}

std::string answerOfCli(const QStringList& arguments) {
    QProcess program;
    program.start(QStringLiteral(HIGHWATER_CLI), arguments);
    return program.waitForFinished(60'000) ? program.readAllStandardOutput().toStdString() : "does not end";
}

QString addRun(const QString& store, const QString& trace, const QString& build, const QString& machine,
               const QStringList& more = {"--no-symbols"}) {
    return cli(QStringList{"fleet", "add", store, trace, "--label", "build=" + build, "--label", "machine=" + machine} +
               more);
}

/// The window with a real store.
struct RowsStage : WindowStage {
    using WindowStage::WindowStage;

    ui::FleetView& view() { return *window.findChild<ui::FleetView*>(); }
    bool openFleet(const QString& store) {
        window.openFleet(store);
        return QTest::qWaitFor([this] { return view().answer() != nullptr && window.isSettled(); }, 20'000);
    }
    /// Enter on the first stack, and on its worst run.
    bool openWorstRun() {
        view().answers().setFocus();
        QTest::keyClick(&view().answers(), Qt::Key_Return);
        if (!QTest::qWaitFor([this] { return view().areRunsShown(); }, 10'000)) return false;
        QTest::keyClick(&view().runs(), Qt::Key_Return);
        return QTest::qWaitFor([this] { return window.tabs().isVisible(); }, 20'000) && wait();
    }
    /// The same, whether it leads to a trace or not.
    bool chooseWorstRun() {
        view().answers().setFocus();
        QTest::keyClick(&view().answers(), Qt::Key_Return);
        return QTest::qWaitFor([this] { return view().areRunsShown(); }, 10'000) && chooseRun();
    }
    bool chooseRun() {
        view().strip().hide();
        view().runs().setFocus();
        QTest::keyClick(&view().runs(), Qt::Key_Return);
        return QTest::qWaitFor([this] { return view().strip().isVisible() || window.tabs().isVisible(); }, 20'000);
    }
    static void followLink(ui::MessageStrip& strip) {
        auto& label = *strip.findChild<QLabel*>("messageText");
        emit label.linkActivated({});
    }
    /// Find It…, with this file.
    void find(const QString& file) {
        followLink(view().strip());
        auto* dialog = window.findChild<QFileDialog*>("findRunDialog");
        auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
        name->setText(file);
        QTest::keyClick(name, Qt::Key_Return);
    }
    QString message() { return window.findChild<ui::MessageStrip*>("windowMessage")->message(); }
    QStringList chips() {
        QStringList texts;
        for (const auto& step : panel().graph().filterSteps())
            texts << step.text;
        return texts;
    }
};

} // namespace

/// From a stack of the fleet to the rows of a trace, with a SQLite file that highwater-cli made from traces.
class FleetRowsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString store_;

    QString path(const QString& name) const { return folder_.filePath(name); }

    static QString bottomLine(app::MainWindow& window) {
        const auto* note = window.findChild<QLabel*>("traceNote");
        return note->isVisible() ? note->text() : QString();
    }

    static QToolButton* commandButton(app::MainWindow& window, const char* action) {
        for (auto* button : window.findChildren<QToolButton*>()) {
            if (button->defaultAction() != nullptr && button->defaultAction()->objectName() == QLatin1String(action))
                return button;
        }
        return nullptr;
    }

    /// Enabled menu commands by their names, those without a name by their texts.
    static QStringList enabledIn(const QWidget& menu) {
        QStringList names;
        for (const auto* action : menu.actions()) {
            if (const auto* inner = action->menu(); inner != nullptr && inner->isEnabled() && action->isVisible())
                names += enabledIn(*inner);
            else if (inner == nullptr && !action->isSeparator() && action->isVisible() && action->isEnabled())
                names << (action->objectName().isEmpty() ? action->text() : action->objectName());
        }
        return names;
    }

  private slots:
    void initTestCase() {
        store_ = path("fleet.sqlite");
        QCOMPARE(cli({"fleet", "init", store_}), "");
        // The lowest noise of a build. The noise of the builds interleaves, so that it does not distinguish them.
        ByteCount first = 0;
        for (const QString build : {"8120", "8121", "8123"}) {
            auto noise = first += 64;
            for (const QString machine : {"lab-1", "lab-2", "lab-3", "lab-4", "lab-5", "lab-6"}) {
                const auto trace = path(build + '-' + machine + ".etl");
                const auto leaked = (build == "8123" ? 900 * kKiB : 100 * kKiB) + noise;
                QVERIFY(labTrace(leaked, noise).writeTo(trace.toStdString()).hasValue());
                QCOMPARE(addRun(store_, trace, build, machine), "");
                noise += 3 * 64;
            }
        }
    }

    void namesTheStackThatGrewFirst() {
        RowsStage stage;
        QVERIFY(stage.openFleet(store_));
        const auto& list = stage.view().answers();
        QCOMPARE(list.model()->rowCount(), 1); // the others did not grow beyond noise
        const auto owner = list.model()->index(0, 0).data().toString();
        QVERIFY2(owner.startsWith("app.exe!"), qPrintable(owner));
        QTRY_VERIFY2(stage.view().chart().words().endsWith("first bad build 8123."),
                     qPrintable(stage.view().chart().words()));
        QCOMPARE(stage.view().chart().history()->builds.size(), std::size_t{3});
    }

    /// Graphs can be chosen: their keys lead back to the trace.
    void traceCommandsAreDisabledOnTheFleetPage() {
        RowsStage stage;
        QVERIFY(stage.open({path("8120-lab-1.etl")}));
        auto& timeline = stage.panel().timeline();
        timeline.setFocus();
        const auto note = bottomLine(stage.window);
        QVERIFY(!note.isEmpty());
        const auto before = enabledIn(*stage.window.menuBar());
        QVERIFY(before.contains("markRecording") && before.contains("explain") && before.contains("exportCrop"));
        QVERIFY(stage.openFleet(store_));
        QCOMPARE(stage.window.windowTitle(), "fleet.sqlite - Highwater");
        QCOMPARE(bottomLine(stage.window), "");
        QCOMPARE(enabledIn(*stage.window.menuBar()), QStringList({"openTrace",
                                                                  "8120-lab-1.etl",
                                                                  "openFleet",
                                                                  "startPage",
                                                                  "replayAsRecorded",
                                                                  "replayTenTimes",
                                                                  "replayFull",
                                                                  "quit",
                                                                  "record",
                                                                  "toggleToolBar",
                                                                  "toggleFleet",
                                                                  "toggleDiagnosticConsole",
                                                                  "VirtualAlloc Commit LifeTimes",
                                                                  "Heap Allocations",
                                                                  "Frees",
                                                                  "Heap Snapshot",
                                                                  "Managed Allocations",
                                                                  "GC Heap Size",
                                                                  "theme-system",
                                                                  "theme-light",
                                                                  "theme-dark",
                                                                  "theme-high-contrast",
                                                                  "reduceMotion",
                                                                  "quoteFormulas",
                                                                  "keys",
                                                                  "copyDiagnostics",
                                                                  "&About Highwater"}));
        auto* find = commandButton(stage.window, "find");
        QVERIFY(find->isVisible());
        QTest::mouseClick(find, Qt::LeftButton);
        QVERIFY(!find->isEnabled());
        // Neither by key nor by mouse.
        QTest::keyClick(&stage.window, Qt::Key_M, Qt::ControlModifier);
        QTest::keyClick(&stage.window, Qt::Key_E, Qt::ControlModifier);
        QTest::keyClick(&stage.window, Qt::Key_Return, Qt::AltModifier);
        QCOMPARE(stage.message(), "");
        QVERIFY(QApplication::activeModalWidget() == nullptr);
        QTest::keyClick(&stage.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(stage.window.tabs().isVisible());
        QCOMPARE(stage.window.windowTitle(), "8120-lab-1.etl - Highwater");
        QCOMPARE(bottomLine(stage.window), note);
        QCOMPARE(enabledIn(*stage.window.menuBar()), before);
        QCOMPARE(stage.window.focusWidget(), static_cast<QWidget*>(&timeline));
    }

    void opensTheWorstRunAtItsRows() {
        RowsStage stage;
        QVERIFY(stage.openFleet(store_));
        QVERIFY(stage.openWorstRun());
        QTRY_VERIFY2(stage.message().startsWith("Showing the rows of app.exe!"), qPrintable(stage.message()));
        QVERIFY(stage.wait());
        QCOMPARE(stage.panel().graph().table(), analysis::Table::Heap);
        QCOMPARE(stage.chips().size(), 1);
        QVERIFY2(stage.chips()[0].startsWith("Fleet: app.exe!"), qPrintable(stage.chips()[0]));
        // Exactly both blocks that leaked, in the run of the last machine, which has the most.
        const auto run = stage.view().worst()->runs[0];
        QCOMPARE(run.facts.machine, "lab-6");
        QCOMPARE(stage.panel().model().rowCount(), 1);
        QCOMPARE(stage.cell({"app.exe (10)"}, analysis::Column::Count), "2");
        const auto sum = 900 * kKiB + 18 * 64;
        QCOMPARE(run.value, static_cast<std::int64_t>(sum + sum / 2));
        // The graph paints when in the run they were made.
        QCOMPARE(stage.state().highlight()->start, seconds(1));
        QCOMPARE(stage.state().highlight()->end, TraceTime{seconds(3).ns + 1});
        QVERIFY(!stage.state().isZoomed()); // the whole run is visible
    }

    void theWorstRunOfAProcessShowsItsResidentMemory() {
        const auto file = path("memory.sqlite").toStdString();
        const auto store = fleet::openFleetStore(file).value();
        QVERIFY(store->create({}).hasValue());
        for (const QString build : {"8121", "8123"})
            for (const QString machine : {"lab-1", "lab-2", "lab-3", "lab-4"}) {
                const auto trace = path(build + '-' + machine + ".etl").toStdString();
                summary::RunSummary run;
                run.facts.run = summary::runIdOf(std::vector<std::filesystem::path>{trace}).value();
                run.facts.trace = trace;
                run.facts.build = build.toStdString();
                run.facts.machine = machine.toStdString();
                run.windows = {{summary::WindowKind::Whole, "whole", 0, seconds(4).ns}};
                run.facts.resident = {{"app.exe", (build == "8123" ? 900 : 100) * std::int64_t{1048576}, std::nullopt}};
                QVERIFY(store->add(run, {}).hasValue());
            }
        RowsStage stage;
        QVERIFY(stage.openFleet(path("memory.sqlite")));
        auto& measure = *stage.view().findChild<QComboBox*>("fleetMeasure");
        measure.setCurrentText("Highest Rss");
        emit measure.activated(measure.currentIndex());
        QTRY_COMPARE(stage.view().answers().model()->rowCount(), 1);
        QTRY_VERIFY(stage.window.isSettled());
        QCOMPARE(stage.view().answers().model()->index(0, 0).data().toString(), "app.exe");
        QVERIFY(stage.openWorstRun());
        QTRY_VERIFY2(stage.message().startsWith("This is the run from build 8123 on lab-"),
                     qPrintable(stage.message()));
        QVERIFY(stage.window.findChild<QDockWidget*>("balanceDock")->isVisible());
    }

    void aTraceThatIsOpenIsNotReadAgain() {
        RowsStage stage;
        QVERIFY(stage.openFleet(store_));
        QVERIFY(stage.openWorstRun());
        QTRY_VERIFY(stage.message().startsWith("Showing the rows"));
        const auto* before = stage.window.tabs().shown().trace().get();
        QTest::keyClick(&stage.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(stage.view().isVisible());
        QVERIFY(stage.view().areRunsShown()); // as it was left
        stage.view().runs().setFocus();
        QTest::keyClick(&stage.view().runs(), Qt::Key_Return);
        QTRY_VERIFY(stage.window.tabs().isVisible());
        QVERIFY(stage.wait());
        QCOMPARE(stage.window.tabs().shown().trace().get(), before);
        QCOMPARE(stage.chips().size(), 1);
    }

    /// The way back leads to the page, and from there to the trace.
    void thePageAndTheTraceTakeTurns() {
        RowsStage stage;
        QVERIFY(stage.openFleet(store_));
        QVERIFY(stage.openWorstRun());
        for (int i = 0; i < 2; ++i) {
            QTest::keyClick(&stage.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(stage.view().isVisible() && !stage.window.tabs().isVisible());
            QTest::keyClick(&stage.window, Qt::Key_0, Qt::ControlModifier); // Back to the Trace
            QVERIFY(!stage.view().isVisible() && stage.window.tabs().isVisible());
        }
    }

    void anotherRunReplacesTheTrace() {
        RowsStage stage;
        QVERIFY(stage.openFleet(store_));
        QVERIFY(stage.openWorstRun());
        QTRY_VERIFY(stage.message().startsWith("Showing the rows"));
        QTest::keyClick(&stage.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        stage.view().runs().setFocus();
        QTest::keyClick(&stage.view().runs(), Qt::Key_Down);
        QTest::keyClick(&stage.view().runs(), Qt::Key_Return);
        QTRY_VERIFY(stage.window.tabs().isVisible());
        QTRY_VERIFY2(stage.window.windowTitle().contains("lab-5"), qPrintable(stage.window.windowTitle()));
        QTRY_COMPARE(stage.chips().size(), 1);
        QTRY_VERIFY(stage.chips()[0].startsWith("Fleet: app.exe!"));
        QVERIFY(stage.wait());
        QCOMPARE(stage.cell({"app.exe (10)"}, analysis::Column::Count), "2");
    }

    void aMovedTraceIsReported() {
        RowsStage stage;
        QVERIFY(stage.openFleet(store_));
        QVERIFY(QFile::rename(path("8123-lab-6.etl"), path("moved.etl")));
        stage.view().answers().setFocus();
        QTest::keyClick(&stage.view().answers(), Qt::Key_Return);
        QTRY_VERIFY(stage.view().areRunsShown());
        QTest::keyClick(&stage.view().runs(), Qt::Key_Return);
        QTRY_VERIFY2(stage.view().strip().message().contains(path("8123-lab-6.etl")),
                     qPrintable(stage.view().strip().message()));
        QVERIFY(stage.view().isVisible());
        QVERIFY(QFile::rename(path("moved.etl"), path("8123-lab-6.etl")));
    }

    /// CI overwrites one file again and again: the store identifies the run by more than its path.
    void aTraceThatWasOverwrittenIsNotShownAsTheRun() {
        RowsStage stage;
        QVERIFY(stage.openFleet(store_));
        const auto lay = path("8123-lab-6.etl");
        QVERIFY(QFile::rename(lay, path("kept.etl")));
        QVERIFY(labTrace(7 * kKiB, 3).writeTo(lay.toStdString()).hasValue());
        QVERIFY(stage.chooseWorstRun());
        QTRY_VERIFY2(stage.view().strip().message().startsWith(lay + " is not the recording of the run"),
                     qPrintable(stage.view().strip().message() + stage.message()));
        QVERIFY2(stage.view().strip().message().contains("overwritten"), qPrintable(stage.view().strip().message()));
        QVERIFY(stage.view().isVisible());
        QTest::qWait(1);
        stage.followLink(stage.view().strip()); // plainly
        QTRY_VERIFY(stage.window.tabs().isVisible());
        QTRY_VERIFY2(stage.message().contains("not the recording of the run"), qPrintable(stage.message()));
        QVERIFY(stage.wait());
        QCOMPARE(stage.chips(), QStringList());
        QVERIFY(QFile::remove(lay));
        QVERIFY(QFile::rename(path("kept.etl"), lay));
    }

    /// The trace on screen: the file now has other content than the one that was read.
    void aTraceThatWasOverwrittenWhileItIsOpenIsReadAgain() {
        RowsStage stage;
        QVERIFY(stage.openFleet(store_));
        const auto lay = path("8123-lab-6.etl");
        QVERIFY(QFile::rename(lay, path("kept.etl")));
        QVERIFY(labTrace(7 * kKiB, 3).writeTo(lay.toStdString()).hasValue());
        QVERIFY(stage.open({lay}));
        QVERIFY(QFile::remove(lay));
        QVERIFY(QFile::rename(path("kept.etl"), lay));
        const auto* before = stage.window.tabs().shown().trace().get();
        QTest::keyClick(&stage.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(stage.chooseWorstRun());
        QTRY_VERIFY2(stage.message().startsWith("Showing the rows"), qPrintable(stage.message()));
        QVERIFY(stage.window.tabs().shown().trace().get() != before);
    }

    void foundFilesAreComparedWithTheRun() {
        RowsStage stage;
        QVERIFY(stage.openFleet(store_));
        QVERIFY(QFile::rename(path("8123-lab-6.etl"), path("moved.etl")));
        QVERIFY(stage.chooseWorstRun());
        QTRY_VERIFY(stage.view().strip().message().contains("cannot be reached"));
        stage.find(path("8123-lab-5.etl"));
        QTRY_VERIFY2(stage.view().strip().message().startsWith(path("8123-lab-5.etl") + " is not the recording of"),
                     qPrintable(stage.view().strip().message()));
        QVERIFY(!stage.view().strip().message().contains("overwritten"));
        QVERIFY(stage.chooseRun());
        QTRY_VERIFY(stage.view().strip().message().contains("cannot be reached"));
        stage.find(path("moved.etl"));
        QTRY_VERIFY2(stage.message().startsWith("Showing the rows"), qPrintable(stage.message()));
        QVERIFY(QFile::rename(path("moved.etl"), path("8123-lab-6.etl")));
    }

    /// Also from the list of all runs; on the page itself it would lead nowhere.
    void theWayBackIsOfferedWhereTheTraceIsOnScreen() {
        RowsStage stage;
        QVERIFY(stage.openFleet(store_));
        auto& kind = *stage.view().findChild<QComboBox*>("fleetQuestion");
        kind.setFocus();
        QTest::keyClick(&kind, Qt::Key_End); // runs
        QTRY_VERIFY(stage.view().answer()->question.kind == ui::FleetKind::Runs && stage.window.isSettled());
        stage.view().answers().setFocus();
        QTest::keyClick(&stage.view().answers(), Qt::Key_Return);
        QTRY_VERIFY(stage.window.tabs().isVisible());
        auto& strip = *stage.window.findChild<ui::MessageStrip*>("windowMessage");
        QTRY_VERIFY2(stage.message().contains("of the fleet"), qPrintable(stage.message()));
        stage.followLink(strip);
        QVERIFY(stage.view().isVisible());
        QVERIFY(!strip.isVisible());
    }

    void keysOfGraphsLeadToTheTrace() {
        RowsStage stage;
        QVERIFY(stage.openFleet(store_));
        QVERIFY(stage.open({path("8120-lab-1.etl")}));
        QTest::keyClick(&stage.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(stage.view().isVisible());
        QTest::keyClick(&stage.window, Qt::Key_2, Qt::ControlModifier);
        QVERIFY(stage.window.tabs().isVisible());
        QCOMPARE(stage.panel().graph().table(), analysis::kTables[1]);
    }

    void aFailedOpeningKeepsTheNumbersOfTheOpenTrace() {
        RowsStage stage;
        QVERIFY(stage.open({path("8120-lab-1.etl")}));
        const auto* note = stage.window.findChild<QLabel*>("traceNote");
        const auto before = note->text();
        QVERIFY(note->isVisible() && !before.isEmpty());
        QFile text(path("notes.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write("Nothing of a trace.") > 0);
        text.close();
        QSignalSpy failures(&stage.window, &app::MainWindow::openFailed);
        stage.window.openTrace({text.fileName()});
        QTRY_COMPARE(failures.size(), 1);
        QVERIFY(note->isVisible());
        QCOMPARE(note->text(), before);
    }

    /// The window writes the same output as the command line.
    void theFileIsThatOfTheCommandLine() {
        RowsStage stage;
        QVERIFY(stage.openFleet(store_));
        QCOMPARE(app::exported(*stage.view().answer(), ui::FleetFormat::Csv),
                 answerOfCli({"fleet", "grew", store_, "--from", "8121", "--to", "8123", "--format", "csv"}));
        auto& kind = *stage.view().findChild<QComboBox*>("fleetQuestion");
        kind.setFocus();
        QTest::keyClick(&kind, Qt::Key_End); // runs
        QTRY_VERIFY(stage.view().answer()->question.kind == ui::FleetKind::Runs && stage.window.isSettled());
        QCOMPARE(app::exported(*stage.view().answer(), ui::FleetFormat::Csv),
                 answerOfCli({"fleet", "runs", store_, "--format", "csv"}));
    }

    void aMissingStackIsReported() {
        RowsStage stage;
        QVERIFY(stage.open({path("8120-lab-1.etl")}));
        app::FleetRows rows(stage.window.tabs(), stage.window.symbolSession());
        QString told;
        QObject::connect(&rows, &app::FleetRows::messageWanted, &rows, [&](const ui::Message& message) {
            told = message.tone == ui::MessageTone::Warning ? message.text : QString();
        });
        ui::FleetRun run;
        run.hasStack = true;
        run.stack.key = {1, 2};
        run.stack.owner = "app!nobody";
        run.process = "app.exe";
        run.end = seconds(2).ns;
        rows.show(run);
        QTRY_VERIFY2(told.contains("app!nobody"), qPrintable(told));
        QCOMPARE(stage.chips(), QStringList{"Process: app.exe"});
        QCOMPARE(stage.state().visibleRange().end, seconds(2)); // its window
    }

    /// Names arrive while the trace is open: the stack is found by its later names.
    void waitsForTheNamesThatIdentifyTheStack() {
        const auto& programs = BuiltPrograms::instance();
        if (!programs.problem().isEmpty()) QSKIP(qPrintable(programs.problem()));
        const auto program = programs.memoryTestApp();
        const auto trace = path("named.etl"), store = path("named.sqlite");
        QVERIFY(fixtures::exercise2Trace({}, &program).writeTo(trace.toStdString()).hasValue());
        QCOMPARE(cli({"fleet", "init", store}), "");
        QCOMPARE(addRun(store, trace, "1", "lab-1", {"--symbols", programs.folder()}), "");
        ui::SymbolChoices choices;
        choices.path = symbols::SymbolPath::parse(programs.folder().toStdString());
        RowsStage stage(choices);
        stage.window.openFleet(store);
        QTRY_VERIFY(stage.view().strip().isVisible()); // one build
        auto& kind = *stage.view().findChild<QComboBox*>("fleetQuestion");
        kind.setCurrentIndex(3); // slope
        emit kind.activated(3);
        auto& list = stage.view().answers();
        QTRY_VERIFY(stage.view().answer() && list.model()->rowCount() > 0);
        int row = 0; // row of the program that has names
        while (row < list.model()->rowCount() && list.model()->index(row, 5).data() != "MemoryTestApp.exe")
            ++row;
        const auto owner = list.model()->index(row, 0).data().toString();
        QVERIFY2(owner.contains('!') && !owner.contains("!+0x"), qPrintable(owner));
        list.setCurrentIndex(list.model()->index(row, 0));
        QVERIFY(stage.openWorstRun());
        QTRY_VERIFY2(stage.message().startsWith("Showing the rows of " + owner), qPrintable(stage.message()));
        QVERIFY(stage.wait());
        QVERIFY(stage.panel().model().rowCount() == 1);
    }
};

HIGHWATER_TEST(FleetRowsTest);
#include "fleet_rows_test.moc"
