#include "app/tools/explain/page/explain_controller.h"

#include "app/recording/record_controller.h"
#include "app/tools/explain/page/explanation_page.h"
#include "tests/app/main_window_test/window_stage.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/parts/message_strip.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>

using namespace highwater;
using namespace highwater::tests;
using analysis::Table;

namespace {

/// The window with the Exercise 2 trace, and the page that explains it.
struct ExplainStage : WindowStage {
    bool begin(const QString& path, Table table = Table::Heap) {
        if (!open({path}) || !showOnly(table)) return false;
        return explain();
    }
    bool explain() {
        window.findChild<QAction*>("explain")->trigger();
        return page() != nullptr && waitForText();
    }
    bool waitForText() {
        return QTest::qWaitFor([this] { return !text().isEmpty() && remark() != "Computing…"; }, 20'000);
    }
    app::ExplanationPage* page() { return window.findChild<app::ExplanationPage*>(); }
    QString text() { return page()->findChild<QPlainTextEdit*>("explanationText")->toPlainText(); }
    QString remark() { return page()->findChild<QLabel*>("explanationRemark")->text(); }
    QPushButton* button(const char* name) { return page()->findChild<QPushButton*>(name); }
};

} // namespace

/// Help > Explain Memory Growth, by mouse and keys.
class ExplainControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }

    void equalsTheCommandLine() {
        ExplainStage stage;
        QVERIFY(stage.begin(path_));
        QVERIFY(stage.page()->windowTitle().contains("exercise2.etl"));
        const auto text = stage.text();
        for (const auto* part : {"RECORDING", "MemoryTestApp.exe (4242) grew by 92.7 KB",
                                 "957 allocations (37.4 KB), none of them freed", "highwater-cli leaks "})
            QVERIFY2(text.contains(part), qPrintable(text));
        QVERIFY2(text.contains(path_.section('/', -1)), qPrintable(text));
        for (const auto& line : text.split('\n'))
            QVERIFY2(line.size() <= 100, qPrintable(line));
    }

    void isReachedByKeysAndClosedByThem() {
        ExplainStage stage;
        QVERIFY(stage.open({path_}));
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        QTest::keyClick(&stage.window, Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY(stage.page() != nullptr);
        QVERIFY(stage.waitForText());
        QTRY_COMPARE(QApplication::focusWidget()->objectName(), "explanationText");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QTRY_VERIFY(stage.page() == nullptr);
    }

    void opensWhileSomethingIsTyped() {
        ExplainStage stage;
        QVERIFY(stage.open({path_}));
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        QTest::keyClick(&stage.window, Qt::Key_F, Qt::ControlModifier);
        auto* field = QApplication::focusWidget();
        QCOMPARE(field->objectName(), "findText");
        QTest::keyClicks(field, "main");
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier); // belongs to the line
        QCOMPARE(qobject_cast<QLineEdit*>(field)->selectedText(), "main");
        QTest::keyClick(field, Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY(stage.page() != nullptr);
        QVERIFY(stage.waitForText());
        QCOMPARE(qobject_cast<QLineEdit*>(field)->text(), "main");
    }

    void copiesAndSaves() {
        ExplainStage stage;
        QVERIFY(stage.begin(path_));
        QTest::mouseClick(stage.button("copyExplanation"), Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), stage.text());
        stage.button("saveExplanation")->click();
        auto* dialog = stage.page()->findChild<QFileDialog*>("saveExplanationAs");
        QVERIFY(dialog != nullptr);
        const auto file = folder_.filePath("page.txt");
        dialog->selectFile(file);
        QMetaObject::invokeMethod(dialog, "accept");
        QTRY_VERIFY(stage.remark().startsWith("Saved as "));
        QFile saved(file);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(saved.readAll()), stage.text());
    }

    void aFailedSaveIsReported() {
        ExplainStage stage;
        QVERIFY(stage.begin(path_));
        stage.button("saveExplanation")->click();
        auto* dialog = stage.page()->findChild<QFileDialog*>("saveExplanationAs");
        emit dialog->fileSelected(folder_.filePath("no such folder/page.txt"));
        QVERIFY2(stage.remark().contains("cannot be written"), qPrintable(stage.remark()));
    }

    void explainsTheVisibleInterval() {
        ExplainStage stage;
        QVERIFY(stage.begin(path_, Table::VirtualAlloc));
        QVERIFY(stage.text().contains("VirtualAlloc Commit LifeTimes, 0.00 s to 34.00 s"));
        QVERIFY2(stage.text().contains("957 allocations (37.4 KB)"), qPrintable(stage.text())); // in the heap
        QVERIFY(stage.zoom(5, 30));
        QVERIFY(stage.text().contains("0.00 s to 34.00 s")); // until the user asks
        QTest::keyClick(stage.page(), Qt::Key_F5);
        QTRY_VERIFY2(stage.text().contains("VirtualAlloc Commit LifeTimes, 5.00 s to 30.00 s"),
                     qPrintable(stage.text()));
    }

    void followsQueriesAndSaysWhichFiltersItDoesNot() {
        ExplainStage stage;
        QVERIFY(stage.open({path_}) && stage.showOnly(Table::Heap));
        const auto query = analysis::QueryExpression::parse(Table::Heap, "Process:explorer").value();
        stage.panel().graph().addFilter({.clause = {}, .text = "Process:explorer", .query = query});
        QVERIFY(stage.wait() && stage.explain());
        QVERIFY2(stage.text().contains("explorer.exe (1200) grew by"), qPrintable(stage.text()));
        QVERIFY(stage.text().contains("only rows that match"));
        QVERIFY(stage.remark().isEmpty());
        stage.panel().graph().clearFilter();
        QVERIFY(stage.wait());
        const auto process = stage.row({"explorer.exe (1200)"});
        stage.panel().graph().addFilter({.clause = {.mode = analysis::RowFilter::Clause::Mode::Keep,
                                                    .anyOf = {stage.panel().model().pathOf(process)}},
                                         .text = "explorer"});
        stage.button("refreshExplanation")->click();
        QTRY_VERIFY2(stage.remark().contains("selecting rows"), qPrintable(stage.remark()));
        // Nor labels and marks, which its commands cannot express.
        stage.panel().graph().clearFilter();
        QVERIFY(stage.wait());
        stage.button("refreshExplanation")->click();
        QTRY_VERIFY(stage.remark().isEmpty());
        const auto marked = analysis::QueryExpression::parse(Table::Heap, "[Survived Marks]:>=1").value();
        stage.panel().graph().addFilter({.clause = {}, .text = "marked", .query = marked});
        stage.button("refreshExplanation")->click();
        QTRY_VERIFY2(stage.remark().contains("annotations and marks"), qPrintable(stage.remark()));
        QVERIFY(!stage.text().contains("only rows that match"));
        QVERIFY(stage.text().contains("MemoryTestApp.exe (4242) grew by"));
    }

    void aMissingTraceIsReportedAsText() {
        ExplainStage stage;
        stage.window.findChild<QAction*>("explain")->trigger();
        QVERIFY(stage.page() == nullptr);
        QVERIFY(stage.window.findChild<ui::MessageStrip*>("windowMessage")->isVisibleTo(&stage.window));
    }

    void anotherTraceIsExplainedInstead() {
        ExplainStage stage;
        QVERIFY(stage.begin(path_));
        const auto other = folder_.filePath("other.etl");
        fixtures::TraceBuilder trace;
        trace.processStarts(fixtures::seconds(0.1), {.pid = 10, .name = "a.exe", .mainTid = 11});
        trace.endsAt(fixtures::seconds(2));
        QVERIFY(trace.writeTo(other.toStdString()).hasValue());
        QVERIFY(stage.open({other}));
        QTRY_VERIFY2(stage.text().contains("This trace has no heap or VirtualAlloc events"), qPrintable(stage.text()));
        QVERIFY(stage.page()->windowTitle().contains("other.etl"));
        // The graph also reports this, and shows the alternative.
        const auto why = stage.panel().findChild<ui::MessageStrip*>()->message();
        QVERIFY2(why.contains("The trace contains ") && why.contains(" events: ") && why.contains(" of Process"),
                 qPrintable(why));
        QVERIFY(!stage.panel().timeline().nothing().isEmpty());
    }

    void aWindowThatIsClosedMeanwhileWaitsForTheWorker() {
        ExplainStage stage;
        QVERIFY(stage.open({path_}));
        stage.window.findChild<QAction*>("explain")->trigger();
    }

    /// The commands on the page are those of the saved file.
    void aSavedTraceIsNamedInTheCommands() {
        ExplainStage stage;
        QVERIFY(stage.begin(path_));
        const auto saved = folder_.filePath("saved here.etl");
        stage.window.symbolSession().noteSaved(saved);
        QTest::keyClick(stage.page(), Qt::Key_F5);
        QTRY_VERIFY2(stage.text().contains("saved here.etl'"), qPrintable(stage.text()));
        QVERIFY(!stage.text().contains("exercise2.etl"));
    }

    void explainsARecordingInProgress() {
#ifndef HIGHWATER_CAN_RECORD
        QSKIP("there is no recorder for this system");
#endif
        ExplainStage stage;
        QVERIFY(stage.open({path_}));
        stage.window.recordController().session().startReplay(path_, 10);
        QTRY_VERIFY(stage.window.recordController().session().isRecording());
        QTRY_VERIFY_WITH_TIMEOUT(stage.window.tabs().shown().isLoading() && stage.window.tabs().shown().trace(),
                                 10'000);
        QVERIFY(stage.explain());
        QVERIFY2(stage.remark().contains("may be out of date"), qPrintable(stage.remark()));
        QVERIFY(stage.text().contains("highwater-cli"));
        stage.window.recordController().session().stop();
    }
};

HIGHWATER_TEST(ExplainControllerTest);
#include "explain_controller_test.moc"
