#include "app/window/help_controller.h"
#include "tests/app/main_window_test/window_stage.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/analysis/graph_explorer.h"
#include "ui/view/parts/command_look.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/symbols/allocator_frames_editor.h"
#include "ui/view/table/find_bar.h"
#include "ui/view/window/loss_banner.h"
#include "ui/view/window/start_page.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPalette>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeWidget>
#include <QUrl>

#include <algorithm>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// Object names of everything in the menus.
QStringList menuActions(const QWidget& menu) {
    QStringList names;
    for (const auto* action : menu.actions()) {
        names << action->objectName();
        if (action->menu()) names << menuActions(*action->menu());
    }
    return names;
}

} // namespace

namespace {

/// The actions of this menu: those that share a letter.
QStringList lettersTakenTwice(const QMainWindow& window, const QString& title) {
    QStringList taken;
    for (const auto* menu : window.menuBar()->findChildren<QMenu*>()) {
        if (menu->title() != title) continue;
        QMap<QString, QString> known;
        for (const auto* action : menu->actions()) {
            const auto letter = QKeySequence::mnemonic(action->text()).toString();
            if (letter.isEmpty() || !action->isVisible()) continue;
            if (known.contains(letter)) taken << known[letter] + " / " + action->text();
            known[letter] = action->text();
        }
    }
    return taken;
}

} // namespace

