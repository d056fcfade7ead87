#pragma once

#include "app/tools/balance/page/balance_model.h"
#include "ui/view/parts/page_table.h"
#include "ui/view/parts/page_widgets.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace highwater::ui {

class Chart;

/// What the resident memory of each process is used for at one sample, next to a chart of all samples of the selected
/// process. A click or Enter on a sample of the chart shows that instant; Escape in the list returns to the newest one.
/// GUI thread only.
class BalanceView : public QWidget {
    Q_OBJECT
  public:
    explicit BalanceView(QWidget* parent = nullptr);

    /// Text of the page without a trace.
    [[nodiscard]] static QString emptyText() {
        return tr("Open or record a trace to see the layers of resident memory.");
    }
    /// Keeps the selected and expanded rows that still exist.
    void setAnswer(std::shared_ptr<const BalanceAnswer> answer);
    /// Clears the page and shows the reason.
    void clear(const QString& why);
    void setBusy(bool busy) { summary_->setBusy(busy); }
    [[nodiscard]] QTreeView& table() { return *table_; }
    [[nodiscard]] const BalanceModel& model() const { return model_; }

  signals:
    /// The samples at or before this time; nothing: the newest ones.
    void instantWanted(std::optional<highwater::TraceTime> at);

  protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void buildTable();
    [[nodiscard]] const analysis::BalanceCourse* selectedCourse() const;
    void restoreRows(const std::vector<BalanceModel::RowName>& open, const BalanceModel::RowName& selected);
    [[nodiscard]] std::vector<BalanceModel::RowName> openRows() const;
    void showSummary();
    void showChart();
    [[nodiscard]] std::optional<QStringList> copiedLines() const;

    BalanceModel model_;
    PageTable* table_;
    Chart* chart_;
    BusySummary* summary_;
};

} // namespace highwater::ui
