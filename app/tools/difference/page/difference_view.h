#pragma once

#include "app/tools/difference/page/difference_model.h"
#include "ui/view/parts/page_table.h"
#include "ui/view/parts/page_widgets.h"

#include <QSet>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QProgressBar;
class QPushButton;
class QSplitter;
class QToolButton;

namespace highwater::ui {

class DifferenceChart;
class DifferenceFlamesView;
class RenameOffer;

/// What is different between two sides: a tree with numbers before and after. Selecting a row paints it; a click or
/// Space filters to it, once more takes that back. Beside it lines of the selected rows over time; or a flame graph
/// instead. GUI thread only.
class DifferenceView : public QWidget {
    Q_OBJECT
  public:
    explicit DifferenceView(QWidget* parent = nullptr);

    /// What the page shows of an answer.
    enum class Shows : std::uint8_t { Table, TableAndGraph, Flames };

    /// Measures that the sides of the query do not tell cannot be chosen; of one that was, Outstanding is.
    void offerMeasures(const analysis::DifferenceQuery& query);
    /// What both sides are called: "old.etl, 0 s to 34 s".
    void setSides(const QString& before, const QString& after);
    /// Of rows of another answer: not shown.
    void setLines(const DifferenceLines& lines);
    void setFlames(const DifferenceFlames& flames);
    void setShows(Shows shows);
    [[nodiscard]] Shows shows() const;
    [[nodiscard]] bool isOfInstants() const;
    /// Whether renames mean anything: between two traces they do.
    void setRenamable(bool isRenamable, std::size_t renames);
    /// What was open and selected stays so, where it is still there. Null: nothing is shown until there is one.
    void setAnswer(std::shared_ptr<const DifferenceAnswer> answer);
    /// There is nothing to show, and why.
    void clear(const QString& why);
    void setBusy(bool busy) { summary_->setBusy(busy); }
    /// How far the other trace is loaded; nothing: none is being loaded.
    void setProgress(std::optional<int> percent);
    /// What else the reader should know: whatever is still to come.
    void setRemark(const QString& sentence);
    /// The row that the graph is filtered to, by pathOf(); empty: none.
    void setFiltered(const QStringList& path) { filtered_ = path; }

    [[nodiscard]] analysis::Measure measure() const;
    [[nodiscard]] bool isBottomUp() const;
    [[nodiscard]] QTreeView& tree() { return *tree_; }
    [[nodiscard]] DifferenceChart& chart() { return *chart_; }
    [[nodiscard]] DifferenceFlamesView& flames() { return *flames_; }
    [[nodiscard]] RenameOffer& offer() { return *offer_; }
    [[nodiscard]] const DifferenceModel& model() const { return model_; }
    /// Of the model; invalid: none is selected.
    [[nodiscard]] QModelIndex selected() const;

  signals:
    /// The measure, or the direction of stacks.
    void questionChanged();
    void cancelWanted();
    void painted(std::uint32_t row);
    /// The first answer selects this one: nobody chose it.
    void firstShown(std::uint32_t row);
    void filterWanted(std::uint32_t row);
    void filterUnwanted();
    /// The page is to have the lines of these rows, or its answer as a flame graph.
    void linesWanted(const std::vector<std::uint32_t>& rows);
    void flamesWanted();
    /// The reader wants to see and change what was renamed.
    void renamesWanted();

  private:
    void build();
    void buildTree();
    void buildChoices();
    void showSummary();
    void toggleFilter();
    [[nodiscard]] std::optional<QStringList> copiedLines() const;
    void connectViews();
    /// Asks for what is shown beside the rows, or instead of them.
    void wantPictures();
    [[nodiscard]] std::vector<std::uint32_t> rowsOfLines() const;
    /// The row of the answer with these texts from the first level on; nothing: it has none.
    [[nodiscard]] std::optional<std::uint32_t> rowOf(const QStringList& path) const;
    void goToRow(const QStringList& path);
    /// Texts of what is open, joined.
    [[nodiscard]] QSet<QString> openPaths() const;
    void openAgain(const QSet<QString>& paths);
    void openFirst();
    [[nodiscard]] QModelIndex find(const QStringList& path) const;

    DifferenceModel model_;
    PageTable* tree_;
    BusySummary* summary_;
    ElidedLabel* sides_;
    PlainLabel* notes_;
    QComboBox* measure_;
    QCheckBox* bottomUp_;
    QComboBox* shows_;
    QToolButton* whole_;
    QToolButton* renames_;
    RenameOffer* offer_;
    QSplitter* splitter_;
    DifferenceChart* chart_;
    DifferenceFlamesView* flames_;
    QString before_;
    QString after_;
    QProgressBar* progress_;
    QPushButton* cancel_;
    QString remark_;
    QStringList filtered_;
};

} // namespace highwater::ui