class MainWindowTest : public QObject {
    Q_OBJECT
  private slots:
    /// A letter that two commands share triggers neither of them directly.
    void noLetterOfAMenuIsTakenTwice_data() {
        QTest::addColumn<QString>("menu");
        QTest::newRow("Trace") << "&Trace";
        QTest::newRow("File") << "&File";
    }
    void noLetterOfAMenuIsTakenTwice() {
        QFETCH(QString, menu);
        WindowStage stage;
        QCOMPARE(lettersTakenTwice(stage.window, menu).join('\n'), "");
        QVERIFY(stage.open({path_}));
        QCOMPARE(lettersTakenTwice(stage.window, menu).join('\n'), "");
    }

    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }
    /// Without a trace there is nothing that could be missing.
    void showsLossesOnlyOfATrace() {
        WindowStage stage;
        const auto* losses = stage.window.findChild<QAction*>("lossesAndNotes");
        QVERIFY(!losses->isEnabled());
        QVERIFY(stage.open({path_}));
        QVERIFY(losses->isEnabled());
        stage.window.findChild<QAction*>("startPage")->trigger();
        QVERIFY(!losses->isEnabled());
        stage.window.findChild<QAction*>("startPage")->trigger();
        QVERIFY(losses->isEnabled());
    }
    void lossesAreShownOnlyWithTheTrace() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        const auto* banner = stage.window.findChild<QWidget*>("lossBanner");
        stage.window.findChild<QAction*>("lossesAndNotes")->trigger();
        QVERIFY(banner->isVisible());
        for (const auto* page : {"startPage", "toggleFleet"}) {
            auto* action = stage.window.findChild<QAction*>(page);
            action->trigger();
            QVERIFY2(!banner->isVisible(), page);
            action->trigger();
            QVERIFY2(banner->isVisible(), page);
        }
    }
    void detailsOfLossesBelongToOneTrace() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        auto* banner = stage.window.findChild<QWidget*>("lossBanner");
        QVERIFY(banner && !banner->isVisible());
        stage.window.findChild<QAction*>("lossesAndNotes")->trigger();
        QVERIFY(banner->isVisible());
        QVERIFY(stage.open({path_}));
        QVERIFY(!banner->isVisible());
    }
    void opensTheTypedFile_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("typed");
        const auto deep = folder_.filePath("one/two/three/four");
        const auto path = deep + "/exercise2.etl";
        QVERIFY(QDir().mkpath(deep) && (QFile::exists(path) || QFile::copy(path_, path)));
        QTest::newRow("path of the folder that is shown") << deep << path;
        QTest::newRow("path of another folder") << QDir::rootPath() << path;
        QTest::newRow("name") << deep << "exercise2.etl";
    }
    void opensTheTypedFile() {
        QFETCH(QString, folder);
        QFETCH(QString, typed);
        WindowStage stage;
        QSignalSpy settled(&stage.window, &app::MainWindow::settled);
        stage.window.findChild<QAction*>("openTrace")->trigger();
        auto* dialog = stage.window.findChild<QFileDialog*>();
        QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog));
        dialog->setDirectory(folder);
        auto* list = dialog->findChild<QAbstractItemView*>("listView");
        QTRY_VERIFY(list->model()->rowCount(list->rootIndex()) > 0);
        // On the way to its file, Qt may select the folder of a path, which would be opened instead of the file.
        const auto shown = list->rootIndex();
        list->selectionModel()->select(shown, QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QVERIFY(!list->selectionModel()->isSelected(shown));
        auto* field = dialog->findChild<QLineEdit*>("fileNameEdit");
        field->setFocus();
        field->selectAll();
        for (const auto letter : typed)
            QTest::keyClicks(QApplication::activePopupWidget() ? QApplication::activePopupWidget() : field,
                             QString(letter), {}, 5);
        QTest::qWait(200);
        QTest::keyClick(QApplication::activePopupWidget() ? QApplication::activePopupWidget() : field, Qt::Key_Return);
        QTRY_VERIFY(!settled.isEmpty()); // the dialog is gone with its field
        QVERIFY(stage.window.windowTitle().startsWith("exercise2.etl"));
    }
    void startsWithAPageThatTeaches() {
        QElapsedTimer timer;
        timer.start();
        WindowStage stage;
        QVERIFY(QTest::qWaitForWindowExposed(&stage.window));
        QVERIFY(timer.elapsed() < 1000);
        QVERIFY(stage.window.findChild<ui::StartPage*>()->isVisible());
        QVERIFY(stage.window.findChild<QWidget*>("openChoice")->isVisible());
        QVERIFY(!stage.window.findChild<QWidget*>("recentTraces")->isVisible());
    }
    void opensADroppedFileAndRemembersIt() {
        WindowStage stage;
        QSignalSpy settled(&stage.window, &app::MainWindow::settled);
        QMimeData dropped;
        dropped.setUrls({QUrl::fromLocalFile(path_)});
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&stage.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({50, 50}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&stage.window, &drop);
        QVERIFY(settled.wait(20'000));
        QVERIFY(stage.window.tabs().isVisible());
        QCOMPARE(stage.settings.recentTraces().size(), 1);
        QVERIFY(stage.window.windowTitle().startsWith("exercise2.etl"));
        QVERIFY(!stage.window.findChild<QToolButton*>("cancelLoading")->isVisible());
    }
    void showsThePropertiesOfTheTrace() {
        WindowStage stage;
        auto* action = stage.window.findChild<QAction*>("traceProperties");
        QCOMPARE(ui::keysOf(*action), "Alt+Enter");
        QCOMPARE(action->shortcut().toString(QKeySequence::NativeText), "Alt+Enter"); // in the menu
        action->trigger();
        QCOMPARE(stage.window.findChild<ui::MessageStrip*>("windowMessage")->message(), "No trace is open.");
        QVERIFY(stage.open({path_}));
        action->trigger();
        auto* page = stage.window.findChild<QDialog*>("tracePropertiesPage");
        QVERIFY(page && !page->isModal() && page->windowTitle().contains("exercise2.etl"));
        const auto text = page->findChild<QPlainTextEdit*>("tracePropertiesText")->toPlainText();
        QVERIFY2(text.contains("MemoryTestApp.exe") && text.contains("\nDuration (s) ") && text.contains("\nBuffers  "),
                 qPrintable(text));
        page->findChild<QPushButton*>("tracePropertiesCopy")->click();
        QCOMPARE(QApplication::clipboard()->text(), text);
    }
    void startsWithRequestsMadeBeforeTheTraceIsLoaded() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        app::StartView view;
        view.graph = analysis::Table::Heap;
        view.bottomUp = true;
        view.preset = "no such preset";
        view.range = app::parseSecondsRange("2:10");
        view.selection = app::parseSecondsRange("3:");
        app::applyStartOf(view, stage.window.tabs());
        QCOMPARE(stage.state().graphs().size(), std::size_t{1});
        QCOMPARE(stage.panel().graph().table(), analysis::Table::Heap);
        QCOMPARE(stage.state().visibleRange(), (TimeRange{TraceTime{2'000'000'000}, TraceTime{10'000'000'000}}));
        QVERIFY(!view.graph && view.isGraphShown && !view.range);
        QVERIFY(view.selection && !view.preset.isEmpty() && view.bottomUp); // these wait for the end
        view.range = app::parseSecondsRange("2:9999");
        app::applyStartOf(view, stage.window.tabs());
        QVERIFY(view.range && stage.state().visibleRange().end.ns == 10'000'000'000); // has not arrived yet
    }
    void staysAsLargeAsItWasMade() {
        WindowStage stage;
        const QSize small(1000, 700);
        stage.window.resize(small);
        QVERIFY(stage.open({path_}));
        QCOMPARE(stage.window.size(), small);
        stage.state().select({TraceTime{16'000'000'000}, TraceTime{18'000'000'000}});
        QVERIFY(stage.wait());
        stage.window.tabs().current().showGraph(analysis::Table::Heap);
        QVERIFY(stage.wait());
        stage.window.tabs().current().showGraph(analysis::Table::Frees);
        QVERIFY(stage.wait());
        QCOMPARE(stage.window.size(), small);
        // All three are reachable, and none is squeezed.
        const auto* scroll = stage.window.findChild<QScrollArea*>("graphScroll");
        QVERIFY(scroll->widget()->height() > scroll->viewport()->height());
        QCOMPARE(scroll->verticalScrollBar()->maximum(), scroll->widget()->height() - scroll->viewport()->height());
        const auto bottom = [&] {
            auto& panel = stage.panel();
            return panel.mapTo(scroll->viewport(), QPoint(0, panel.height())).y();
        };
        QTRY_VERIFY(bottom() <= scroll->viewport()->height()); // the one added last is on screen
        stage.window.findChild<QAction*>("lossesAndNotes")->trigger();
        stage.window.findChild<QAction*>("toggleModules")->trigger();
        stage.window.findChild<QAction*>("toggleDiagnosticConsole")->trigger();
        stage.window.findChild<ui::MessageStrip*>("windowMessage")
            ->showMessage(QStringLiteral("A sentence that goes on. ").repeated(20), ui::MessageStrip::Tone::Warning);
        QVERIFY(stage.wait());
        QTest::qWait(50);
        QCOMPARE(stage.window.size(), small);
        QVERIFY2(stage.window.minimumSizeHint().width() <= small.width() &&
                     stage.window.minimumSizeHint().height() <= small.height(),
                 qPrintable(QStringLiteral("%1x%2")
                                .arg(stage.window.minimumSizeHint().width())
                                .arg(stage.window.minimumSizeHint().height())));
    }
    /// The screen in these tests is 800x800. The previous screen may have been larger.
    void isNotLargerThanTheScreen() {
        WindowStage stage;
        const auto room = stage.window.screen()->availableGeometry();
        QVERIFY(stage.window.width() > room.width());
        stage.window.move(room.topLeft() + QPoint(300, 300));
        stage.window.close();
        app::MainWindow again(stage.settings);
        again.fitOnScreen();
        QVERIFY(room.contains(again.geometry()));
        const QTemporaryDir folder;
        app::ApplicationSettings none(folder.filePath("settings.ini"));
        app::MainWindow first(none);
        first.fitOnScreen();
        QVERIFY(first.width() <= room.width() && first.height() < room.height());
    }
    void eachPageComesBeforeTheOthers() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        const auto pages = stage.window.findChildren<QAction*>(QRegularExpression(
            "^toggle(Leaks|Generations|Histogram|Callers|Heaps|AddressMap|Compare|Modules|DiagnosticConsole)$"));
        QVERIFY(pages.size() >= 9);
        auto* leaks = stage.window.findChild<QAction*>("toggleLeaks");
        for (auto* page : pages) {
            if (page == leaks) continue;
            if (!leaks->isChecked()) leaks->trigger();
            stage.window.findChild<QDockWidget*>("leaksDock")->raise();
            QTest::qWait(1);
            if (page->isChecked()) page->trigger(); // hides it if it was in front, raises it otherwise
            if (page->isChecked()) page->trigger();
            QVERIFY2(!page->isChecked(), qPrintable(page->objectName()));
            page->trigger();
            QTest::qWait(1);
            const auto docks = stage.window.findChildren<QDockWidget*>();
            const auto dock = std::find_if(docks.begin(), docks.end(),
                                           [&](const auto* one) { return one->toggleViewAction() == page; });
            QVERIFY2(dock != docks.end() && !(*dock)->widget()->visibleRegion().isEmpty(),
                     qPrintable(page->objectName()));
        }
    }
    void goesToTheStartPageAndBack() {
        WindowStage stage;
        auto* start = stage.window.findChild<ui::StartPage*>();
        auto* toStart = stage.window.findChild<QAction*>("startPage");
        QVERIFY(!toStart->isEnabled()); // it is there
        auto* back = start->findChild<QPushButton*>("backToTrace");
        QVERIFY(!back->isVisible());
        QVERIFY(stage.open({path_}));
        QVERIFY(stage.zoom(16.0, 18.0));
        stage.window.tabs().current().showGraph(analysis::Table::Heap);
        stage.window.findChild<QAction*>("toggleLeaks")->trigger();
        QVERIFY(stage.wait());
        const auto zoomed = stage.state().visibleRange();
        stage.window.activateWindow(); // without a window manager nothing else does this
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        QTest::keyClick(&stage.window, Qt::Key_0, Qt::ControlModifier);
        QVERIFY(start->isVisible() && back->isVisible() && back->hasFocus());
        for (const auto* dock : stage.window.findChildren<QDockWidget*>())
            QVERIFY2(!dock->isVisible(), qPrintable(dock->objectName()));
        QTest::mouseClick(back, Qt::LeftButton);
        QVERIFY(!start->isVisible() && stage.window.tabs().isVisible());
        QVERIFY(stage.window.findChild<QDockWidget*>("leaksDock")->isVisible());
        QVERIFY(stage.window.findChild<QDockWidget*>("graphExplorer")->isVisible());
        QVERIFY(stage.wait());
        QVERIFY(stage.state().visibleRange() == zoomed);
        QCOMPARE(stage.state().graphs().size(), std::size_t{2});
        toStart->trigger();
        toStart->trigger(); // the same key goes back
        QVERIFY(!start->isVisible());
        // If a trace cannot be opened, the open one stays.
        toStart->trigger();
        QSignalSpy failed(&stage.window, &app::MainWindow::openFailed);
        stage.window.openTrace({"/nowhere/at/all.etl"});
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(start->isVisible() && back->isVisible());
        QTest::mouseClick(back, Qt::LeftButton);
        QVERIFY(stage.state().visibleRange() == zoomed);
        // Opening the same trace again is like opening it for the first time.
        toStart->trigger();
        QSignalSpy settled(&stage.window, &app::MainWindow::settled);
        emit start->recentWanted({path_});
        QTRY_VERIFY_WITH_TIMEOUT(!settled.isEmpty(), 20'000);
        QVERIFY(stage.window.tabs().isVisible() && !stage.state().isZoomed());
    }
    void scrollsToTheGraphThatAPageIsAbout() {
        WindowStage stage;
        stage.window.resize(1000, 700);
        QVERIFY(stage.open({path_}));
        auto& view = stage.window.tabs().current();
        view.showGraph(analysis::Table::Frees);
        view.showGraph(analysis::Table::Heap);
        QVERIFY(stage.wait());
        auto* scroll = stage.window.findChild<QScrollArea*>("graphScroll");
        auto& bar = *scroll->verticalScrollBar();
        QVERIFY(bar.maximum() > 0);
        QCursor::setPos(stage.window.mapToGlobal(QPoint(400, 5))); // in the menu bar
        const auto isOnScreen = [&] {
            const auto& panel = stage.panel();
            const int top = panel.mapTo(scroll->viewport(), QPoint()).y();
            const int room = scroll->viewport()->height();
            return top >= 0 && (top == 0 || top + panel.height() <= room);
        };
        QTRY_VERIFY(isOnScreen());
        for (const auto* page : {"toggleLeaks", "toggleGenerations", "toggleHistogram", "toggleCallers", "toggleHeaps",
                                 "toggleHeldBy", "toggleAddressMap", "toggleCompare"}) {
            bar.setValue(0);
            QVERIFY2(!isOnScreen(), page);
            stage.window.findChild<QAction*>(page)->trigger();
            QTRY_VERIFY2(isOnScreen(), page);
            QCOMPARE(stage.panel().graph().table(), analysis::Table::Heap);
        }
        // Whatever action on the graph, from anywhere.
        bar.setValue(0);
        stage.panel().graph().setChart(ui::ChartType::StackedArea);
        QTRY_VERIFY(isOnScreen());
        bar.setValue(0);
        stage.panel().graph().paintRows({{{analysis::Column::Process, 1}}});
        QTRY_VERIFY(isOnScreen());
        bar.setValue(0);
        stage.window.findChild<QAction*>("find")->trigger();
        QTRY_VERIFY(isOnScreen());
    }
    /// Its comparison is not saved.
    void anEmptyComparePageDoesNotComeBack() {
        WindowStage stage;
        const auto isShown = [](app::MainWindow& window, const char* dock) {
            return !window.findChild<QDockWidget*>(dock)->isHidden();
        };
        QVERIFY(stage.open({path_}));
        stage.window.findChild<QAction*>("toggleCompare")->trigger();
        stage.window.findChild<QAction*>("toggleLeaks")->trigger();
        QVERIFY(isShown(stage.window, "compareDock") && isShown(stage.window, "leaksDock"));
        QVERIFY(stage.window.close());
        app::MainWindow next(stage.settings);
        next.show();
        QSignalSpy settled(&next, &app::MainWindow::settled);
        next.openTrace({path_});
        QTRY_VERIFY_WITH_TIMEOUT(!settled.isEmpty(), 20'000);
        QVERIFY(isShown(next, "leaksDock"));
        QVERIFY(!isShown(next, "compareDock"));
        next.findChild<QAction*>("toggleCompare")->trigger();
        QVERIFY(isShown(next, "compareDock"));
    }
    void staysUnderTheHandThatActsOnAGraph() {
        WindowStage stage;
        stage.window.resize(1000, 700);
        QVERIFY(stage.open({path_}));
        auto& view = stage.window.tabs().current();
        view.showGraph(analysis::Table::Heap);
        view.showGraph(analysis::Table::Frees);
        view.showGraph(analysis::Table::VirtualAlloc);
        QVERIFY(stage.wait());
        auto* scroll = stage.window.findChild<QScrollArea*>("graphScroll");
        auto& bar = *scroll->verticalScrollBar();
        bar.setValue(30); // the top of the first graph is scrolled out of view
        QCursor::setPos(stage.panel().table().mapToGlobal(QPoint(50, 50)));
        stage.panel().graph().paintRows({{{analysis::Column::Process, 1}}});
        QTest::qWait(50);
        QCOMPARE(bar.value(), 30);
    }
    void takesAFileDroppedOnAnAnalysis() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        QSignalSpy settled(&stage.window, &app::MainWindow::settled);
        QMimeData dropped;
        dropped.setUrls({QUrl::fromLocalFile(path_)});
        auto& view = stage.window.tabs().current();
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&view, &enter);
        QVERIFY(enter.isAccepted()); // by the window around it
    }
    void opensARecentTrace() {
        WindowStage first;
        QVERIFY(first.open({path_}));
        app::MainWindow window(first.settings);
        window.show();
        QSignalSpy settled(&window, &app::MainWindow::settled);
        auto* recent = window.findChild<QTreeWidget*>("recentTraces");
        QCOMPARE(recent->topLevelItemCount(), 1);
        emit recent->itemActivated(recent->topLevelItem(0), 0);
        QVERIFY(settled.wait(20'000));
    }
    void keepsTheOutlineOfOpenedTraces() {
        WindowStage first;
        QVERIFY(first.open({path_}));
        const auto outline = first.settings.recentTraces().first().outline;
        QCOMPARE(outline.size(), app::OutlineStore::kSlices);
        // The commits of all programs: zero at the start, the highest in the second half.
        QCOMPARE(outline.first(), 0);
        QVERIFY(std::max_element(outline.begin(), outline.end()) - outline.begin() > outline.size() / 2);
        app::MainWindow window(first.settings);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* recent = window.findChild<QTreeWidget*>("recentTraces");
        recent->setFocus();
        recent->setCurrentItem(recent->topLevelItem(0));
        QTest::keyClick(recent, Qt::Key_Delete);
        QVERIFY(first.settings.recentTraces().isEmpty() && !recent->isVisible());
        QVERIFY(QFile::exists(path_)); // the trace itself remains
    }
    void showsWhyATraceCannotBeOpened() {
        WindowStage stage;
        QSignalSpy failed(&stage.window, &app::MainWindow::openFailed);
        stage.window.openTrace({folder_.filePath("missing.etl")});
        QVERIFY(failed.wait(20'000));
        auto* message = stage.window.findChild<ui::MessageStrip*>("windowMessage");
        QVERIFY(message->isVisible() && !message->message().isEmpty());
        QVERIFY(!QApplication::activeModalWidget());
        QVERIFY(stage.open({path_})); // and the next one opens
        QVERIFY(!message->isVisible());
    }
    void opensAnotherTraceAfterTheFirst() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        QVERIFY(stage.zoom(5.0, 6.0));
        QVERIFY(stage.open({path_}));
        QVERIFY(!stage.state().isZoomed());
        QVERIFY(stage.panel().model().rowCount() > 0);
    }
    void showsABannerForALossyTrace() {
        const auto lossy = folder_.filePath("lossy.etl");
        fixtures::TraceShape shape;
        shape.dropBuffer = 3;
        QVERIFY(fixtures::exercise2Trace(shape).writeTo(lossy.toStdString()).hasValue());
        WindowStage stage;
        QVERIFY(stage.open({lossy}));
        auto* banner = stage.window.findChild<ui::LossBanner*>();
        QVERIFY(banner->isVisible());
        QVERIFY(banner->headline().contains("too low or too high"));
        QVERIFY(!banner->details().isEmpty());
        const auto* headline = banner->findChild<QLabel*>("lossHeadline");
        QVERIFY2(headline->text().startsWith("Parts of this trace are missing."), qPrintable(headline->text()));
        // A file that cannot be opened has nothing to do with these losses.
        const auto junk = folder_.filePath("junk.etl");
        QFile file(junk);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(100'000, 'x')) > 0);
        file.close();
        stage.window.openTrace({junk});
        const auto* message = stage.window.findChild<ui::MessageStrip*>("windowMessage");
        QTRY_VERIFY2(message->isVisible() && message->message().endsWith("lossy.etl is still open."),
                     qPrintable(message->message()));
        QVERIFY2(headline->text().startsWith("lossy.etl: "), qPrintable(headline->text()));
        QVERIFY(stage.open({lossy}));
        QVERIFY2(!headline->text().contains("lossy.etl"), qPrintable(headline->text()));
    }
    void fitsASmallWindowInLightAndDark() {
        WindowStage stage;
        stage.window.resize(1000, 700);
        QVERIFY(stage.open({path_}));
        QCOMPARE(stage.window.size(), QSize(1000, 700));
        const auto light = QApplication::palette();
        QPalette dark(QColor(40, 40, 40));
        dark.setColor(QPalette::Base, QColor(25, 25, 25));
        QApplication::setPalette(dark);
        const auto corner = [&] { return stage.panel().timeline().grab().toImage().pixelColor(3, 3); };
        QTRY_VERIFY(corner().lightness() < 80);
        QApplication::setPalette(light);
    }
    void hasAKeyOrAPlaceInTheMenuForEverything() {
        WindowStage stage;
        QStringList titles;
        for (const auto* action : stage.window.menuBar()->actions()) {
            titles << QString(action->text()).remove('&');
        }
        QCOMPARE(titles, (QStringList{"File", "Record", "Trace", "View", "Table", "Profiles", "Help"}));
        const auto offered = menuActions(*stage.window.menuBar());
        for (const auto* name : {"openTrace",       "quit",           "processExitFreesHeap",
                                 "allocatorFrames", "lossesAndNotes", "toggleGraphExplorer",
                                 "zoomToSelection", "unzoom",         "showAll",
                                 "newTab",          "closeTab",       "renameTab",
                                 "theme-dark",      "filterTo",       "filterOut",
                                 "undoFilter",      "hotPath",        "find",
                                 "findNext",        "findPrevious",   "keys",
                                 "record",          "stopRecording",  "saveRecording",
                                 "replayFull",      "annotate",       "annotations"}) {
            QVERIFY2(offered.contains(name), name);
        }
        QVERIFY(offered.contains("toggleDiagnosticConsole") && offered.contains("copyDiagnostics"));
    }
    void listsTheKeysThatActionsHave() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        QTest::keyClick(&stage.window, Qt::Key_F1);
        auto* page = stage.window.findChild<QTextBrowser*>("keysPageText");
        QVERIFY(page && page->isVisible() && !QApplication::activeModalWidget());
        const auto text = page->toPlainText();
        for (const auto* words : {"Ctrl+G", "Graph Explorer", "Ctrl+T", "Alt+Left", "Home", "Expand Hot Path"}) {
            QVERIFY2(text.contains(words), words);
        }
        // A changed shortcut of an action is also changed on the page.
        stage.window.findChild<QAction*>("newTab")->setShortcut(QKeySequence("Ctrl+Y"));
        const auto again = app::keysPage(*stage.window.menuBar());
        QVERIFY(again.contains("Ctrl+Y") && !again.contains("Ctrl+T<"));
    }
    void findsInTheTableByKeysThatWorkInTheWholeWindow() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        stage.window.explorer().setFocus();
        QTest::keyClick(&stage.window.explorer(), Qt::Key_F, Qt::ControlModifier);
        auto& bar = stage.panel().findBar();
        auto* field = bar.findChild<QLineEdit*>("findText");
        QVERIFY(bar.isVisible() && field->hasFocus());
        QTest::keyClicks(field, "[Impacting Type]:=Transient");
        if (auto* names = QApplication::activePopupWidget()) names->hide();
        QTest::keyClick(field, Qt::Key_Return);
        auto& table = stage.panel().table();
        QTRY_COMPARE(stage.panel().model().keyText(table.currentIndex()), "Transient");
        // In another tab the keys act on its graph.
        stage.window.tabs().addAnalysis();
        QVERIFY(stage.wait());
        QVERIFY(!stage.panel().findBar().isVisible());
        QTest::keyClick(&stage.window, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(stage.panel().findBar().isVisible());
    }
    void showsTheGraphExplorerWithTheFirstTrace() {
        WindowStage stage;
        auto* dock = stage.window.findChild<QDockWidget*>("graphExplorer");
        QVERIFY(!dock->isVisible());
        QVERIFY(stage.open({path_}));
        QVERIFY(dock->isVisible());
        QVERIFY(!stage.window.explorer().thumbnail(analysis::Table::Heap).isEmpty());
        auto& list = stage.window.explorer();
        const auto heap = list.visualItemRect(list.topLevelItem(0)->child(1)).center();
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, heap);
        QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, heap);
        QVERIFY(stage.wait());
        QCOMPARE(stage.state().graphs().size(), std::size_t{2});
        QCOMPARE(stage.panel().graph().table(), analysis::Table::Heap);
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        QTest::keyClick(&stage.window, Qt::Key_G, Qt::ControlModifier);
        QVERIFY(!dock->isVisible());
        QTest::keyClick(&stage.window, Qt::Key_T, Qt::ControlModifier);
        QCOMPARE(stage.window.tabs().count(), 2);
        QTest::keyClick(&stage.window, Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(stage.window.tabs().count(), 1);
    }
    void paintsTheHighlightIntoTheThumbnails() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        stage.state().select({TraceTime{1'000'000'000}, TraceTime{2'000'000'000}});
        stage.state().highlightSelection();
        QVERIFY(stage.window.explorer().thumbnail(analysis::Table::Heap).highlight == stage.state().highlight());
        stage.state().clearHighlight();
        QVERIFY(!stage.window.explorer().thumbnail(analysis::Table::Heap).highlight);
    }
    void countsBlocksOfEndedProcessesAsFreedOnRequest() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        QVERIFY(stage.showOnly(analysis::Table::Heap));
        const QStringList process{"MemoryTestApp.exe (4242)"};
        QCOMPARE(stage.cell(process, analysis::Column::ImpactingSize), "140.0 KB");
        stage.window.findChild<QAction*>("processExitFreesHeap")->trigger();
        QVERIFY(stage.wait());
        QCOMPARE(stage.cell(process, analysis::Column::ImpactingSize), "0 B");
        stage.window.findChild<QAction*>("newTab")->trigger();
        QVERIFY(stage.wait());
        QVERIFY(stage.state().options().processExitFreesHeap);
        app::MainWindow next(stage.settings); // and after a restart
        QVERIFY(next.tabs().options().processExitFreesHeap);
    }
    void takesTheUsersListOfAllocatorFrames() {
        WindowStage stage;
        stage.window.findChild<QAction*>("allocatorFrames")->trigger();
        auto* editor = stage.window.findChild<ui::AllocatorFramesEditor*>();
        QVERIFY(editor && editor->isVisible() && !QApplication::activeModalWidget());
        QVERIFY(editor->text().contains("ntdll.dll!Rtl")); // initially the built-in list
        emit editor->applied("mine.dll!*");
        QVERIFY(stage.window.tabs().options().allocatorFrames->matches("mine.dll!f"));
        app::MainWindow next(stage.settings);
        QVERIFY(next.tabs().options().allocatorFrames->matches("mine.dll!f"));
        const auto builtIn = analysis::AllocatorFrames::builtInText();
        emit editor->applied(QString::fromUtf8(builtIn.data(), qsizetype(builtIn.size())));
        QVERIFY(!stage.settings.allocatorFrames());
    }
    void remembersTheLabelsOfTheUser() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        auto& graph = stage.panel().graph();
        auto layout = graph.layout();
        layout.annotations.push_back(analysis::makeAnnotation(layout.table, "<b>large</b>", "Size:>1MB").value());
        graph.setLayout(layout);
        stage.window.findChild<QAction*>("newTab")->trigger();
        QVERIFY(stage.wait());
        QVERIFY(stage.panel().graph().layout().annotations == layout.annotations);
        app::MainWindow next(stage.settings); // and after a restart
        QVERIFY(next.tabs().graphs().front()->layout().annotations == layout.annotations);
        // Whatever preset is selected then.
        ui::usePreset(*next.tabs().graphs().front(), ui::standardPresets(layout.table).back());
        QVERIFY(next.tabs().graphs().front()->layout().annotations == layout.annotations);
    }
    void remembersOwnPresetsAndTheOneUsedLast() {
        WindowStage stage;
        auto own = ui::standardPresets(analysis::Table::VirtualAlloc).back();
        own.name = "Mine";
        stage.window.tabs().presets().save(own);
        stage.window.tabs().presets().setPreferred(analysis::Table::VirtualAlloc, "Mine");
        WindowStage other;
        app::MainWindow next(stage.settings);
        QCOMPARE(next.tabs().currentPanel()->graph().presetName(), "Mine");
        QVERIFY(next.tabs().currentPanel()->graph().layout().looksLike(own.layout));
        QVERIFY(!other.window.tabs().presets().find(analysis::Table::VirtualAlloc, "Mine"));
    }
    void changesItsThemeWhileItRuns() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        const auto corner = [&] { return stage.panel().timeline().grab().toImage().pixelColor(3, 3).lightness(); };
        stage.window.findChild<QAction*>("theme-dark")->trigger();
        QTRY_VERIFY(corner() < 80);
        QCOMPARE(stage.settings.theme(), app::Theme::Dark);
        stage.window.findChild<QAction*>("theme-light")->trigger();
        QTRY_VERIFY(corner() > 170);
        stage.window.findChild<QAction*>("theme-system")->trigger();
        QCOMPARE(stage.settings.theme(), app::Theme::System);
    }
    void opensATraceAtTheViewOfTheCommandLine_data() {
        QTest::addColumn<QString>("process");
        for (const auto* process :
             {"memorytestapp.EXE", "4242", "MemoryTestApp.exe (4242)", "memorytestapp.exe (4242)"})
            QTest::newRow(process) << process;
    }
    void opensATraceAtTheViewOfTheCommandLine() {
        QFETCH(QString, process);
        WindowStage stage;
        app::StartView view;
        view.graph = analysis::Table::Heap;
        view.preset = "Outstanding Size by Process and Handle";
        view.process = process;
        view.range = app::SecondsRange{12.0, 22.0};
        view.selection = app::SecondsRange{13.0, {}};
        view.bottomUp = true;
        view.opensHotPath = true;
        stage.window.setStartView(view);
        QVERIFY(stage.open({path_}));
        QCOMPARE(stage.state().graphs().size(), std::size_t{1});
        QCOMPARE(stage.panel().graph().table(), analysis::Table::Heap);
        QCOMPARE(stage.panel().graph().presetName(), "Outstanding Size by Process and Handle");
        QVERIFY(stage.panel().graph().layout().isBottomUp());
        QCOMPARE(stage.panel().graph().filterSteps().front().text, "Process = MemoryTestApp.exe (4242)");
        QCOMPARE(stage.panel().model().rowCount(), 1);
        QCOMPARE(stage.state().visibleRange().start.ns, 12'000'000'000);
        QCOMPARE(stage.state().selection()->end.ns, 22'000'000'000);
        const auto leaf = stage.panel().table().currentIndex();
        QVERIFY(leaf.parent().parent().isValid()); // below process and heap
        QVERIFY(stage.panel().model().isLeaf(leaf) && !stage.panel().table().isExpanded(leaf));
        QVERIFY(stage.open({path_})); // the next trace starts with the default
        QVERIFY(!stage.state().isZoomed());
    }
    void listsThePresets() {
        WindowStage stage;
        app::StartView view;
        view.preset = "Nonsense";
        stage.window.setStartView(view);
        QSignalSpy failed(&stage.window, &app::MainWindow::openFailed);
        QVERIFY(stage.open({path_}));
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.first().first().toString().contains("AIFO by Stack"));
    }
    void namesEverythingThatTakesTheFocus() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        for (const auto* widget : stage.window.findChildren<QWidget*>()) {
            const bool isOwn = !widget->objectName().startsWith("qt_");
            const bool isButton =
                qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QComboBox*>(widget);
            if (!isOwn || !isButton || !widget->isVisible() || widget->focusPolicy() == Qt::NoFocus) continue;
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const auto text = button ? button->text() : QString();
            QVERIFY2(!widget->accessibleName().isEmpty() || text.size() > 1, qPrintable(widget->objectName()));
        }
    }

  private:
    QTemporaryDir folder_;
    QString path_;
    void bringsBackAPresetThatWasDeleted() {
        WindowStage stage;
        auto& presets = stage.window.tabs().presets();
        ui::Preset own = ui::standardPresets(analysis::Table::Heap).front();
        own.name = "Mine";
        QVERIFY(presets.save(own));
        presets.remove(analysis::Table::Heap, "Mine");
        auto* strip = stage.window.findChild<ui::MessageStrip*>("windowMessage");
        QVERIFY2(strip->message().contains("Mine is deleted"), qPrintable(strip->message()));
        QVERIFY(!stage.settings.presets().contains("Mine"));
        emit strip->findChild<QLabel*>("messageText")->linkActivated("#");
        QVERIFY(presets.isOwn(analysis::Table::Heap, "Mine"));
        QVERIFY(stage.settings.presets().contains("Mine"));
        QVERIFY(!strip->isVisible());
    }
};
HIGHWATER_TEST(MainWindowTest);
#include "main_window_test.moc"
