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

/// Connects the list of row notes with the tables. GUI thread only.
class NoteController : public QObject {
    Q_OBJECT
  public:
    /// The tabs must outlive this object.
    explicit NoteController(ui::AnalysisTabs& tabs, QObject* parent = nullptr) : QObject(parent), tabs_(tabs) {}

    /// The list to place in the window, which owns it.
    [[nodiscard]] ui::NotesView* makeView(QWidget* parent);

  signals:
    void messageWanted(const highwater::ui::Message& message);
    void messageGone(const QString& sentence);

  private:
    void goTo(const ui::RowNotes::Note& note);
    void showRemovalMessage(const ui::RowNotes::Note& note);

    ui::AnalysisTabs& tabs_;
};

} // namespace highwater::app
