#pragma once

#include "app/pages/graph_page.h"
#include "app/pages/page_filter.h"
#include "app/tools/addresses/page/address_map_canvas.h"
#include "app/tools/addresses/page/address_map_finder.h"
#include "core/analysis/addresses/address_history.h"
#include "ui/state/finders/finder_of.h"

#include <QTimer>

namespace highwater::ui {
class AddressMapView;
class AnalysisState;
} // namespace highwater::ui

namespace highwater::app {

/// The Address Map page: draws the visible interval, says what lies under the pointer, and filters to what
/// is clicked. GUI thread only.
class AddressMapController : public GraphPage {
    Q_OBJECT
  public:
    AddressMapController(ui::AnalysisTabs& tabs, QMainWindow& window);

    [[nodiscard]] bool isUpToDate() const override { return isSettled(finder_.isBusy()); }

  public slots:
    /// Somebody looks for this address: shows where it is.
    void highlight(highwater::Address address);

  signals:
    /// Who had the address is to be listed.
    void historyWanted(highwater::Address address);

  private:
    using Place = ui::AddressMapCanvas::Place;
    struct UseRequest {
        std::shared_ptr<const store::PublishedTrace> trace;
        std::shared_ptr<analysis::FrameLabels> labels;
        analysis::AddressQuery query;
        Place place;
        bool isClick = false;
    };

    void connectCanvas();
    /// The picture has all rows, whatever the filter.
    void connectPanel(ui::GraphPanel& /*panel*/, QObject& /*until*/) override { refresh().followFilterOf(nullptr); }
    void ask(ui::Urgency urgency) override;
    void cancel() override { finder_.cancel(); }
    void forgetTrace(bool isGone) override;
    void fillProcesses();
    [[nodiscard]] ui::AnalysisState& state() const;
    void askUse(const Place& place, bool isClick);
    void deliver(const UseRequest& request, const Result<analysis::AddressHistory>& answer);
    void filterTo(const analysis::AddressUse& use);

    ui::AddressMapView* view_;
    ui::AddressMapFinder finder_;
    ui::FinderOf<UseRequest, analysis::AddressHistory> uses_;
    QTimer hover_; ///< where the pointer rests is asked about
    std::optional<Place> pointed_;
    PageFilter filter_;
};

} // namespace highwater::app
