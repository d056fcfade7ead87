#pragma once

#include "app/tools/addresses/page/address_map_canvas.h"
#include "core/analysis/addresses/address_history.h"
#include "ui/view/parts/page_widgets.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QComboBox;

namespace highwater::ui {

/// The page of the address map: whose addresses, how much of what is committed there is used, the map, and below it
/// what lies under the pointer. GUI thread only.
class AddressMapView : public QWidget {
    Q_OBJECT
  public:
    explicit AddressMapView(QWidget* parent = nullptr);

    /// What the page says without a trace.
    [[nodiscard]] static QString emptyText() { return tr("Open or record a trace to see its addresses."); }
    /// The chosen one stays chosen where it is among them.
    void setProcesses(const std::vector<std::pair<ProcessIndex, QString>>& processes);
    /// None: there is none.
    [[nodiscard]] std::optional<ProcessIndex> process() const;
    void setAnswer(std::shared_ptr<const AddressMapAnswer> answer);
    /// There is nothing to show, and why.
    void clear(const QString& why);
    void setBusy(bool busy) { summary_->setBusy(busy); }
    /// What has the address that is pointed at; null: nothing is known of it.
    void setUse(const AddressMapCanvas::Place& place, const analysis::AddressUse* use);
    void clearUse();
    [[nodiscard]] AddressMapCanvas& canvas() { return *canvas_; }
    [[nodiscard]] QComboBox& processBox() { return *process_; }

  signals:
    void processChanged();

  private:
    void showSummary();

    QComboBox* process_;
    BusySummary* summary_;
    ElidedLabel* words_;
    AddressMapCanvas* canvas_;
};

/// "24.0 MB committed, 12.0 MB live: 50 % used"; what is not known is not told.
[[nodiscard]] QString usedText(const analysis::AddressMap& map);

} // namespace highwater::ui
