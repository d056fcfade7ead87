#pragma once

#include "app/window/start_view.h"

#include <QObject>

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

class TraceTools;

/// Shows the next trace as the command line asked for (StartView): each part as soon as the trace has it, and once. The
/// window owns it. GUI thread only.
class StartViewController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive it.
    StartViewController(ui::AnalysisTabs& tabs, TraceTools& tools, QObject* parent);

    void setView(StartView view) { view_ = std::move(view); }
    /// A graph was asked for, and there was nothing to show of it yet.
    [[nodiscard]] bool waitsForGraph() const { return view_.graph.has_value(); }
    [[nodiscard]] bool waitsForHotPath() const { return view_.opensHotPath; }

    /// The trace has come on screen: the pages about it can.
    void showPages();
    /// Graphs that have rows by now, unless one was asked for.
    void showWhatThereIs();
    /// While it is loading: those parts that can be shown already.
    void showFirst();
    /// It is all there. Only the hot path still waits: for the table.
    void showAll();
    /// The table is the answer to its newest question; hotPathOpened() follows, unless it is replaced meanwhile.
    void openHotPath();

  signals:
    /// The trace does not have what was asked for.
    void failed(const QString& sentence);
    void hotPathOpened();

  private:
    ui::AnalysisTabs& tabs_;
    TraceTools& tools_;
    StartView view_;
};

} // namespace highwater::app
