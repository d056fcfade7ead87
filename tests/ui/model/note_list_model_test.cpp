#include "ui/model/note_list_model.h"

#include "tests/support/test_registry.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using analysis::Column;
using analysis::Table;

namespace {

RowNotes::Note noteOn(std::uint64_t process, const QString& text) {
    return {Table::Heap, {{Column::Process, process}}, QStringLiteral("Process %1").arg(process), text};
}

/// A list with its model, every change of which is checked.
struct NotesStage {
    RowNotes notes;
    NoteListModel model{notes};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
    QStringList texts() {
        QStringList texts;
        for (int row = 0; row < model.rowCount(); ++row)
            texts << model.index(row, NoteListModel::kText).data().toString();
        return texts;
    }
};

} // namespace

class NoteListModelTest : public QObject {
    Q_OBJECT
  private slots:
    void listsNotesAndTheirRows() {
        NotesStage stage;
        stage.notes.set(noteOn(1, "a leak"));
        stage.notes.set(noteOn(2, " two\nlines "));
        QCOMPARE(stage.texts(), (QStringList{"a leak", "two lines"}));
        QCOMPARE(stage.model.index(1, NoteListModel::kRow).data().toString(), QString("Process 2"));
        QCOMPARE(stage.model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QString("Note"));
    }
    void aRowHasOneNote() {
        NotesStage stage;
        stage.notes.set(noteOn(1, "a"));
        stage.notes.set(noteOn(1, "b"));
        QCOMPARE(stage.texts(), QStringList("b"));
        QCOMPARE(stage.notes.textOf(Table::Heap, {{Column::Process, 1}}), QString("b"));
        QVERIFY(stage.notes.textOf(Table::Frees, {{Column::Process, 1}}).isEmpty()); // another table's row
        stage.notes.set(noteOn(1, "  "));
        QVERIFY(stage.texts().isEmpty());
        stage.notes.set(noteOn(1, ""));
        QVERIFY(stage.texts().isEmpty());
    }
    void noteStaysWhereItIsWhenOthersGo() {
        NotesStage stage;
        for (std::uint64_t process = 1; process <= 4; ++process)
            stage.notes.set(noteOn(process, QString::number(process)));
        const QPersistentModelIndex third(stage.model.index(2, 0));
        stage.notes.remove(0);
        stage.notes.remove(2);
        stage.notes.remove(7); // there is none
        QCOMPARE(stage.texts(), (QStringList{"2", "3"}));
        QCOMPARE(third.row(), 1);
        stage.notes.clear();
        QCOMPARE(stage.model.rowCount(), 0);
    }
    void isEditedInPlace() {
        NotesStage stage;
        stage.notes.set(noteOn(1, "a"));
        QVERIFY(stage.model.setData(stage.model.index(0, 0), "b", Qt::EditRole));
        QCOMPARE(stage.notes.notes().at(0).text, QString("b"));
        QVERIFY(!stage.model.setData(stage.model.index(0, 0), " ", Qt::EditRole));
        QVERIFY(!stage.model.setData(stage.model.index(0, 1), "x", Qt::EditRole));
        QVERIFY(!(stage.model.flags(stage.model.index(0, 1)) & Qt::ItemIsEditable));
        QSignalSpy changed(&stage.notes, &RowNotes::changed);
        stage.notes.set(noteOn(1, "b")); // unchanged
        QCOMPARE(changed.size(), 0);
    }
};
HIGHWATER_TEST(NoteListModelTest);
#include "note_list_model_test.moc"
