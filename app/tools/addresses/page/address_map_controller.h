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

/// The Address Map page: draws the visible interval, describes the block under the pointer, and filters to a clicked
/// block. GUI thread only.
class AddressMapController : public GraphPage {
    Q_OBJECT
  public:
    AddressMapController(ui::AnalysisTabs& tabs, QMainWindow& window);

    [[nodiscard]] bool isUpToDate() const override { return isSettled(finder_.isBusy()); }

  public slots:
    /// Shows the position of an address that the user searches for.
    void highlight(highwater::Address address);

  signals:
    /// The uses of this address should be listed.
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
    /// The picture shows all rows regardless of the filter.
    void connectPanel(ui::GraphPanel& /*panel*/, QObject& /*until*/) override { refresh().followFilterOf(nullptr); }
    void ask(ui::Urgency urgency) override;
    void cancel() override { finder_.cancel(); }
    void forgetTrace(bool isGone) override;
    void fillProcesses();
    [[nodiscard]] ui::AnalysisState& state() const;
    void askUse(const Place& place, bool isClick);
    void deliver(const UseRequest& request, const Result<analysis::AddressHistory>& answer);
    void select(const Place& place, const analysis::AddressUse* use);
    void showSelected();
    void toggleFilter();

    ui::AddressMapView* view_;
    ui::AddressMapFinder finder_;
    ui::FinderOf<UseRequest, analysis::AddressHistory> uses_;
    QTimer hover_; ///< delays the query for the pointer position
    std::optional<Place> pointed_;
    Place clicked_;                                ///< the place of the selected use
    std::optional<analysis::AddressUse> selected_; ///< empty: none was clicked
    PageFilter filter_;
};

} // namespace highwater::app
