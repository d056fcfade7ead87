#pragma once

#include "ui/state/row_notes.h"

#include <QDialog>

class QLineEdit;

namespace highwater::ui {

/// Editor for the note of one row. Enter saves it; an empty text removes the note. GUI thread only.
class NoteEditor : public QDialog {
    Q_OBJECT
  public:
    /// `note` contains the row and the current text. The notes must outlive it.
    NoteEditor(RowNotes& notes, RowNotes::Note note, QWidget* parent);

  private:
    void keep();

    RowNotes& notes_;
    RowNotes::Note note_;
    QLineEdit* text_;
};

} // namespace highwater::ui
