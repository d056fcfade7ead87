#pragma once

#include "app/pages/page_filter.h"
#include "app/tools/fleet/page/fleet_request.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/store/published/published_trace.h"
#include "ui/state/finders/finder_of.h"
#include "ui/view/parts/message_strip.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

class SymbolSession;

/// Finds the stack of a run in processes with its name, as row paths of a trace. One stack may have several paths if
/// its code is at several addresses. Empty if it does not exist, or its functions have no names yet. Error: Cancelled.
/// Any thread.
[[nodiscard]] Result<std::vector<analysis::KeyPath>> findRows(const store::PublishedTrace& trace,
                                                              analysis::FrameLabels& labels, const ui::FleetRun& run,
                                                              std::stop_token stop);

/// Shows the rows of a run when its trace is open: the table, interval and process at once, and the stack when its
/// functions have the names known to the fleet. GUI thread only; searches stacks on a worker.
class FleetRows : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive this object.
    FleetRows(ui::AnalysisTabs& tabs, SymbolSession& symbols, QObject* parent = nullptr);

    /// The trace of the run is on screen.
    void show(const ui::FleetRun& run);
    /// The trace is replaced, so pending requests are dropped.
    void forget();
    [[nodiscard]] bool isWaiting() const { return waiting_.has_value(); }

  signals:
    void namesWanted();
    /// The result message.
    void messageWanted(const highwater::ui::Message& message);

  private:
    struct Request {
        std::shared_ptr<const store::PublishedTrace> trace;
        std::shared_ptr<analysis::FrameLabels> labels;
        ui::FleetRun run;
        bool isLast = false; ///< no more names will arrive
    };
    void look();
    void take(const Request& request, const std::vector<analysis::KeyPath>& rows);
    void showInterval(const ui::FleetRun& run);
    void filterToProcess(const ui::FleetRun& run);
    void filterTo(analysis::Table table, std::vector<analysis::KeyPath> rows, const QString& text);

    ui::AnalysisTabs& tabs_;
    SymbolSession& symbols_;
    PageFilter filter_;
    std::optional<ui::FleetRun> waiting_; ///< the run waiting for names
    ui::FinderOf<Request, std::vector<analysis::KeyPath>> finder_;
};

} // namespace highwater::app
