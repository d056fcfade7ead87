#include "ui/view/console/diagnostic_console.h"

#include "core/log/log.h"
#include "core/log/log_session.h"
#include "tests/support/test_registry.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

using namespace highwater;
using namespace highwater::ui;

class DiagnosticConsoleTest : public QObject {
    Q_OBJECT

    static void show(DiagnosticConsole& console) {
        console.resize(700, 200);
        console.show();
        QVERIFY(QTest::qWaitForWindowExposed(&console));
    }
    static void logMany(DiagnosticConsole& console, int count) {
        for (int i = 0; i < count; ++i)
            log(LogLevel::Information, LogArea::Open, "line " + std::to_string(i));
        console.model().takeNew();
    }
    static QString place(DiagnosticConsole& console) { return console.findChild<QLabel*>("logPlace")->text(); }

  private slots:
    void followsTheNewestLineUnlessScrolledUp() {
        const LogSession session({});
        DiagnosticConsole console;
        show(console);
        auto* bar = console.table().verticalScrollBar();
        logMany(console, 100);
        QTRY_VERIFY(bar->maximum() > 0);
        QTRY_COMPARE(bar->value(), bar->maximum());
        bar->setValue(10);
        logMany(console, 100);
        QCOMPARE(bar->value(), 10);
        QTRY_VERIFY(bar->maximum() > 150); // the lines are laid out
        bar->setValue(bar->maximum());
        logMany(console, 100);
        QTRY_COMPARE(bar->value(), bar->maximum());
    }
    void copiesTheSelectedLinesByKeys() {
        const LogSession session({});
        DiagnosticConsole console;
        show(console);
        logMany(console, 5);
        console.table().setFocus();
        QTest::keyClick(&console.table(), Qt::Key_Home);
        QTest::keyClick(&console.table(), Qt::Key_Down);
        QTest::keyClick(&console.table(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(&console.table(), Qt::Key_C, Qt::ControlModifier);
        const auto lines = QApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[0].endsWith("\tinfo\topen\tline 1"), qPrintable(lines[0]));
        QVERIFY(lines[1].endsWith("line 2"));
    }
    void showsTheLevelAndTheTextThatAreAskedFor() {
        const LogSession session({});
        DiagnosticConsole console;
        show(console);
        logMany(console, 20);
        log(LogLevel::Warning, LogArea::Loss, "11 buffers missing.");
        console.model().takeNew();
        auto* rows = console.table().model();
        auto* level = console.findChild<QComboBox*>("logLevel");
        level->setFocus();
        QTest::keyClicks(level, "W"); // Warnings and errors
        QCOMPARE(rows->rowCount(), 1);
        QTest::keyClick(level, Qt::Key_Home); // All levels
        QCOMPARE(rows->rowCount(), 21);
        QTest::keyClicks(console.findChild<QLineEdit*>("logFilter"), "Line 1");
        QCOMPARE(rows->rowCount(), 11); // 1, 10 to 19
        log(LogLevel::Information, LogArea::Open, "line 100");
        log(LogLevel::Information, LogArea::Open, "something else");
        console.model().takeNew();
        QCOMPARE(rows->rowCount(), 12);
    }
    void everythingIsReachedByTab() {
        DiagnosticConsole console;
        show(console);
        QStringList reached;
        console.findChild<QComboBox*>("logLevel")->setFocus();
        for (int i = 0; i < 3; ++i) {
            reached << QApplication::focusWidget()->objectName();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QCOMPARE(reached, (QStringList{"logLevel", "logFilter", "logLines"}));
    }
    void showsThePlaceOfTheLog() {
        const QTemporaryDir folder;
        {
            DiagnosticConsole console;
            QCOMPARE(place(console), "The log is off.");
        }
        {
            const LogSession session({LogLevel::Information, std::filesystem::path(folder.path().toStdU16String())});
            DiagnosticConsole console;
            QVERIFY2(place(console).contains("highwater.log"), qPrintable(place(console)));
        }
        QFile inTheWay(folder.filePath("file"));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        const LogSession session(
            {LogLevel::Information, std::filesystem::path(folder.filePath("file/below").toStdU16String())});
        DiagnosticConsole console;
        QVERIFY2(place(console).startsWith("No log file: "), qPrintable(place(console)));
        QCOMPARE(console.model().rowCount(), 1);
    }
    void newestLinesAreThoseOfAllLevels() {
        const LogSession session({});
        DiagnosticConsole console;
        console.findChild<QLineEdit*>("logFilter")->setText("nothing has this");
        logMany(console, 10);
        log(LogLevel::Warning, LogArea::Loss, "the last");
        const auto lines = console.newestLines(3);
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].endsWith("line 8"));
        QVERIFY(lines[2].endsWith("the last"));
    }
};
HIGHWATER_TEST(DiagnosticConsoleTest);
#include "diagnostic_console_test.moc"
