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

/// The Fleet page: a store of runs above, the question at the left, its answer as a table and the history of the
/// selected stack as a graph. Enter or a double click on a stack lists its runs, on a build of the graph the runs of
/// that build, on a run it asks for its trace; Escape goes back from the runs. Knows no store: it emits questions and
/// is given answers. GUI thread only.
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

    /// Another store: nothing is shown, and why.
    void clear(const QString& why);
    void setContents(const FleetContents& contents);
    /// The answer is asked for anew. Until it is there, or in place of it, the old one stays, dimmed.
    void setAsking(bool isAsking);
    /// The runs of a stack are asked for, which can be cancelled, too.
    void setWaiting(bool isWaiting);
    void setAnswer(std::shared_ptr<const FleetAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const FleetAnswer>& answer() const { return answer_; }
    /// Of the stack that is selected. Null: there is none, and why.
    void setHistory(std::shared_ptr<const fleet::HistoryAnswer> history, fleet::Measure measure,
                    const QString& why = {});
    void setWorst(std::shared_ptr<const FleetWorst> worst);
    /// The runs that were listed last; null: none were.
    [[nodiscard]] const std::shared_ptr<const FleetWorst>& worst() const { return worst_; }
    void showRuns(bool areRuns);
    [[nodiscard]] bool areRunsShown() const;
    void focusAnswer();

  signals:
    void cancelWanted();
    void askAgainWanted();
    void stackSelected(const highwater::fleet::FleetStack& stack);
    void runsWanted(const highwater::fleet::FleetStack& stack, const std::string& build);
    /// By the user, back to the answer.
    void runsLeft();
    void runWanted(const highwater::ui::FleetRun& run);
    /// The answer, or the runs that are shown, as a file.
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
    QTimer age_; ///< the answer is old for a moment before it is dimmed
    std::shared_ptr<const FleetAnswer> answer_;
    std::shared_ptr<const FleetWorst> worst_;
    bool isAsking_ = false, isWaiting_ = false;
};

} // namespace highwater::ui
