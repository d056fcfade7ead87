#include "app/tools/fleet/page/fleet_controller.h"

#include "app/settings/theme.h"
#include "app/tools/fleet/page/fleet_chart.h"
#include "app/tools/fleet/page/fleet_form.h"
#include "app/tools/fleet/page/fleet_list.h"
#include "app/tools/fleet/page/fleet_store_bar.h"
#include "app/tools/fleet/page/fleet_view.h"
#include "tests/app/main_window_test/window_stage.h"
#include "tests/app/tools/fleet/page/fake_fleet.h"
#include "tests/support/test_registry.h"
#include "ui/view/window/start_page.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// The window, and stores with scripted answers.
struct FleetStage {
    FakeFleet fleet;
    QTemporaryDir folder;
    app::ApplicationSettings settings{folder.filePath("settings.ini")};
    app::MainWindow window{settings, nullptr, {}, fleet.opener()};

    FleetStage() {
        window.resize(1000, 700);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
    }
    ui::FleetView& view() { return *window.findChild<ui::FleetView*>(); }
    QComboBox& box(const char* name) { return *view().findChild<QComboBox*>(QLatin1String(name)); }
    QAction& action(const char* name) { return *window.findChild<QAction*>(QLatin1String(name)); }
    QString message() { return view().strip().isVisible() ? view().strip().message() : QString(); }
    bool waitForAll() {
        return QTest::qWaitFor([this] { return window.isSettled(); }, 10'000);
    }
    /// The rows have no stacks.
    void answerByProcess() {
        for (auto* stack : {&fleet.grew.rows[0].stack, &fleet.grew.rows[1].stack, &fleet.history.stack})
            *stack = {{}, analysis::Table::Heap, stack->process, {}, {}};
    }
    /// Typed, as a user does.
    bool open(const QString& address) {
        action("openFleet").trigger();
        auto& typed = box("fleetAddress");
        typed.lineEdit()->selectAll();
        QTest::keyClicks(&typed, address);
        QTest::keyClick(&typed, Qt::Key_Return);
        QTest::qWait(5);
        return waitForAll();
    }
};

} // namespace

