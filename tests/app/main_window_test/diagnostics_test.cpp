#include "app/window/diagnostics_text.h"
#include "core/log/log.h"
#include "core/log/log_session.h"
#include "tests/app/main_window_test/window_stage.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/console/diagnostic_console.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QTreeView>

using namespace highwater;
using namespace highwater::tests;

/// The Diagnostic Console in the window, and Copy Diagnostics.
class DiagnosticsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString lossyTrace() const {
        const auto path = folder_.filePath("lossy.etl");
        const fixtures::TraceShape shape{.bufferBytes = 16384, .processors = 4, .shuffleSeed = 5, .dropBuffer = 40};
        return fixtures::exercise2Trace(shape).writeTo(path.toStdString()).hasValue() ? path : QString();
    }
    static QDockWidget& dockOf(WindowStage& stage) { return *stage.window.findChild<QDockWidget*>("diagnosticDock"); }
    static void trigger(WindowStage& stage, const char* action) {
        stage.window.findChild<QAction*>(QLatin1String(action))->trigger();
    }
    static QString linesOf(WindowStage& stage) {
        return stage.window.findChild<ui::DiagnosticConsole*>()->newestLines(10'000).join('\n');
    }

  private slots:
    void isHiddenUntilItsKeyIsPressed() {
        const LogSession session({});
        WindowStage stage;
        QVERIFY(!dockOf(stage).isVisible());
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        QTest::keyClick(&stage.window, Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(dockOf(stage).isVisible());
        QCOMPARE(QApplication::focusWidget()->objectName(), "logLines");
        QTest::keyClick(&stage.window, Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(!dockOf(stage).isVisible());
    }
    void logsTheLossesOfTheBanner() {
        const LogSession session({});
        WindowStage stage;
        trigger(stage, "toggleDiagnosticConsole");
        QVERIFY(stage.open({lossyTrace()}));
        QVERIFY(dockOf(stage).isVisible()); // it was requested before there was a trace
        const auto lines = linesOf(stage);
        QVERIFY2(lines.contains("info\topen\tRead " + lossyTrace()), qPrintable(lines));
        const auto& health = stage.panel().planner().trace()->health;
        int losses = 0;
        for (const auto& entry : health.entries()) {
            if (entry.name.empty()) continue;
            ++losses;
            const auto told = QStringLiteral("\t%1\t%2 %3.")
                                  .arg(entry.severity == Severity::Bound ? "loss" : "note")
                                  .arg(entry.count)
                                  .arg(QString::fromStdString(entry.counted));
            QVERIFY2(lines.contains(told), qPrintable(told + " is not in\n" + lines));
        }
        QVERIFY(losses >= 2);
    }
    void refusalsThatAreShownAreLogged() {
        const LogSession session({});
        WindowStage stage;
        stage.window.openTrace({folder_.filePath("none.etl")});
        QTRY_VERIFY(linesOf(stage).contains("warning\tmessage\t"));
        QVERIFY(linesOf(stage).contains("error\topen\t"));
    }
    void staysWithTheLayoutOfTheWindow() {
        const LogSession session({});
        const auto trace = lossyTrace();
        const auto settings = folder_.filePath("kept.ini");
        const auto open = [&](app::MainWindow& window) {
            window.show();
            bool isSettled = false;
            connect(&window, &app::MainWindow::settled, this, [&] { isSettled = true; });
            window.openTrace({trace});
            return QTest::qWaitFor([&] { return isSettled; }, 20'000);
        };
        {
            app::ApplicationSettings kept(settings);
            app::MainWindow window(kept);
            QVERIFY(open(window));
            window.findChild<QAction*>("toggleDiagnosticConsole")->trigger();
            window.close();
        }
        app::ApplicationSettings kept(settings);
        app::MainWindow window(kept);
        QVERIFY(!window.findChild<QDockWidget*>("diagnosticDock")->isVisible());
        QVERIFY(open(window));
        QTRY_VERIFY(window.findChild<QDockWidget*>("diagnosticDock")->isVisible());
    }
    void aSmallWindowHasRoomForIt() {
        const LogSession session({});
        WindowStage stage;
        stage.window.resize(1000, 700);
        QVERIFY(stage.open({lossyTrace()}));
        trigger(stage, "toggleDiagnosticConsole");
        trigger(stage, "toggleModules");
        QTest::qWait(50);
        QCOMPARE(stage.window.size(), QSize(1000, 700));
        QVERIFY(stage.window.minimumSizeHint().width() <= 1000 && stage.window.minimumSizeHint().height() <= 700);
    }
    void copiesDataForAReport() {
        const LogSession session({});
        WindowStage stage;
        stage.settings.setTheme(app::Theme::Dark);
        stage.settings.setRecordChoices([] {
            ui::RecordChoices choices;
            choices.program = "/opt/secret/program";
            choices.arguments = "--password SECRET";
            choices.environment = QStringList{"TOKEN=SECRET"};
            return choices;
        }());
        for (int i = 0; i < 300; ++i)
            log(LogLevel::Information, LogArea::Open, "line " + std::to_string(i));
        log(LogLevel::Information, LogArea::Open, "Read " + QDir::homePath().toStdString() + "/traces/a.etl");
        trigger(stage, "copyDiagnostics");
        const auto text = QApplication::clipboard()->text();
        for (const auto* part : {"Highwater ", "System: ", "Qt: " QT_VERSION_STR, "Processors: ", "theme = dark",
                                 "record/heap = true", "Read ~/traces/a.etl", "line 299"}) {
            QVERIFY2(text.contains(QLatin1String(part)), qPrintable(QLatin1String(part) + " is not in\n" + text));
        }
        QVERIFY(!text.contains("SECRET") && !text.contains("/opt/secret"));
        QVERIFY(!text.contains(folder_.path()));
        QCOMPARE(text.count("\tinfo\topen\t"), 200);
    }
    void writesTheHomeFolderAsATilde_data() {
        QTest::addColumn<QString>("home");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("told");
        QTest::newRow("Linux") << "/home/me"
                               << "a /home/me/b /home/me"
                               << "a ~/b ~";
        QTest::newRow("another user") << "/home/me"
                                      << "/home/mel/x /home/me.old"
                                      << "/home/mel/x /home/me.old";
        QTest::newRow("Windows") << "C:/Users/Me"
                                 << "C:\\Users\\Me\\a.etl c:/users/me/b"
                                 << "~\\a.etl ~/b";
        QTest::newRow("no home") << "/"
                                 << "/a/b"
                                 << "/a/b";
    }
    void writesTheHomeFolderAsATilde() {
        QFETCH(QString, home);
        QFETCH(QString, text);
        QFETCH(QString, told);
        QCOMPARE(app::withoutHome(text, home), told);
    }
};
HIGHWATER_TEST(DiagnosticsTest);
#include "diagnostics_test.moc"
