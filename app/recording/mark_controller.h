#pragma once

#include "ui/state/mark_list.h"

#include <QObject>

namespace highwater::ui {
class AnalysisTabs;
class MarksView;
} // namespace highwater::ui

namespace highwater::app {

class RecordingSession;
class TraceOpener;

/// The marks of what is shown: from the trace into the list and the graphs, and from the list into the recording.
/// GUI thread only.
class MarkController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive it.
    MarkController(TraceOpener& opener, RecordingSession& session, ui::AnalysisTabs& tabs, QObject* parent = nullptr);

    /// Another trace is shown from now on.
    void clear() { marks_.clear(); }
    /// The list, for the window to place; the window owns it.
    [[nodiscard]] ui::MarksView* makeView(QWidget* parent);

  signals:
    void messageWanted(const QString& sentence);

  private:
    void noteEdit(qint64 ticks, const QString& name);

    RecordingSession& session_;
    ui::AnalysisTabs& tabs_;
    ui::MarkList marks_;
};

} // namespace highwater::app
