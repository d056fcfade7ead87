#pragma once

#include "app/tools/fleet/page/fleet_request.h"
#include "ui/view/parts/message_strip.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <string>

class QPushButton;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace highwater::ui {

class ElidedLabel;
class FleetChart;
class FleetForm;
class FleetList;
class FleetStoreBar;
class PlainLabel;

/// The Fleet page: the store at the top, the query on the left, its answer as a table, and the history of the selected
/// stack as a graph. Enter or a double click lists the runs of a stack, or of a build in the graph, and requests the
/// trace of a run. Escape returns from the runs. Does not access a store: it emits queries and receives answers. GUI
/// thread only.
class FleetView : public QWidget {
    Q_OBJECT
  public:
    explicit FleetView(QWidget* parent = nullptr);

    [[nodiscard]] FleetStoreBar& store() { return *store_; }
    [[nodiscard]] FleetForm& form() { return *form_; }
    [[nodiscard]] MessageStrip& strip() { return *strip_; }
    [[nodiscard]] FleetList& answers() { return *answers_; }
    [[nodiscard]] FleetList& runs() { return *runs_; }
    [[nodiscard]] FleetChart& chart() { return *chart_; }

    /// The store has changed: clears the page and shows the reason.
    void clear(const QString& why);
    void setContents(const FleetContents& contents);
    /// The query is running. The old answer stays, dimmed, until the new one arrives, or if the query fails.
    void setAsking(bool isAsking);
    /// The query for the runs of a stack is running; it can also be cancelled.
    void setWaiting(bool isWaiting);
    void setAnswer(std::shared_ptr<const FleetAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const FleetAnswer>& answer() const { return answer_; }
    /// The history of the selected stack. Null: none, with the reason.
    void setHistory(std::shared_ptr<const fleet::HistoryAnswer> history, fleet::Measure measure,
                    const QString& why = {});
    void setWorst(std::shared_ptr<const FleetWorst> worst);
    /// The last listed runs; null: none.
    [[nodiscard]] const std::shared_ptr<const FleetWorst>& worst() const { return worst_; }
    void showRuns(bool areRuns);
    [[nodiscard]] bool areRunsShown() const;
    void focusAnswer();

  signals:
    void cancelWanted();
    void askAgainWanted();
    void stackSelected(const highwater::fleet::FleetStack& stack);
    void runsWanted(const highwater::fleet::FleetStack& stack, const std::string& build);
    /// The user returned to the answer.
    void runsLeft();
    void runWanted(const highwater::ui::FleetRun& run);
    /// Export of the answer or of the listed runs.
    void exportWanted(highwater::ui::FleetFormat format);

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void build();
    QWidget* makeForm();
    QWidget* makeAnswer();
    void connectViews();
    void select(std::size_t row);
    void choose(std::size_t row);
    void chooseRun(std::size_t row);
    void chooseBuild(const std::string& build);
    void leaveRuns();
    void dim();

    FleetStoreBar* store_;
    MessageStrip* strip_;
    FleetForm* form_;
    QPushButton* ask_;
    QPushButton* cancel_;
    ElidedLabel* summary_;
    PlainLabel* notes_;
    QToolButton* back_;
    QToolButton* export_;
    QStackedWidget* lists_;
    FleetList* answers_;
    FleetList* runs_;
    FleetChart* chart_;
    QSplitter* splitter_;
    QTimer age_; ///< delays the dimming of an outdated answer
    std::shared_ptr<const FleetAnswer> answer_;
    std::shared_ptr<const FleetWorst> worst_;
    bool isAsking_ = false, isWaiting_ = false;
};

} // namespace highwater::ui
