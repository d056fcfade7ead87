#pragma once

#include "app/window/start_view.h"

#include <QObject>

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

class TraceTools;

/// Applies the StartView of the command line to the next trace: each part once, as soon as the trace has the data.
/// Owned by the window. GUI thread only.
class StartViewController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive this object.
    StartViewController(ui::AnalysisTabs& tabs, TraceTools& tools, QObject* parent);

    void setView(StartView view) { view_ = std::move(view); }
    /// A requested graph has no data yet.
    [[nodiscard]] bool waitsForGraph() const { return view_.graph.has_value(); }
    [[nodiscard]] bool waitsForHotPath() const { return view_.opensHotPath; }

    /// The trace is on screen; opens the requested pages.
    void showPages();
    /// Opens graphs that have rows now, unless one was requested.
    void showFirstTableWithData();
    /// Applies the parts that are possible while the trace is loading.
    void showFirst();
    /// The trace is loaded. Opens Held By if it shows little but pictures of memory and the command line names no page,
    /// and closes it again for the next trace. Only the hot path still waits for the table.
    void showAll();
    /// The table shows the answer to its newest question; hotPathOpened() follows unless the question is replaced.
    void openHotPath();

  signals:
    /// The trace does not contain the requested view.
    void failed(const QString& sentence);
    void hotPathOpened();

  private:
    void showPictures();

    ui::AnalysisTabs& tabs_;
    TraceTools& tools_;
    StartView view_;
    bool hasOpenedHeldBy_ = false; ///< for the trace before
};

} // namespace highwater::app
