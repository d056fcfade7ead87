#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/query_lane.h"
#include "ui/state/trace_on_screen.h"

#include <QMetaObject>
#include <QObject>
#include <QTimer>

#include <array>

class QDockWidget;

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

/// Schedules the question of a page in a dock: once at the end of the event loop turn in which its subject changed, at
/// a low rate while the trace grows, and never while the page is not visible. GUI thread only.
class PageRefresh : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive this object. The dock is in its window (page_dock.h).
    PageRefresh(QDockWidget& dock, ui::AnalysisTabs& tabs);

    /// Whether a question is due but not yet asked; false if the page is not visible.
    [[nodiscard]] bool isPending() const;
    /// Sets the graphs of the question and follows their filters. Null: none.
    void followFilterOf(ui::GraphState* graph, ui::GraphState* other = nullptr);

  public slots:
    void askSoon();

  signals:
    void askWanted(highwater::ui::Urgency urgency);
    /// The page is no longer visible, so its question may be dropped.
    void hidden();
    /// The page became visible or shows another trace, so function names are needed.
    void namesWanted();
    /// The page shows a closed trace. isGone: no other trace replaces it.
    void traceReplaced(bool isGone);

  private:
    void ask(ui::Urgency urgency);
    void followVisibility(bool isVisible);
    void followTrace(ui::TraceOnScreen::Changes changes);

    const QDockWidget& dock_;
    QTimer soon_;
    QTimer growth_; ///< low refresh rate while a trace grows
    std::array<QMetaObject::Connection, 2> filters_;
};

} // namespace highwater::app
