#pragma once

#include "ui/state/row_notes.h"
#include "ui/view/parts/message_strip.h"

#include <QObject>

class QWidget;

namespace highwater::ui {
class AnalysisTabs;
class NotesView;
} // namespace highwater::ui

namespace highwater::app {

/// The list of notes on rows, wired to the tables that the rows are of. GUI thread only.
class NoteController : public QObject {
    Q_OBJECT
  public:
    /// The tabs must outlive it.
    explicit NoteController(ui::AnalysisTabs& tabs, QObject* parent = nullptr) : QObject(parent), tabs_(tabs) {}

    /// The list, for the window to place; the window owns it.
    [[nodiscard]] ui::NotesView* makeView(QWidget* parent);

  signals:
    void messageWanted(const highwater::ui::Message& message);
    void messageGone(const QString& sentence);

  private:
    void goTo(const ui::RowNotes::Note& note);
    void tellRemoval(const ui::RowNotes::Note& note);

    ui::AnalysisTabs& tabs_;
};

} // namespace highwater::app
