#pragma once

#include "app/tools/addresses/page/address_map_canvas.h"
#include "core/analysis/addresses/address_history.h"
#include "ui/view/parts/page_widgets.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QToolButton;

namespace highwater::ui {

/// The address map page: process selection, memory use summary, the map, and a description of the block under the
/// pointer. GUI thread only.
class AddressMapView : public QWidget {
    Q_OBJECT
  public:
    explicit AddressMapView(QWidget* parent = nullptr);

    /// Text of the page without a trace.
    [[nodiscard]] static QString emptyText() { return tr("Open or record a trace to see its addresses."); }
    /// Keeps the selected process if it is still in the list.
    void setProcesses(const std::vector<std::pair<ProcessIndex, QString>>& processes);
    /// Empty: none.
    [[nodiscard]] std::optional<ProcessIndex> process() const;
    void setAnswer(std::shared_ptr<const AddressMapAnswer> answer);
    /// Clears the page and shows the reason.
    void clear(const QString& why);
    void setBusy(bool busy) { summary_->setBusy(busy); }
    /// The use of the address under the pointer; null: unknown.
    void setUse(const AddressMapCanvas::Place& place, const analysis::AddressUse* use);
    void clearUse();
    /// Whether a block was clicked, so that its rows can be shown.
    void setBlockSelected(bool isSelected);
    [[nodiscard]] AddressMapCanvas& canvas() { return *canvas_; }
    [[nodiscard]] QComboBox& processBox() { return *process_; }

  signals:
    void processChanged();
    /// Filter to the block that was clicked, or remove that filter.
    void filterToggled();

  private:
    void showSummary();

    QComboBox* process_;
    BusySummary* summary_;
    ElidedLabel* words_;
    AddressMapCanvas* canvas_;
    QToolButton* rows_;
};

/// "24.0 MB committed, 12.0 MB live: 50 % used"; omits unknown amounts.
[[nodiscard]] QString usedText(const analysis::AddressMap& map);

} // namespace highwater::ui
