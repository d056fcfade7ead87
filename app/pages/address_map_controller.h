#pragma once

#include "app/pages/page_filter.h"
#include "app/pages/page_refresh.h"
#include "core/analysis/addresses/address_history.h"
#include "ui/state/finders/address_map_finder.h"
#include "ui/state/graph_state.h"
#include "ui/state/trace_on_screen.h"
#include "ui/view/addresses/address_map_canvas.h"

#include <QAction>
#include <QObject>
#include <QPointer>
#include <QTimer>

class QDockWidget;
class QMainWindow;

namespace highwater::ui {
class AddressMapView;
class AnalysisState;
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

/// The Address Map page in its dock: draws the visible interval, says what lies under the pointer, and filters to what
/// is clicked. GUI thread only.
class AddressMapController : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive it. The dock is hidden until somebody asks for it.
    AddressMapController(ui::AnalysisTabs& tabs, QMainWindow& window);
    ~AddressMapController() override;

    [[nodiscard]] QAction* toggleAction() const;
    /// The page shows what is asked for, or cannot be seen.
    [[nodiscard]] bool isUpToDate() const;

  public slots:
    /// Somebody looks for this address: shows where it is.
    void highlight(highwater::Address address);

  signals:
    /// Who had the address is to be listed.
    void historyWanted(highwater::Address address);
    void namesWanted();
    void upToDate();

  private:
    using Place = ui::AddressMapCanvas::Place;
    struct UseRequest {
        std::shared_ptr<const store::PublishedTrace> trace;
        std::shared_ptr<analysis::FrameLabels> labels;
        analysis::AddressQuery query;
        Place place;
        bool isClick = false;
    };

    void buildDock(QMainWindow& window);
    void connectCanvas();
    void forgetTrace(bool isGone);
    void fillProcesses();
    [[nodiscard]] ui::AnalysisState& state() const;
    void ask(ui::Urgency urgency);
    void askUse(const Place& place, bool isClick);
    void deliver(const UseRequest& request, const Result<analysis::AddressHistory>& answer);
    void filterTo(const analysis::AddressUse& use);

    ui::AnalysisTabs& tabs_;
    ui::AddressMapFinder finder_;
    ui::QueryPools pools_;
    ui::QueryLane<UseRequest, analysis::AddressHistory> uses_;
    QDockWidget* dock_;
    ui::AddressMapView* view_;
    PageRefresh refresh_;
    QTimer hover_; ///< where the pointer rests is asked about
    std::optional<Place> pointed_;
    PageFilter filter_;
};

} // namespace highwater::app
