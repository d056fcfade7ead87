#include "tests/app/main_window_test/window_stage.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/loss_banner.h"
#include "ui/view/message_strip.h"
#include "ui/view/start_page.h"

#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QMenuBar>
#include <QMimeData>
#include <QPalette>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QUrl>

using namespace highwater;
using namespace highwater::tests;

class MainWindowTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
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
    void saysInTheWindowWhyATraceCannotBeOpened() {
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
        QVERIFY(banner->headline().contains("bounds"));
        QVERIFY(!banner->details().isEmpty());
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
        QCOMPARE(titles, (QStringList{"File", "View", "Table", "Help"}));
        for (const auto* name :
             {"zoomToSelection", "unzoom", "showAll", "filterTo", "filterOut", "undoFilter", "hotPath"}) {
            QVERIFY2(stage.window.findChild<QAction*>(name), name);
        }
    }

  private:
    QTemporaryDir folder_;
    QString path_;
};
HIGHWATER_TEST(MainWindowTest);
#include "main_window_test.moc"
