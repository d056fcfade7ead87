#include "tests/app/main_window_test/window_stage.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/table/find_bar.h"
#include "ui/view/window/command_bar.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QToolBar>
#include <QToolButton>

using namespace highwater;
using namespace highwater::tests;
using Command = ui::CommandBar::Command;

namespace {

struct ToolBarStage : WindowStage {
    WindowUser user{*this};

    ui::CommandBar& bar() { return *window.findChild<ui::CommandBar*>(); }
    QToolButton& button(Command command) { return bar().button(command); }
    bool click(Command command) {
        if (!button(command).isEnabled()) return false;
        QTest::mouseClick(&button(command), Qt::LeftButton);
        return wait();
    }
    bool activate() {
        window.activateWindow(); // without a window manager nothing else does this
        return QTest::qWaitForWindowActive(&window);
    }
    double seconds() {
        const auto range = state().visibleRange();
        return static_cast<double>(range.end.ns - range.start.ns) / 1e9;
    }
};

} // namespace

/// The main toolbar, by mouse.
class ToolBarControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }
    void everyButtonIsAnActionOfAMenu() {
        ToolBarStage stage;
        QVERIFY(stage.open({path_}));
        QList<QAction*> inMenus;
        for (const auto* menu : stage.window.menuBar()->findChildren<QMenu*>())
            inMenus += menu->actions();
        for (const auto* top : stage.window.menuBar()->actions())
            if (top->menu()) inMenus += top->menu()->actions();
        for (int i = 0; i <= static_cast<int>(Command::Symbols); ++i) {
            auto* action = stage.button(static_cast<Command>(i)).defaultAction();
            QVERIFY(action && inMenus.contains(action));
            QVERIFY(!action->icon().isNull() && !action->toolTip().isEmpty());
            for (const auto& key : action->shortcuts())
                QVERIFY(action->toolTip().contains(key.toString(QKeySequence::NativeText)));
        }
    }
    void opensAndClosesTheLeaks() {
        ToolBarStage stage;
        QVERIFY(stage.open({path_}));
        const auto& leaks = *stage.window.findChild<QDockWidget*>("leaksDock");
        QVERIFY(!leaks.isVisible());
        QVERIFY(stage.click(Command::Leaks));
        QVERIFY(leaks.isVisible() && stage.button(Command::Leaks).isChecked());
        QVERIFY(stage.click(Command::Leaks));
        QVERIFY(!leaks.isVisible());
    }
    void zoomsGoesBackAndForwardAndShowsAll() {
        ToolBarStage stage;
        QVERIFY(stage.open({path_}));
        const auto whole = stage.seconds();
        for (const auto command : {Command::Back, Command::Forward, Command::Zoom, Command::WholeTrace})
            QVERIFY(!stage.button(command).isEnabled());
        QVERIFY(stage.user.dragTimeline(16, 18));
        QVERIFY(stage.click(Command::Zoom));
        QVERIFY(qAbs(stage.seconds() - 2) < 0.2);
        QVERIFY(stage.click(Command::Back));
        QCOMPARE(stage.seconds(), whole);
        QVERIFY(stage.click(Command::Forward));
        QVERIFY(stage.seconds() < 3);
        QVERIFY(stage.click(Command::WholeTrace));
        QCOMPARE(stage.seconds(), whole);
    }
    void filtersFindsAndTurnsTheTable() {
        ToolBarStage stage;
        QVERIFY(stage.open({path_}));
        QVERIFY(stage.user.clickRow({kProcess}));
        QVERIFY(stage.click(Command::Filter));
        QCOMPARE(stage.user.chips().size(), 1);
        QVERIFY(stage.click(Command::Back));
        QVERIFY(stage.user.chips().isEmpty());
        QVERIFY(stage.user.clickRow({kProcess}));
        QVERIFY(stage.click(Command::FilterOut));
        QVERIFY(!stage.children({}).contains(kProcess));
        QVERIFY(!stage.button(Command::BottomUp).isChecked());
        QVERIFY(stage.click(Command::BottomUp));
        QVERIFY(stage.button(Command::BottomUp).isChecked());
        QVERIFY(stage.panel().graph().layout().isBottomUp());
        QVERIFY(stage.click(Command::Find));
        QVERIFY(stage.panel().findBar().isVisible());
    }
    void isAboutTheCurrentGraph() {
        ToolBarStage stage;
        QVERIFY(stage.open({path_}));
        QVERIFY(stage.click(Command::BottomUp));
        auto& first = stage.panel().graph();
        stage.window.tabs().current().showGraph(analysis::Table::Heap);
        QVERIFY(stage.wait());
        QVERIFY(!stage.button(Command::BottomUp).isChecked());
        stage.window.findChild<QAction*>("newTab")->trigger();
        QVERIFY(stage.wait());
        QVERIFY(stage.zoom(3, 9));
        QVERIFY(stage.click(Command::Back));
        QVERIFY(first.layout().isBottomUp());
        while (!stage.state().graphs().empty())
            stage.state().removeGraph(*stage.state().graphs().front());
        QVERIFY(!stage.button(Command::Filter).isEnabled() && !stage.button(Command::BottomUp).isEnabled());
        stage.window.tabs().setCurrentIndex(0);
        QVERIFY(stage.button(Command::BottomUp).isEnabled());
    }
    void opensATraceFromTheStartPage() {
        ToolBarStage stage;
        QVERIFY(!stage.button(Command::Find).isVisible());
        QTest::mouseClick(&stage.button(Command::Open), Qt::LeftButton);
        auto* dialog = stage.window.findChild<QFileDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        dialog->close();
    }
    void fitsASmallWindowInOneLine() {
        ToolBarStage stage;
        QVERIFY(stage.open({path_}));
        stage.window.resize(1000, 700);
        QTRY_COMPARE(stage.window.width(), 1000);
        const auto isInside = [&](Command command) {
            auto& button = stage.button(command);
            return button.isVisible() && button.width() >= button.sizeHint().width() &&
                   stage.bar().rect().contains(QRect(button.mapTo(&stage.bar(), QPoint()), button.size()));
        };
        for (int i = 0; i <= static_cast<int>(Command::Symbols); ++i)
            QTRY_VERIFY(isInside(static_cast<Command>(i)));
        for (const auto* bar : stage.window.findChildren<QToolBar*>())
            QVERIFY(bar == &stage.bar() || !bar->isVisible()); // nothing is recorded
    }
    void canBeHiddenAndStaysSo() {
        ToolBarStage stage;
        QVERIFY(stage.open({path_}));
        QVERIFY(stage.bar().isVisible() && stage.activate());
        QVERIFY(stage.user.chooseInMenuBar("View", "Toolbar"));
        QVERIFY(!stage.bar().isVisible() && !stage.settings.showsToolBar());
        stage.window.close();
        app::MainWindow next(stage.settings);
        next.show();
        auto* bar = next.findChild<ui::CommandBar*>();
        QVERIFY(!bar->isVisible());
        QSignalSpy settled(&next, &app::MainWindow::settled);
        next.openTrace({path_}); // which restores the layout of the window
        QTRY_VERIFY(!settled.isEmpty());
        QVERIFY(!bar->isVisible());
        next.findChild<QAction*>("toggleToolBar")->trigger();
        QVERIFY(bar->isVisible() && stage.settings.showsToolBar());
    }
};
HIGHWATER_TEST(ToolBarControllerTest);
#include "tool_bar_controller_test.moc"
