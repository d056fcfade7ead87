#pragma once

#include "app/tools/balance/page/balance_model.h"
#include "ui/view/parts/page_table.h"
#include "ui/view/parts/page_widgets.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <string>

class QComboBox;
class QPushButton;

namespace highwater::ui {

class Chart;

/// Shows the use of each process's resident memory at one sample, next to a chart of all samples of the selected
/// process. A click or Enter on a sample of the chart shows that instant; Escape in the list returns to the newest one.
/// A box chooses the two levels below a process. A button tries malloc_trim in a copy of the selected process, if it is
/// being recorded. GUI thread only.
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
    /// Whether the processes of the answer are being recorded.
    void setRecording(bool isRecording);
    /// A trial of this process has begun. Until it has ended, no other one can begin.
    void beginTrial(const std::string& process);
    /// It has ended: sentences about the process, shown until another one is selected.
    void endTrial(const QString& sentences);
    /// It had no result. The result of an earlier trial of the process stays below the reason.
    void endFailedTrial(const QString& why);
    /// Null: none is selected.
    [[nodiscard]] const analysis::Balance* selectedBalance() const;
    [[nodiscard]] QTreeView& table() { return *table_; }
    [[nodiscard]] const BalanceModel& model() const { return model_; }

  signals:
    /// The samples at or before this time; nothing: the newest ones.
    void instantWanted(std::optional<highwater::TraceTime> at);
    /// For the selected process.
    void trialWanted();
    /// Which stacks of the process hold its pages.
    void holdersWanted(highwater::ProcessIndex process);

  protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void buildTable();
    void buildGroupings();
    [[nodiscard]] QLayout* makeTools();
    void group(int choice);
    void buildHolders();
    void buildTrial();
    void askForHolders();
    [[nodiscard]] const analysis::BalanceCourse* selectedCourse() const;
    void restoreRows(const std::vector<BalanceModel::RowName>& open, const BalanceModel::RowName& selected);
    [[nodiscard]] std::vector<BalanceModel::RowName> openRows() const;
    /// Changes the model. Rows that still exist stay open and selected.
    void refreshRows(const std::function<void()>& change);
    void showSummary();
    void showTrial();
    void showEndOfTrial(const QString& text);
    void showChart();
    [[nodiscard]] std::optional<QStringList> copiedLines() const;

    BalanceModel model_;
    PageTable* table_;
    Chart* chart_;
    BusySummary* summary_;
    QComboBox* groupings_;
    QPushButton* showHolders_;
    QPushButton* tryTrim_;
    PlainLabel* trial_;
    std::string triedProcess_; ///< process of the current or last trial; "": none
    QString trialResult_;      ///< of the last trial of this process that had one
    bool isRecording_ = false;
    bool isTrying_ = false;
};

} // namespace highwater::ui
