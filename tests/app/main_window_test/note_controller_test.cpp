#include "app/pages/note_controller.h"

#include "app/sessions/session_controller.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/notes/note_editor.h"
#include "ui/view/notes/notes_view.h"
#include "ui/view/parts/message_strip.h"

#include <QLabel>
#include <QLineEdit>

using namespace highwater;
using namespace highwater::tests;
using analysis::Table;

namespace {

/// A window with a trace whose rows get notes.
struct NoteStage : WindowStage {
    WindowUser user{*this};
    QString trace = folder.filePath("exercise2.etl");

    NoteStage() { (void)fixtures::exercise2Trace().writeTo(trace.toStdString()).hasValue(); }
    ui::NotesView& list() { return *window.findChild<ui::NotesView*>(); }
    ui::MessageStrip& message() { return *window.findChild<ui::MessageStrip*>("windowMessage"); }
    /// After a menu, list or dialog has closed: without a window manager nothing else activates the window again.
    void activate() {
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
    }
    void pressInList(Qt::Key key) {
        activate();
        list().setFocus();
        list().setCurrentIndex(list().model().index(0, 0));
        QTest::keyClick(&list(), key);
    }
    QString noteOf(const QStringList& path) { return row(path).data(ui::GroupedTableModel::NoteRole).toString(); }
    /// N on the row, the words, Enter.
    bool note(const QStringList& path, const QString& words) {
        activate();
        if (!user.clickRow(path)) return false;
        QTest::keyClick(&panel().table(), Qt::Key_N);
        QLineEdit* line = nullptr;
        if (!QTest::qWaitFor([&] { return (line = window.findChild<QLineEdit*>("noteText")); })) return false;
        line->setText(words);
        QTest::keyClick(line, Qt::Key_Return);
        return QTest::qWaitFor([&] { return !window.findChild<ui::NoteEditor*>(); });
    }
    QStringList listed() {
        QStringList texts;
        for (int i = 0; i < list().model().rowCount(); ++i)
            texts << list().model().index(i, 0).data().toString();
        return texts;
    }
};

} // namespace

/// Notes on rows: typed, seen in the table, listed, kept in a session.
class NoteControllerTest : public QObject {
    Q_OBJECT
  private slots:
    void aNoteIsSeenInTheTableAndListed() {
        NoteStage stage;
        QVERIFY(stage.open({stage.trace}));
        QVERIFY(!stage.list().isVisible());
        QVERIFY(stage.note({kProcess}, "the one <b>that</b> leaks"));
        QCOMPARE(stage.noteOf({kProcess}), QString("the one <b>that</b> leaks"));
        QVERIFY(stage.list().isVisible());
        QCOMPARE(stage.listed(), QStringList("the one <b>that</b> leaks"));
        const auto key = stage.row({kProcess}).siblingAtColumn(1);
        const auto tip = key.data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("Note: the one"), qPrintable(tip));
        QVERIFY2(!Qt::mightBeRichText(tip) || !tip.contains("<b>that"), qPrintable(tip));
        QVERIFY(key.data(Qt::AccessibleTextRole).toString().contains("note: the one"));
        // The note is not part of the row's name.
        QCOMPARE(stage.panel().model().keyText(key), kProcess);
        QCOMPARE(key.data().toString(), kProcess);
        // The same command removes it.
        QVERIFY(stage.note({kProcess}, ""));
        QVERIFY(stage.noteOf({kProcess}).isEmpty());
        QVERIFY(!stage.list().isVisible());
    }
    void inANarrowWindowTheNotesHaveTheWholeList() {
        ui::RowNotes notes;
        notes.set({Table::Heap, {{analysis::Column::Process, 1}}, "Process = a.exe (1)", "one that leaks"});
        ui::NotesView list(notes);
        for (const auto& [width, isHidden] : {std::pair(150, true), std::pair(300, false)}) {
            list.resize(width, 100);
            list.show();
            QCOMPARE(list.isColumnHidden(ui::NoteListModel::kRow), isHidden);
        }
        QVERIFY(list.model().index(0, 0).data(Qt::ToolTipRole).toString().contains("a.exe"));
    }
    void itIsPaintedBesideTheKey() {
        NoteStage stage;
        QVERIFY(stage.open({stage.trace}));
        QVERIFY(stage.user.clickRow({kProcess}));
        auto& table = stage.panel().table();
        table.clearSelection();
        const auto cell = table.visualRect(stage.row({kProcess}).siblingAtColumn(1));
        const auto picture = [&] { return table.viewport()->grab(cell).toImage(); };
        const auto before = picture();
        stage.window.tabs().shown().notes().set(
            {Table::VirtualAlloc, stage.panel().model().pathOf(stage.row({kProcess})), kProcess, "x"});
        QVERIFY(picture() != before);
    }
    void enterInTheListGoesToItsRow() {
        NoteStage stage;
        QVERIFY(stage.open({stage.trace}));
        const auto children = stage.children({kProcess});
        const QStringList path{kProcess, children.front()};
        QVERIFY(stage.note(path, "here"));
        stage.panel().table().collapseEverything();
        QVERIFY(stage.showOnly(Table::Heap)); // and from another graph
        stage.pressInList(Qt::Key_Return);
        QTRY_COMPARE(stage.panel().graph().table(), Table::VirtualAlloc);
        QTRY_COMPARE(stage.panel().model().keyText(stage.panel().table().currentIndex()), children.front());
    }
    void notesReportAnotherGrouping() {
        NoteStage stage;
        QVERIFY(stage.open({stage.trace}));
        QVERIFY(stage.note({kProcess}, "here"));
        auto layout = stage.panel().graph().layout();
        layout.keys = {analysis::Column::Thread};
        stage.panel().graph().setLayout(layout);
        QVERIFY(stage.wait());
        stage.pressInList(Qt::Key_Return);
        QCOMPARE(stage.message().message(), QString("To show the row of the note, its table must have these "
                                                    "columns left of the gold bar, in this order: Process."));
    }
    void deletedNotesCanBeRestored() {
        NoteStage stage;
        QVERIFY(stage.open({stage.trace}));
        QVERIFY(stage.note({kProcess}, "here"));
        stage.pressInList(Qt::Key_Delete);
        QCOMPARE(stage.message().message(), QString("Deleted the note “here”."));
        QVERIFY(stage.noteOf({kProcess}).isEmpty());
        emit stage.message().findChild<QLabel*>("messageText")->linkActivated("#");
        QCOMPARE(stage.noteOf({kProcess}), QString("here"));
    }
    void aSessionKeepsThemAndAnotherTraceHasNone() {
        NoteStage stage;
        QVERIFY(stage.open({stage.trace}));
        const QStringList path{kProcess, stage.children({kProcess}).front()};
        QVERIFY(stage.note(path, "kept"));
        auto* sessions = stage.window.findChild<app::SessionController*>();
        sessions->save();
        QVERIFY(!sessions->isChanged());
        QVERIFY(stage.note({kProcess}, "more"));
        QVERIFY(sessions->isChanged()); // notes are the purpose of a session
        sessions->save();
        QVERIFY(stage.open({stage.trace}));
        QVERIFY(stage.listed().isEmpty());
        sessions->open(stage.trace + ".highwater");
        QTRY_COMPARE(stage.listed(), (QStringList{"kept", "more"}));
        QVERIFY(stage.wait());
        QCOMPARE(stage.noteOf(path), QString("kept"));
    }
};

HIGHWATER_TEST(NoteControllerTest);
#include "note_controller_test.moc"
