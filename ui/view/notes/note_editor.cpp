#include "ui/view/notes/note_editor.h"

#include "ui/format/plain_text.h"
#include "ui/view/parts/plain_widgets.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QVBoxLayout>

#include <utility>

namespace highwater::ui {
namespace {

constexpr int kNoteWidth = 460;
constexpr int kLongestNote = 1'000;

} // namespace

NoteEditor::NoteEditor(RowNotes& notes, RowNotes::Note note, QWidget* parent)
    : QDialog(parent), notes_(notes), note_(std::move(note)), text_(new QLineEdit(note_.text)) {
    setObjectName(QStringLiteral("noteEditor"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Note on a Row"));
    auto* row = new PlainLabel;
    row->setSentence(lineText(note_.row));
    text_->setObjectName(QStringLiteral("noteText"));
    text_->setAccessibleName(tr("Note on %1").arg(lineText(note_.row)));
    text_->setPlaceholderText(note_.text.isEmpty() ? tr("Text of the note") : tr("Leave empty to remove the note"));
    text_->setMaxLength(kLongestNote);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &NoteEditor::keep);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(row);
    layout->addWidget(text_);
    layout->addWidget(buttons);
    resize(kNoteWidth, sizeHint().height());
    text_->setFocus();
}

void NoteEditor::keep() {
    note_.text = text_->text();
    notes_.set(note_);
    accept();
}

} // namespace highwater::ui

#include "moc_note_editor.cpp"
