#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/query_lane.h"
#include "ui/state/trace_on_screen.h"

#include <QMetaObject>
#include <QObject>
#include <QTimer>

class QDockWidget;

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

/// When the page in a dock asks its question: once at the end of this turn of the event loop after what it is about has
/// changed, at leisure while the trace grows, and never while nobody can see it. GUI thread only.
class PageRefresh : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive it. The dock is in its window (page_dock.h).
    PageRefresh(QDockWidget& dock, ui::AnalysisTabs& tabs);

    /// Whether the page is to ask and has not yet; false where nobody can see it.
    [[nodiscard]] bool isPending() const;
    /// The page asks about this graph: what its filter keeps, from now on. Null: about none.
    void followFilterOf(ui::GraphState* graph);

  public slots:
    void askSoon();

  signals:
    void askWanted(highwater::ui::Urgency urgency);
    /// Nobody can see the page any more: its question may be dropped.
    void hidden();
    /// Somebody sees it, from now on or another trace in it: functions are to get names.
    void namesWanted();
    /// What the page shows is of a trace that is gone. isGone: no other has come.
    void traceReplaced(bool isGone);

  private:
    void ask(ui::Urgency urgency);
    void followVisibility(bool isVisible);
    void followTrace(ui::TraceOnScreen::Changes changes);

    const QDockWidget& dock_;
    QTimer soon_;
    QTimer growth_; ///< while a trace grows, the page follows it at leisure
    QMetaObject::Connection filter_;
};

} // namespace highwater::app
