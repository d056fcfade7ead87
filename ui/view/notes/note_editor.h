#pragma once

#include "ui/state/row_notes.h"

#include <QDialog>

class QLineEdit;

namespace highwater::ui {

/// The line in which the note of one row is typed; Enter keeps it, an empty one takes the note away. GUI thread only.
class NoteEditor : public QDialog {
    Q_OBJECT
  public:
    /// `note`: the row, and the text that it has. The notes must outlive it.
    NoteEditor(RowNotes& notes, RowNotes::Note note, QWidget* parent);

  private:
    void keep();

    RowNotes& notes_;
    RowNotes::Note note_;
    QLineEdit* text_;
};

} // namespace highwater::ui