/// File > Open Fleet, by mouse and keys.
class FleetControllerTest : public QObject {
    Q_OBJECT
  private slots:
    void queriesGrowthBetweenTheNewestTwoBuilds() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        QCOMPARE(stage.fleet.asked()[1], "grew 8121 to 8123, whole, Outstanding Size");
        QCOMPARE(stage.view().answers().model()->rowCount(), 2);
        QCOMPARE(stage.view().findChild<QLabel*>("fleetFacts")->text(), "12 runs, 3 builds, 4 machines");
        QCOMPARE(stage.view().chart().words(), "app!leak in 3 builds: first bad build 8123.");
        QCOMPARE(stage.message(), "");
    }

    void theExportButtonFollowsTheTheme() {
        FleetStage stage;
        app::applyTheme(app::Theme::Light);
        QVERIFY(stage.open("/a/fleet.sqlite"));
        auto* button = stage.view().findChild<QToolButton*>("fleetExport");
        const auto ground = [&] { return button->grab().toImage().pixelColor(4, button->height() / 2).lightness(); };
        QVERIFY(ground() > 128);
        app::applyTheme(app::Theme::Dark);
        QTest::qWait(10);
        const auto dark = ground();
        app::applyTheme(app::Theme::Light);
        QVERIFY2(dark < 128, qPrintable(QString::number(dark)));
    }

    void theHistoryFollowsTheSelection() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        stage.view().answers().setFocus();
        QTest::keyClick(&stage.view().answers(), Qt::Key_Down);
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.fleet.asked().back(), "history 2 helper heap, whole, Outstanding Size");
        QCOMPARE(stage.view().chart().history()->stack.key.low, std::uint64_t{2});
    }

    void aChoiceAsksAtOnce() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        auto& from = stage.box("fleetFrom");
        from.setFocus();
        QTest::keyClick(&from, Qt::Key_Up);
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.fleet.countOf("grew 8120 to 8123"), std::size_t{1});
        auto& kind = stage.box("fleetQuestion");
        kind.setFocus();
        QTest::keyClick(&kind, Qt::Key_End);
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.view().answers().model()->rowCount(), 12); // runs
    }

    void enterListsTheRunsOfAStackWorstFirst() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        stage.view().answers().setFocus();
        QTest::keyClick(&stage.view().answers(), Qt::Key_Return);
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.fleet.asked().back().c_str(), "worst 1 of 8123 app heap, whole, Outstanding Size");
        QVERIFY(stage.view().areRunsShown());
        QCOMPARE(stage.view().runs().model()->index(0, 0).data().toString(), "lab-3");
        QTest::keyClick(&stage.view().runs(), Qt::Key_Escape);
        QVERIFY(!stage.view().areRunsShown());
        const auto place = stage.view().answers().visualRect(stage.view().answers().indexOf(1)).center();
        QTest::mouseClick(stage.view().answers().viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(stage.view().answers().viewport(), Qt::LeftButton, {}, place);
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.fleet.countOf("worst 2 of 8123"), std::size_t{1});
    }

    void aMeasureOfProcessesIsAskedByProcess() {
        FleetStage stage;
        stage.answerByProcess();
        stage.fleet.history.runsUnknown = 3;
        stage.fleet.worst.runsUnknown = 1;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        auto& measure = stage.box("fleetMeasure");
        measure.setFocus();
        QTest::keyClick(&measure, Qt::Key_End);
        QTest::keyClick(&measure, Qt::Key_Up);
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.fleet.countOf("grew 8121 to 8123, whole, Highest Rss"), std::size_t{1});
        QCOMPARE(stage.fleet.asked().back(), "history 0 app heap, whole, Highest Rss");
        QCOMPARE(stage.view().chart().words(), "app in 3 builds: first bad build 8123. 3 runs are not shown because "
                                               "their values are unknown.");
        QCOMPARE(stage.view().chart().accessibleName(), "Process by build");
        QCOMPARE(stage.view().answers().accessibleName(), "Grown processes");
        const auto summary = [&] { return stage.view().findChild<QLabel*>("fleetSummary")->text(); };
        QCOMPARE(summary(), "2 of 1,204 tested processes grew from build 8121 to build 8123.");
        const auto place = stage.view().answers().visualRect(stage.view().answers().indexOf(0)).center();
        QTest::mouseClick(stage.view().answers().viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(stage.view().answers().viewport(), Qt::LeftButton, {}, place);
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.fleet.countOf("worst 0 of 8123 app heap, whole, Highest Rss"), std::size_t{1});
        QCOMPARE(summary(), "Runs of app in build 8123. Enter opens the trace. 1 run is not shown because its value is "
                            "unknown.");
    }
    /// While the other process has not been drawn yet.
    void aBuildOfTheGraphIsOfTheProcessInIt() {
        FleetStage stage;
        stage.answerByProcess();
        QVERIFY(stage.open("/a/fleet.sqlite"));
        auto& measure = stage.box("fleetMeasure");
        measure.setFocus();
        QTest::keyClick(&measure, Qt::Key_End);
        QVERIFY(stage.waitForAll());
        stage.fleet.hold("history");
        stage.view().answers().setFocus();
        QTest::keyClick(&stage.view().answers(), Qt::Key_Down); // helper
        emit stage.view().chart().buildChosen("8120");
        QCOMPARE(stage.fleet.countOf("worst"), std::size_t{0});
        stage.fleet.hold({});
        QVERIFY(stage.waitForAll());
    }

    void aMissingTraceIsReportedAndTheSummaryStays() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        stage.view().answers().setFocus();
        QTest::keyClick(&stage.view().answers(), Qt::Key_Return);
        QVERIFY(stage.waitForAll());
        QTest::keyClick(&stage.view().runs(), Qt::Key_Return);
        QTRY_VERIFY(!stage.message().isEmpty());
        QVERIFY2(stage.message().contains("/nobody/has/8123-lab-3.etl") && stage.message().contains("lab-3"),
                 qPrintable(stage.message()));
        QVERIFY(stage.view().areRunsShown());
        QCOMPARE(stage.view().runs().model()->rowCount(), 2);
    }

    void aSlowQuestionCanBeCancelledAndTheOldAnswerStays() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        stage.fleet.hold("grew");
        auto& from = stage.box("fleetFrom");
        from.setFocus();
        QTest::keyClick(&from, Qt::Key_Up);
        QTRY_VERIFY(stage.view().answers().isOld());
        QCOMPARE(stage.view().answers().model()->rowCount(), 2);
        QTest::mouseClick(stage.view().findChild<QPushButton*>("fleetCancel"), Qt::LeftButton);
        QVERIFY(stage.message().startsWith("Cancelled."));
        QVERIFY(stage.view().answers().isOld()); // it is the answer to another query
        QCOMPARE(stage.view().answers().model()->rowCount(), 2);
        stage.fleet.hold({});
        QTest::mouseClick(stage.view().findChild<QPushButton*>("fleetAsk"), Qt::LeftButton);
        QVERIFY(stage.waitForAll());
        QVERIFY(!stage.view().answers().isOld());
        QCOMPARE(stage.message(), "");
    }

    void theNewestQuestionWins() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        stage.fleet.hold("grew");
        auto& from = stage.box("fleetFrom");
        from.setFocus();
        QTest::keyClick(&from, Qt::Key_Up);
        QTRY_COMPARE(stage.fleet.countOf("grew 8120"), std::size_t{1});
        auto& kind = stage.box("fleetQuestion");
        kind.setFocus();
        QTest::keyClick(&kind, Qt::Key_Down); // the new ones
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.view().answer()->question.kind, ui::FleetKind::New);
        stage.fleet.hold({});
        QTest::qWait(30);
        QCOMPARE(stage.view().answer()->question.kind, ui::FleetKind::New);
    }

    void credentialsAreRequestedAndNotStored() {
        FleetStage stage;
        stage.fleet.wantPassword("reader", "s3cret");
        QVERIFY(stage.open("clickhouse://lab:8123/runs"));
        QVERIFY(stage.view().store().isAsking());
        auto& user = *stage.view().findChild<QLineEdit*>("fleetUser");
        auto& password = *stage.view().findChild<QLineEdit*>("fleetPassword");
        QVERIFY(user.hasFocus());
        QTest::keyClicks(&user, "reader");
        QTest::keyClick(&user, Qt::Key_Return);
        QTest::keyClicks(&password, "wrong");
        QTest::keyClick(&password, Qt::Key_Return);
        QVERIFY(stage.waitForAll());
        QVERIFY(stage.view().store().isAsking());
        QTest::keyClicks(&password, "s3cret");
        QTest::keyClick(&password, Qt::Key_Return);
        QVERIFY(stage.waitForAll());
        QVERIFY(!stage.view().store().isAsking());
        QCOMPARE(stage.view().answers().model()->rowCount(), 2);
        QCOMPARE(stage.settings.recentFleets(), QStringList{"clickhouse://lab:8123/runs"});
        QFile kept(stage.folder.filePath("settings.ini"));
        stage.settings.setTheme(app::Theme::Dark); // writes the file on request
        QTRY_VERIFY(kept.exists());
        QVERIFY(kept.open(QIODevice::ReadOnly));
        const auto text = kept.readAll();
        QVERIFY(text.contains("clickhouse"));
        QVERIFY(!text.contains("s3cret") && !text.contains("reader"));
    }

    void aPasswordInTheAddressGoesNoFurther() {
        FleetStage stage;
        stage.fleet.wantPassword("reader", "s3cret");
        QVERIFY(stage.open("clickhouse://reader:s3cret@lab:8123/runs"));
        QCOMPARE(stage.view().answers().model()->rowCount(), 2);
        QCOMPARE(stage.box("fleetAddress").currentText(), "clickhouse://lab:8123/runs");
        QCOMPARE(stage.settings.recentFleets(), QStringList{"clickhouse://lab:8123/runs"});
    }

    void recentFleetsAreOfferedNewestFirst() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        QVERIFY(stage.open("/b/fleet.sqlite"));
        QCOMPARE(stage.box("fleetAddress").itemText(0), "/b/fleet.sqlite");
        QCOMPARE(stage.box("fleetAddress").itemText(1), "/a/fleet.sqlite");
        QCOMPARE(stage.settings.recentFleets().size(), 2);
    }

    /// Another version, a damaged file, a server that is down: the message is the store's.
    void aStoreThatCannotBeOpenedTakesNothingAway() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        stage.fleet.failWith(Error{ErrorKind::Unsupported, "/b/fleet.sqlite is a fleet of version 9."});
        QVERIFY(stage.open("/b/fleet.sqlite"));
        QVERIFY2(stage.message().startsWith("/b/fleet.sqlite is a fleet of version 9."), qPrintable(stage.message()));
        QVERIFY(stage.message().contains("/a/fleet.sqlite"));
        QCOMPARE(stage.view().answers().model()->rowCount(), 2);
        QCOMPARE(stage.settings.recentFleets(), QStringList{"/a/fleet.sqlite"});
        stage.fleet.failWith({});
        auto& from = stage.box("fleetFrom"); // the previous store still answers
        from.setFocus();
        QTest::keyClick(&from, Qt::Key_Up);
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.fleet.countOf("grew 8120"), std::size_t{1});
    }

    void aQuestionThatFailsSaysWhyAndTheOldAnswerStays() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        stage.fleet.failWith(Error{ErrorKind::Io, "The server does not answer."});
        auto& from = stage.box("fleetFrom");
        from.setFocus();
        QTest::keyClick(&from, Qt::Key_Up);
        QTRY_COMPARE(stage.message(), "The server does not answer.");
        QCOMPARE(stage.view().answers().model()->rowCount(), 2);
    }

    void anEmptyStoreSaysHowItIsFilled() {
        FleetStage stage;
        stage.fleet.runs.clear();
        QVERIFY(stage.open("/a/fleet.sqlite"));
        QVERIFY2(stage.message().contains("Add runs with highwater-cli fleet add"), qPrintable(stage.message()));
        QCOMPARE(stage.fleet.countOf("grew"), std::size_t{0});
    }

    /// File > Open, dropped files, and files named on the command line.
    void aFleetFileOpensThePageWithoutAMessage() {
        FleetStage stage;
        stage.window.openFiles({"/a/fleet.sqlite"});
        QVERIFY(stage.waitForAll());
        QVERIFY(stage.view().isVisible());
        QCOMPARE(stage.view().answers().model()->rowCount(), 2);
        QCOMPARE(stage.message(), "");
        QCOMPARE(stage.settings.recentFleets(), QStringList{"/a/fleet.sqlite"});
        QVERIFY(stage.settings.recentTraces().isEmpty());
    }

    /// A part of an address does not match those that were opened before.
    void typedPlacesAreOpenedLiterally() {
        FleetStage stage;
        QVERIFY(stage.open("/tmp/fleet.sqlite"));
        QVERIFY(stage.open("/tmp"));
        QCOMPARE(stage.box("fleetAddress").currentText(), "/tmp");
        QCOMPARE(stage.settings.recentFleets().front(), "/tmp");
    }

    void aDroppedFleetOpensThePage() {
        FleetStage stage;
        QMimeData dropped;
        dropped.setUrls({QUrl::fromLocalFile("/a/fleet.sqlite")});
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&stage.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({50, 50}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&stage.window, &drop);
        QVERIFY(stage.waitForAll());
        QVERIFY(stage.view().isVisible());
        QCOMPARE(stage.fleet.countOf("grew"), std::size_t{1});
    }

    void fileOpenOffersFleets() {
        FleetStage stage;
        stage.action("openTrace").trigger();
        auto* dialog = stage.window.findChild<QFileDialog*>();
        QVERIFY(dialog);
        QVERIFY2(dialog->nameFilters().filter("*.sqlite").size() == 1, qPrintable(dialog->nameFilters().join("|")));
        dialog->reject();
    }

    /// The error matters more than the type of the file.
    void aFileOfAnotherKindIsReportedOnThePage() {
        FleetStage stage;
        stage.fleet.failWith(Error{ErrorKind::Unsupported, "/a/rows.db is a database of something else."});
        stage.window.openFiles({"/a/rows.db"});
        QVERIFY(stage.waitForAll());
        QVERIFY(stage.view().isVisible());
        QCOMPARE(stage.message(), "/a/rows.db is a database of something else.");
    }

    void theRunsOfAStackCanBeCancelledToo() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        auto* cancel = stage.view().findChild<QPushButton*>("fleetCancel");
        QVERIFY(!cancel->isEnabled());
        stage.fleet.hold("worst");
        stage.view().answers().setFocus();
        QTest::keyClick(&stage.view().answers(), Qt::Key_Return);
        QTRY_VERIFY(cancel->isEnabled());
        QTest::keyClick(&stage.view().answers(), Qt::Key_Escape);
        QVERIFY(stage.waitForAll());
        QVERIFY(stage.message().startsWith("Cancelled."));
        QVERIFY(!cancel->isEnabled() && !stage.view().areRunsShown());
    }

    void oneBuildCannotBeCompared() {
        FleetStage stage;
        std::erase_if(stage.fleet.runs, [](const auto& row) { return row.facts.build != "8123"; });
        QVERIFY(stage.open("/a/fleet.sqlite"));
        QVERIFY2(stage.message().startsWith("All runs are from build 8123"), qPrintable(stage.message()));
        QCOMPARE(stage.fleet.countOf("grew"), std::size_t{0});
        auto& kind = stage.box("fleetQuestion");
        kind.setFocus();
        QTest::keyClick(&kind, Qt::Key_End); // runs
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.view().answers().model()->rowCount(), 4);
        QCOMPARE(stage.message(), "");
    }

    void theSameBuildTwiceIsReported() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        auto& from = stage.box("fleetFrom");
        from.setFocus();
        QTest::keyClick(&from, Qt::Key_Down);
        QCOMPARE(stage.message(), "Both builds are 8123. Choose two different builds.");
    }

    void theTableIsExported() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        emit stage.view().exportWanted(ui::FleetFormat::Json);
        auto* dialog = stage.window.findChild<QFileDialog*>("exportFleetDialog");
        QVERIFY(dialog);
        auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
        name->setText(stage.folder.filePath("grew.json"));
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_VERIFY(QFile::exists(stage.folder.filePath("grew.json")));
        QFile file(stage.folder.filePath("grew.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("app!leak"));
        QVERIFY(stage.message().startsWith("Saved as"));
    }

    void keysShowThePageAndGoBackFromIt() {
        FleetStage stage;
        auto* start = stage.window.findChild<ui::StartPage*>();
        QVERIFY(start->isVisible());
        QTest::keyClick(&stage.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(stage.view().isVisible() && !start->isVisible());
        QVERIFY(stage.action("startPage").isEnabled());
        QTest::keyClick(&stage.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(start->isVisible());
        stage.action("openFleet").trigger();
        QCOMPARE(QApplication::focusWidget(), &stage.box("fleetAddress"));
        QTest::keyClick(&stage.window, Qt::Key_0, Qt::ControlModifier);
        QVERIFY(start->isVisible());
    }

    void anotherStoreIsAskedAboutTheWholeOfItsRuns() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        auto& window = stage.box("fleetWindow");
        window.lineEdit()->selectAll();
        QTest::keyClicks(&window, "Warm to Full");
        QTest::keyClick(&window, Qt::Key_Return);
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.fleet.countOf("grew 8121 to 8123, Warm to Full"), std::size_t{1});
        QVERIFY(stage.open("/b/fleet.sqlite"));
        QCOMPARE(stage.fleet.countOf("grew 8121 to 8123, Warm to Full"), std::size_t{1});
        QCOMPARE(window.currentText(), "Whole run");
    }

    void enterOnABuildOfTheGraphListsItsRuns() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        stage.view().chart().setFocus();
        QTest::keyClick(&stage.view().chart(), Qt::Key_Home);
        QTest::keyClick(&stage.view().chart(), Qt::Key_Return);
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.fleet.asked().back().c_str(), "worst 1 of 8120 app heap, whole, Outstanding Size");
        QTRY_VERIFY(stage.view().areRunsShown());
    }

    void goingBackFromTheRunsClearsTheMessage() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        stage.view().answers().setFocus();
        QTest::keyClick(&stage.view().answers(), Qt::Key_Return);
        QVERIFY(stage.waitForAll());
        QTest::keyClick(&stage.view().runs(), Qt::Key_Return);
        QTRY_VERIFY(stage.message().contains("cannot be reached"));
        QTest::keyClick(&stage.view().runs(), Qt::Key_Escape);
        QVERIFY(!stage.view().areRunsShown());
        QCOMPARE(stage.message(), "");
    }

    void theFileHasTheOrderOnScreen() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        stage.view().answers().sortByColumn(1, Qt::AscendingOrder); // by growth
        QCOMPARE(stage.view().answers().model()->index(0, 0).data().toString(), "app!cache");
        emit stage.view().exportWanted(ui::FleetFormat::Csv);
        auto* dialog = stage.window.findChild<QFileDialog*>("exportFleetDialog");
        auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
        name->setText(stage.folder.filePath("grew.csv"));
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_VERIFY(QFile::exists(stage.folder.filePath("grew.csv")));
        QFile file(stage.folder.filePath("grew.csv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto lines = file.readAll().split('\n');
        QVERIFY2(lines[1].startsWith("131072,") && lines[2].startsWith("524288,"), lines[1]);
    }

    /// Alt and a letter opens a menu, so it would not reach anything else.
    void noLetterOfThePageIsOneOfAMenu() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        QSet<QKeySequence> menus;
        for (const auto* action : stage.window.menuBar()->actions())
            menus << QKeySequence::mnemonic(action->text());
        QVERIFY(menus.size() > 5 && !menus.contains(QKeySequence()));
        QSet<QKeySequence> page;
        const auto check = [&](const QString& text) {
            const auto letter = QKeySequence::mnemonic(text);
            if (letter.isEmpty()) return;
            QVERIFY2(!menus.contains(letter), qPrintable(text));
            QVERIFY2(!page.contains(letter), qPrintable(text)); // nor twice
            page << letter;
        };
        for (const auto* label : stage.view().findChildren<QLabel*>())
            if (label->buddy() != nullptr) check(label->text());
        for (const auto* button : stage.view().findChildren<QAbstractButton*>())
            check(button->text());
    }

    void theLeastGrowthIsAskedFor() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        auto* least = stage.view().findChild<QLineEdit*>("fleetLeast");
        QVERIFY(least);
        const auto usual = fleet::usualLeast(fleet::Measure::InuseSpace);
        QCOMPARE(stage.fleet.leastGrowth(), usual);
        least->setText("64 KB");
        QTest::keyClick(least, Qt::Key_Return);
        QVERIFY(stage.waitForAll());
        QCOMPARE(stage.fleet.leastGrowth(), std::int64_t{65536});
        least->setText("many");
        QTest::keyClick(least, Qt::Key_Return);
        QVERIFY2(stage.message().contains("many"), qPrintable(stage.message()));
        QCOMPARE(stage.fleet.countOf("grew"), std::size_t{2}); // not asked
    }

    /// A query that never ends does not keep the program from exiting.
    void theWindowClosesWhileAQuestionRuns() {
        FleetStage stage;
        QVERIFY(stage.open("/a/fleet.sqlite"));
        stage.fleet.hold("grew");
        auto& from = stage.box("fleetFrom");
        from.setFocus();
        QTest::keyClick(&from, Qt::Key_Up);
        QTRY_COMPARE(stage.fleet.countOf("grew 8120"), std::size_t{1});
    }
};

HIGHWATER_TEST(FleetControllerTest);
#include "fleet_controller_test.moc"
