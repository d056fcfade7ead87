#include "app/sessions/session_controller.h"

#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "tests/ui/support/printed_layout.h"
#include "ui/state/row_notes.h"
#include "ui/state/table/annotation_rules.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/recording/marks_view.h"
#include "ui/view/symbols/file_list_dialog.h"

#include <QAbstractButton>
#include <QAction>
#include <QDialog>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSignalSpy>

using namespace highwater;
using namespace highwater::tests;
using analysis::Table;

namespace {

constexpr int kSessionPatienceMs = 20'000;
const auto kTraceName = QStringLiteral("exercise2.etl");

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool writeBytes(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

/// A window, and the parts of it that show a session.
struct SessionStage : WindowStage {
    WindowUser user{*this};

    ui::MessageStrip& message() { return *window.findChild<ui::MessageStrip*>("windowMessage"); }
    ui::MessageStrip& offer() { return *window.findChild<ui::MessageStrip*>("sessionMessage"); }
    static void follow(ui::MessageStrip& strip) { emit strip.findChild<QLabel*>("messageText")->linkActivated("#"); }
    void saveSession() {
        window.activateWindow(); // without a window manager nothing else does this
        (void)QTest::qWaitForWindowActive(&window);
        QTest::keyClick(&window, Qt::Key_S, Qt::ControlModifier | Qt::AltModifier);
    }
    /// Opens the session beside the trace.
    bool restoreSession(const QString& trace) {
        window.openFiles({trace + ".highwater"});
        return says("Restored the session") && wait();
    }
    /// Follows the offer, and selects that file.
    bool locate(const QString& file) {
        follow(offer());
        auto* dialog = window.findChild<QFileDialog*>("locateTrace");
        if (!dialog) return false;
        dialog->setDirectory(QFileInfo(file).absolutePath());
        dialog->findChild<QLineEdit*>()->setText(file);
        QMetaObject::invokeMethod(dialog, "accept");
        dialog->setObjectName({}); // it is deleted in the next turn of the event loop
        return true;
    }
    bool says(const QString& words) {
        return QTest::qWaitFor([&] { return message().isVisible() && message().message().contains(words); },
                               kSessionPatienceMs);
    }
    QStringList tabNames() {
        QStringList names;
        for (int i = 0; i < window.tabs().count(); ++i)
            names << window.tabs().nameOf(i);
        return names;
    }
    QStringList marks() {
        QStringList names;
        const auto& model = window.findChild<ui::MarksView*>()->model();
        for (int row = 0; row < model.rowCount(); ++row)
            names << model.index(row, 0).data().toString();
        return names;
    }
    /// A window that differs from the default in every way.
    bool arrange() {
        auto& tabs = window.tabs();
        tabs.setNameOf(0, "Peak");
        if (!zoom(10, 20)) return false;
        state().select({TraceTime{12'000'000'000}, TraceTime{14'000'000'000}});
        if (!user.choosePreset("Peak by Stack") || !user.chooseChart("Stacked")) return false;
        if (!user.clickRow({kProcess}) || !user.press(Qt::Key_F)) return false;
        tabs.addAnalysis(Table::Heap);
        tabs.setNameOf(1, "Heap & more");
        return wait();
    }
};

} // namespace

/// Sessions: saving, opening and offers.
class SessionControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString trace_;

  private slots:
    void init() {
        trace_ = folder_.filePath(kTraceName);
        QVERIFY(fixtures::exercise2Trace().writeTo(trace_.toStdString()).hasValue());
        QFile::remove(trace_ + ".highwater");
    }

