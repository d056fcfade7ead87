#pragma once

#include "ui/model/note_list_model.h"

#include <QTreeView>

class QAction;

namespace highwater::ui {

/// The notes on rows. Double-click or Enter goes to the row, F2 edits, Del deletes; the context menu has all commands.
/// Hidden while there are no notes. GUI thread only.
class NotesView : public QTreeView {
    Q_OBJECT
  public:
    /// `notes` must outlive it.
    explicit NotesView(RowNotes& notes, QWidget* parent = nullptr);

    [[nodiscard]] NoteListModel& model() { return model_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    void rowWanted(const highwater::ui::RowNotes::Note& note);
    void deleted(const highwater::ui::RowNotes::Note& note);

  protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    void follow();
    void removeCurrent();

    RowNotes& notes_;
    NoteListModel model_;
    QAction* go_;
    QAction* edit_;
    QAction* remove_;
};

} // namespace highwater::ui