    void savedSessionsLookTheSame() {
        QStringList chips, layouts;
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            QVERIFY(stage.arrange());
            QTest::keyClick(&stage.window, Qt::Key_M, Qt::ControlModifier);
            QCOMPARE(stage.marks(), QStringList("Mark 1"));
            stage.window.tabs().setCurrentIndex(0);
            QVERIFY(stage.wait());
            chips = stage.user.chips();
            QCOMPARE(chips.size(), 1);
            stage.saveSession();
            QVERIFY(stage.says("Saved the session as"));
            for (auto* graph : stage.window.tabs().graphs())
                layouts << printed(graph->layout());
        }
        SessionStage stage;
        stage.window.openFiles({trace_ + ".highwater"});
        QVERIFY(stage.says("Restored the session exercise2.etl.highwater."));
        QVERIFY(stage.wait());
        QCOMPARE(stage.tabNames(), (QStringList{"Peak", "Heap & more"}));
        QCOMPARE(stage.window.tabs().currentIndex(), 0);
        QCOMPARE(stage.state().visibleRange().start.ns, 10'000'000'000);
        QCOMPARE(stage.state().visibleRange().end.ns, 20'000'000'000);
        QCOMPARE(stage.state().selection()->start.ns, 12'000'000'000);
        QCOMPARE(stage.panel().graph().presetName(), QString("Peak by Stack"));
        QCOMPARE(stage.panel().graph().chart(), ui::ChartType::StackedArea);
        QCOMPARE(stage.user.chips(), chips);
        QCOMPARE(stage.marks(), QStringList("Mark 1"));
        QStringList restored;
        for (auto* graph : stage.window.tabs().graphs())
            restored << printed(graph->layout());
        QCOMPARE(restored, layouts);
        QCOMPARE(stage.children({}), QStringList(kProcess)); // the filter filters
    }
    void stackTagsAndSuppressionsAreThoseOfTheSession() {
        const auto tags = folder_.filePath("mine.stacktags"), leaks = folder_.filePath("known.supp");
        QVERIFY(writeBytes(tags, "<Tag Name='Program'><Entrypoint Module='MemoryTestApp.exe'/></Tag>"));
        QVERIFY(writeBytes(leaks, "leak:MemoryTestApp.exe\n"));
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            stage.window.openFiles({tags, leaks}); // as dropped
            QVERIFY(stage.says("Suppressions from known.supp are now used"));
            stage.saveSession();
            QVERIFY(stage.says("Saved the session as"));
        }
        const auto named = [](SessionStage& stage, const char* action) {
            stage.window.findChild<QAction*>(action)->trigger();
            return stage.window.findChild<ui::FileListDialog*>(QString(action) + "Dialog")->files();
        };
        {
            SessionStage stage;
            stage.window.openFiles({trace_ + ".highwater"});
            QVERIFY(stage.says("Restored the session"));
            QCOMPARE(named(stage, "stackTags"), (QStringList{"built-in", tags}));
            QCOMPARE(named(stage, "suppressions"), QStringList(leaks));
            QCOMPARE(stage.settings.stackTagFiles(), QStringList("built-in")); // the user's own list is as it was
            QVERIFY(!stage.window.findChild<app::SessionController*>()->isChanged());
            // Another trace has the user's own presets again.
            const auto other = folder_.filePath("another trace.etl");
            QVERIFY(fixtures::exercise2Trace().writeTo(other.toStdString()).hasValue());
            QVERIFY(stage.open({other}));
            QCOMPARE(named(stage, "stackTags"), QStringList("built-in"));
            QCOMPARE(named(stage, "suppressions"), QStringList());
        }
        QVERIFY(QFile::remove(tags));
        SessionStage stage;
        stage.window.openFiles({trace_ + ".highwater"});
        QVERIFY2(stage.says("except for one item: the stack tag file " + tags + ", which does not exist."),
                 qPrintable(stage.message().message()));
    }
    void whetherExitFreesHeapsIsOfTheSession() {
        const auto isOn = [](SessionStage& stage) {
            const bool isTicked = stage.window.findChild<QAction*>("processExitFreesHeap")->isChecked();
            return isTicked == stage.state().options().processExitFreesHeap ? QVariant(isTicked) : QVariant("half");
        };
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            stage.window.findChild<QAction*>("processExitFreesHeap")->trigger();
            stage.saveSession();
            QVERIFY(stage.says("Saved the session as"));
            QVERIFY(stage.settings.processExitFreesHeap()); // the user's own, by hand
        }
        SessionStage stage;
        stage.window.openFiles({trace_ + ".highwater"});
        QVERIFY(stage.says("Restored the session exercise2.etl.highwater. Process Exit Frees Heap is turned on for "
                           "this trace, as in the session."));
        QCOMPARE(isOn(stage), QVariant(true));
        QVERIFY(!stage.settings.processExitFreesHeap());
        QVERIFY(!stage.window.findChild<app::SessionController*>()->isChanged());
        const auto other = folder_.filePath("another trace.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(other.toStdString()).hasValue());
        QVERIFY(stage.open({other}));
        QCOMPARE(isOn(stage), QVariant(false));
        // If the setting already matches the session, no message is shown.
        stage.window.findChild<QAction*>("processExitFreesHeap")->trigger();
        stage.window.openFiles({trace_ + ".highwater"});
        QVERIFY(stage.says("Restored the session"));
        QVERIFY2(!stage.message().message().contains("Process Exit"), qPrintable(stage.message().message()));
    }
    void labelsOfASessionStayWithIt() {
        const auto labels = [](const char* label) {
            return ui::annotationsOf(Table::VirtualAlloc, {{label, "Process:MemoryTestApp"}});
        };
        const auto give = [](ui::GraphState& graph, const analysis::Annotations& given) {
            auto layout = graph.layout();
            layout.annotations = given;
            graph.setLayout(layout);
        };
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            give(stage.panel().graph(), labels("Theirs"));
            stage.saveSession();
            QVERIFY(stage.says("Saved the session as"));
        }
        SessionStage stage;
        stage.window.tabs().presets().setAnnotations(Table::VirtualAlloc, labels("Mine"));
        const auto mine = stage.settings.presets();
        QVERIFY(mine.contains("Mine"));
        stage.window.openFiles({trace_ + ".highwater"});
        QVERIFY(stage.says("Restored the session"));
        QVERIFY(stage.panel().graph().layout().annotations == labels("Theirs"));
        QCOMPARE(stage.settings.presets(), mine);
        // Nor do they become the user's through a tab that starts like this one, or with a column.
        stage.window.findChild<QAction*>("newTab")->trigger();
        auto layout = stage.panel().graph().layout();
        QVERIFY(layout.annotations == labels("Theirs"));
        layout.columns.pop_back();
        stage.panel().graph().setLayout(layout);
        QVERIFY(stage.wait());
        QCOMPARE(stage.settings.presets(), mine);
        // Changes by hand are the user's, as always.
        give(stage.panel().graph(), labels("Newer"));
        QVERIFY(stage.settings.presets().contains("Newer"));
    }
    void definitionsOfAnotherComputerAreNotTaken() {
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            stage.saveSession();
            QVERIFY(stage.says("Saved the session as"));
        }
        auto json = QJsonDocument::fromJson(bytesOf(trace_ + ".highwater")).object();
        json["suppressions"] = QJsonArray{"//server/share/a.supp"};
        QVERIFY(writeBytes(trace_ + ".highwater", QJsonDocument(json).toJson()));
        SessionStage stage;
        stage.window.openFiles({trace_ + ".highwater"});
        QVERIFY2(stage.says("the suppression file //server/share/a.supp, because it is a network path."),
                 qPrintable(stage.message().message()));
    }
    void openedRowsAreOpenAgain() {
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            QVERIFY(stage.user.openRow({kProcess}));
            stage.saveSession();
            QVERIFY(stage.says("Saved the session as"));
        }
        SessionStage stage;
        QVERIFY(stage.restoreSession(trace_));
        const auto row = stage.find({}, kProcess);
        QVERIFY(QTest::qWaitFor([&] { return stage.panel().table().isExpanded(stage.find({}, kProcess)); }));
        QVERIFY(stage.panel().model().rowCount(row) > 0);
    }
    /// The path that a table opens by itself does not replace the rows of a session.
    void closedRowsStayClosed() {
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            QVERIFY(QTest::qWaitFor([&] { return stage.panel().table().isExpanded(stage.find({}, kProcess)); }));
            stage.panel().table().collapseEverything();
            stage.saveSession();
            QVERIFY(stage.says("Saved the session as"));
        }
        SessionStage stage;
        QVERIFY(stage.restoreSession(trace_));
        QTest::qWait(200); // there is no event for a row that stays closed
        QVERIFY(!stage.panel().table().isExpanded(stage.find({}, kProcess)));
    }
    /// A strip, not a dialog: the trace can be used at once, and the session remains unchanged.
    void aSessionBesideATraceIsOffered() {
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            QVERIFY(!stage.offer().isVisible());
            QVERIFY(stage.arrange());
            stage.saveSession();
            QVERIFY(stage.says("Saved the session as"));
        }
        SessionStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(stage.offer().isVisible());
        QVERIFY2(stage.offer().message().startsWith("This trace has a saved session: exercise2.etl.highwater"),
                 qPrintable(stage.offer().message()));
        QVERIFY(!QApplication::activeModalWidget());
        QCOMPARE(stage.tabNames(), QStringList("Analysis 1"));
        SessionStage::follow(stage.offer());
        QVERIFY(stage.says("Restored the session"));
        QCOMPARE(stage.tabNames(), (QStringList{"Peak", "Heap & more"}));
        QVERIFY(!stage.offer().isVisible());
    }
    void aTraceThatIsGoneIsLocated() {
        const auto session = folder_.filePath("moved.highwater");
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            QVERIFY(stage.arrange());
            stage.window.findChild<QAction*>("saveSessionAs")->trigger();
            auto* dialog = stage.window.findChild<QFileDialog*>("saveSessionAsDialog");
            QVERIFY(dialog);
            dialog->findChild<QLineEdit*>()->setText(session);
            QMetaObject::invokeMethod(dialog, "accept");
            QVERIFY(stage.says("Saved the session as " + session));
        }
        QTemporaryDir elsewhere;
        const auto moved = elsewhere.filePath("other.etl");
        QVERIFY(QFile::rename(trace_, moved));
        SessionStage stage;
        stage.window.openFiles({session});
        QVERIFY(stage.offer().isVisible());
        QCOMPARE(stage.offer().message(), trace_ + " was not found. The session moved.highwater requires it.");
        SessionStage::follow(stage.offer());
        auto* dialog = stage.window.findChild<QFileDialog*>("locateTrace");
        QVERIFY(dialog);
        dialog->findChild<QLineEdit*>()->setText(moved);
        QMetaObject::invokeMethod(dialog, "accept");
        QVERIFY(stage.says("Restored the session moved.highwater."));
        QCOMPARE(stage.tabNames(), (QStringList{"Peak", "Heap & more"}));
    }
    void filesOfATraceThatAreInTheirPlaceAreKept_data() {
        QTest::addColumn<QStringList>("moved");
        QTest::addColumn<QString>("located");
        QTest::addColumn<QStringList>("opened"); // "+": where it was moved to
        QTest::newRow("one") << QStringList{"b.etl"} << "b.etl" << QStringList{"a.etl", "+b.etl", "c.etl"};
        QTest::newRow("all, of which one is shown")
            << QStringList{"a.etl", "b.etl", "c.etl"} << "b.etl" << QStringList{"+a.etl", "+b.etl", "+c.etl"};
        QTest::newRow("one with another name")
            << QStringList{"b.etl"} << "renamed.etl" << QStringList{"a.etl", "+renamed.etl", "c.etl"};
    }
    void filesOfATraceThatAreInTheirPlaceAreKept() {
        QFETCH(const QStringList, moved);
        QFETCH(const QString, located);
        QFETCH(const QStringList, opened);
        QTemporaryDir was, elsewhere;
        const auto session = was.filePath("several.highwater");
        QStringList files;
        for (const auto* name : {"a.etl", "b.etl", "c.etl"}) {
            files << was.filePath(name);
            QVERIFY(fixtures::exercise2Trace().writeTo(files.back().toStdString()).hasValue());
        }
        {
            SessionStage stage;
            QVERIFY(stage.open(files));
            stage.window.findChild<app::SessionController*>()->saveTo(session);
            QVERIFY(stage.says("Saved the session as"));
        }
        for (const auto& name : moved)
            QVERIFY(QFile::rename(was.filePath(name), elsewhere.filePath(moved.size() == 1 ? located : name)));
        SessionStage stage;
        stage.window.openFiles({session});
        QVERIFY(stage.offer().isVisible());
        QVERIFY(stage.locate(elsewhere.filePath(located)));
        QVERIFY(stage.says("Restored the session several.highwater."));
        QStringList expected;
        for (const auto& name : opened)
            expected << (name.startsWith('+') ? elsewhere.filePath(name.mid(1)) : was.filePath(name));
        QCOMPARE(stage.window.findChild<app::SessionController*>()->files(), expected);
        QVERIFY(!stage.offer().isVisible());
    }
    void filesThatAreStillGoneAreAskedForAgain() {
        QTemporaryDir was, there, elsewhere;
        const auto session = was.filePath("apart.highwater");
        const QStringList files{was.filePath("a.etl"), was.filePath("b.etl"), was.filePath("c.etl")};
        for (const auto& file : files)
            QVERIFY(fixtures::exercise2Trace().writeTo(file.toStdString()).hasValue());
        {
            SessionStage stage;
            QVERIFY(stage.open(files));
            stage.window.findChild<app::SessionController*>()->saveTo(session);
            QVERIFY(stage.says("Saved the session as"));
        }
        QVERIFY(QFile::rename(files[0], there.filePath("a.etl")));
        QVERIFY(QFile::rename(files[1], elsewhere.filePath("b.etl")));
        const auto before = bytesOf(session);
        SessionStage stage;
        stage.window.openFiles({session});
        QVERIFY(stage.locate(there.filePath("a.etl")));
        QVERIFY(stage.offer().isVisible());
        QCOMPARE(stage.offer().message(), files[1] + " was not found. The session apart.highwater requires it.");
        // Who has no more of it shows those that there are: the session is not reduced to them.
        QVERIFY(stage.locate(files[2]));
        QVERIFY2(stage.says("except for"), qPrintable(stage.message().message()));
        auto* sessions = stage.window.findChild<app::SessionController*>();
        QCOMPARE(sessions->files(), (QStringList{there.filePath("a.etl"), files[2]}));
        stage.window.tabs().setNameOf(0, "Other");
        QVERIFY(!sessions->isChanged());
        QVERIFY(stage.window.close());
        QCOMPARE(bytesOf(session), before);
    }
    void marksOutsideOfTheTraceAreNamedAndStayInTheSession() {
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            QTest::keyClick(&stage.window, Qt::Key_M, Qt::ControlModifier);
            stage.saveSession();
            QVERIFY(stage.says("Saved the session as"));
        }
        auto session = QJsonDocument::fromJson(bytesOf(trace_ + ".highwater")).object();
        auto marks = session["marks"].toObject();
        auto made = marks["made"].toArray();
        made.append(QJsonObject{{"name", "far away"}, {"ns", qint64{900'000'000'000}}});
        marks["made"] = made;
        session["marks"] = marks;
        session["snapshots"] = QJsonArray{qint64{901'000'000'000}};
        QVERIFY(writeBytes(trace_ + ".highwater", QJsonDocument(session).toJson()));
        SessionStage stage;
        stage.window.openFiles({trace_ + ".highwater"});
        QVERIFY2(stage.says("except for 2 items."), qPrintable(stage.message().message()));
        SessionStage::follow(stage.message());
        const auto text = stage.window.findChild<QPlainTextEdit*>("sessionReportText")->toPlainText();
        for (const auto* part : {"the mark “far away”, which is outside the trace and stays in the session",
                                 "1 snapshot outside the trace, which stays in the session"})
            QVERIFY2(text.contains(part), qPrintable(text));
        QCOMPARE(stage.marks(), QStringList("Mark 1"));
        QVERIFY(!stage.window.findChild<app::SessionController*>()->isChanged());
        stage.saveSession();
        QVERIFY(stage.says("Saved the session as"));
        QVERIFY(bytesOf(trace_ + ".highwater").contains("far away"));
        QVERIFY(bytesOf(trace_ + ".highwater").contains("901000000000"));
    }
    void missingFilesAreNamedAndTheRestOpens() {
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            QVERIFY(stage.arrange());
            stage.saveSession();
            QVERIFY(stage.says("Saved the session as"));
        }
        auto bytes = bytesOf(trace_ + ".highwater");
        bytes.replace("\"bytes\": ", "\"bytes\": 1").replace("MemoryTestApp.exe (4242)", "gone.exe (1)");
        bytes.replace("\"symbolPath\": \"\"", "\"symbolPath\": \"/nobody/has/symbols/here\"");
        QVERIFY(bytes.contains("/nobody/has/symbols/here"));
        QVERIFY(writeBytes(trace_ + ".highwater", bytes));
        SessionStage stage;
        stage.window.openFiles({trace_ + ".highwater"});
        QVERIFY(stage.says("except for 3 items."));
        SessionStage::follow(stage.message());
        auto* page = stage.window.findChild<QDialog*>("sessionReportPage");
        QVERIFY(page);
        const auto text = page->findChild<QPlainTextEdit*>("sessionReportText")->toPlainText();
        for (const auto* part : {"the trace has", "Peak: filter Process = gone.exe (1)",
                                 "the symbol folder /nobody/has/symbols/here, which does not exist"})
            QVERIFY2(text.contains(part), qPrintable(text));
        QCOMPARE(stage.tabNames(), (QStringList{"Peak", "Heap & more"}));
        stage.window.tabs().setCurrentIndex(0);
        QCOMPARE(stage.state().visibleRange().start.ns, 10'000'000'000);
    }
    /// Another user's session never makes this computer search or download anything by itself.
    void symbolPathsOfASessionAreTakenWhenTheReaderWantsIt() {
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            stage.saveSession();
            QVERIFY(stage.says("Saved the session as"));
        }
        auto bytes = bytesOf(trace_ + ".highwater");
        bytes.replace("\"symbolPath\": \"\"", "\"symbolPath\": \"srv*https://example.invalid\"");
        QVERIFY(writeBytes(trace_ + ".highwater", bytes));
        SessionStage stage;
        stage.window.openFiles({trace_ + ".highwater"});
        QVERIFY(stage.says("Restored the session"));
        QVERIFY(stage.window.symbolSession().choices().path.toText().empty());
        QVERIFY(stage.offer().message().contains("https://example.invalid"));
        SessionStage::follow(stage.offer());
        QCOMPARE(stage.window.symbolSession().choices().path.toText(), std::string("srv*https://example.invalid"));
    }
    void changesAreAskedAboutButLookingIsNone() {
        SessionStage stage;
        QVERIFY(stage.open({trace_}));
        QVERIFY(stage.zoom(1, 9));
        QVERIFY(stage.window.close()); // without a session no question is asked
        stage.window.show();
        stage.saveSession();
        QVERIFY(stage.says("Saved the session as"));
        QVERIFY(stage.zoom(2, 8));
        QVERIFY(stage.user.openRow({kProcess}));
        QVERIFY(stage.window.close());
        stage.window.show();
        QVERIFY(stage.user.clickRow({kProcess}));
        QVERIFY(stage.user.press(Qt::Key_F));
        QVERIFY(!stage.window.close());
        auto* question = stage.window.findChild<QMessageBox*>("changedSession");
        QVERIFY(question && question->isVisible());
        question->button(QMessageBox::Cancel)->click();
        QVERIFY(stage.window.isVisible());
        const auto before = bytesOf(trace_ + ".highwater");
        QVERIFY(!stage.window.close());
        for (auto* asked : stage.window.findChildren<QMessageBox*>("changedSession")) {
            if (asked->isVisible()) asked->button(QMessageBox::Save)->click();
        }
        QTRY_VERIFY(!stage.window.isVisible());
        QVERIFY(bytesOf(trace_ + ".highwater") != before);
    }
    void withoutATraceThereIsNothingToSave() {
        SessionStage stage;
        stage.saveSession();
        QVERIFY(stage.says("No trace is open"));
        QCOMPARE(QDir(folder_.path()).entryList({"*.highwater"}).size(),
                 QDir(folder_.path()).exists("moved.highwater") ? 1 : 0);
    }
    void unreadableSessionsAreReported_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("words");
        QTest::newRow("damaged") << QByteArray("{\"format\":") << "it is not a Highwater session or it is damaged";
        QTest::newRow("newer") << QByteArray("{\"format\":\"highwater-session\",\"version\":9}")
                               << "newer version of Highwater";
    }
    void unreadableSessionsAreReported() {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, words);
        const auto path = folder_.filePath("bad.highwater");
        QVERIFY(writeBytes(path, bytes));
        SessionStage stage;
        QSignalSpy failed(&stage.window, &app::MainWindow::openFailed);
        stage.window.openFiles({path});
        QVERIFY(stage.says(words));
        QCOMPARE(failed.size(), 1);
        QVERIFY(failed[0][0].toString().contains(words));
        stage.window.openFiles({folder_.filePath("gone.highwater")});
        QVERIFY(stage.says("gone.highwater cannot be read: the file does not exist."));
        QCOMPARE(failed.size(), 2);
    }
    void aSessionThatWaitsIsNotShownOfAnotherTrace() {
        const auto other = folder_.filePath("other.etl"), session = folder_.filePath("waits.highwater");
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            QVERIFY(stage.arrange());
            stage.saveSession();
            QVERIFY(stage.says("Saved the session as"));
        }
        QVERIFY(QFile::rename(trace_ + ".highwater", session));
        QVERIFY(QFile::rename(trace_, other));
        SessionStage stage;
        stage.window.openFiles({session}); // waits: the trace of the session is missing
        QVERIFY(stage.offer().isVisible());
        QVERIFY(stage.open({other}));
        QCOMPARE(stage.tabNames(), QStringList("Analysis 1"));
    }
    /// A session that was offered and not restored, or any other file of that name.
    void anotherSessionIsNotOverwrittenSilently() {
        QVERIFY(writeBytes(trace_ + ".highwater", "somebody's"));
        SessionStage stage;
        QVERIFY(stage.open({trace_}));
        stage.saveSession();
        auto* dialog = stage.window.findChild<QFileDialog*>("saveSessionAsDialog");
        QVERIFY(dialog && dialog->isVisible());
        dialog->reject();
        QCOMPARE(bytesOf(trace_ + ".highwater"), QByteArray("somebody's"));
    }
    void aTraceIsNotReplaced() {
        const auto before = bytesOf(trace_);
        SessionStage stage;
        QVERIFY(stage.open({trace_}));
        stage.window.findChild<app::SessionController*>()->saveTo(trace_);
        QVERIFY(stage.says("is a trace and was not replaced. Choose another file name."));
        QCOMPARE(bytesOf(trace_), before);
    }
    void aNoteWhoseRowIsGoneStaysInTheSession() {
        const QByteArray note = "{\"text\":\"look here\",\"table\":\"heap\",\"row\":[[\"Process\",\"gone.exe (77)\"]]}";
        {
            SessionStage stage;
            QVERIFY(stage.open({trace_}));
            stage.saveSession();
            QVERIFY(stage.says("Saved the session as"));
        }
        auto session = QJsonDocument::fromJson(bytesOf(trace_ + ".highwater")).object();
        auto notes = session["notes"].toArray();
        notes.append(QJsonDocument::fromJson(note).object());
        session["notes"] = notes;
        QVERIFY(writeBytes(trace_ + ".highwater", QJsonDocument(session).toJson()));
        SessionStage stage;
        stage.window.openFiles({trace_ + ".highwater"});
        QVERIFY(stage.says("the row of the note “look here”, which stays in the session"));
        stage.saveSession();
        QVERIFY(stage.says("Saved the session as"));
        QVERIFY(bytesOf(trace_ + ".highwater").contains("gone.exe (77)"));
    }
    /// The author of a session could otherwise make this computer reveal its user.
    void aTraceOfTheNetworkIsNotLookedForByItself() {
        const auto path = folder_.filePath("sent.highwater");
        QVERIFY(writeBytes(
            path, "{\"format\":\"highwater-session\",\"version\":1,\"trace\":[{\"path\":\"//host/share/a.etl\","
                  "\"beside\":\"//host/share/a.etl\"}]}"));
        SessionStage stage;
        stage.window.openFiles({path});
        QVERIFY(stage.offer().isVisible());
        QVERIFY2(stage.offer().message().contains("was not found"), qPrintable(stage.offer().message()));
    }
    void anUnwritableSessionIsReportedAndTheOldOneKept() {
        SessionStage stage;
        QVERIFY(stage.open({trace_}));
        auto* sessions = stage.window.findChild<app::SessionController*>();
        sessions->saveTo(folder_.filePath("no/such/folder.highwater"));
        QVERIFY(stage.says("The session was not saved"));
        QVERIFY(!QFile::exists(folder_.filePath("no")));
    }
};

HIGHWATER_TEST(SessionControllerTest);
#include "session_controller_test.moc"
