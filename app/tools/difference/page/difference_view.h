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
class TreeFlamesView;
class RenameOffer;

/// The difference between two sides: a tree with numbers before and after. Selecting a row highlights it in the graph;
/// Space, Enter or a double click filters to it or removes the filter. Shows lines of the selected rows over time next
/// to it, or a flame graph instead. GUI thread only.
class DifferenceView : public QWidget {
    Q_OBJECT
  public:
    explicit DifferenceView(QWidget* parent = nullptr);

    /// The display mode.
    enum class Shows : std::uint8_t { Table, TableAndGraph, Flames };

    /// Disables measures that the sides do not provide, and replaces a selected one by Outstanding.
    void offerMeasures(const analysis::DifferenceQuery& query);
    /// Names of both sides: "old.etl, 0 s to 34 s".
    void setSides(const QString& before, const QString& after);
    /// Ignored for rows of another answer.
    void setLines(const DifferenceLines& lines);
    void setFlames(const DifferenceFlames& flames);
    void setShows(Shows shows);
    [[nodiscard]] Shows shows() const;
    [[nodiscard]] bool isOfInstants() const;
    /// Whether renames apply, which is the case between two traces.
    void setRenamable(bool isRenamable, std::size_t renames);
    /// Keeps the expanded and selected rows that still exist. Null: shows nothing until an answer arrives.
    void setAnswer(std::shared_ptr<const DifferenceAnswer> answer);
    /// Clears the page and shows the reason.
    void clear(const QString& why);
    void setBusy(bool busy) { summary_->setBusy(busy); }
    /// Loading progress of the other trace; empty: not loading.
    void setProgress(std::optional<int> percent);
    /// A remark for the user, for example that symbols are still loading.
    void setRemark(const QString& sentence);
    /// The row that the graph is filtered to, by pathOf(); empty: none.
    void setFiltered(const QStringList& path) { filtered_ = path; }

    [[nodiscard]] analysis::Measure measure() const;
    [[nodiscard]] bool isBottomUp() const;
    [[nodiscard]] QTreeView& tree() { return *tree_; }
    [[nodiscard]] DifferenceChart& chart() { return *chart_; }
    [[nodiscard]] TreeFlamesView& flames() { return *flames_; }
    [[nodiscard]] RenameOffer& offer() { return *offer_; }
    [[nodiscard]] const DifferenceModel& model() const { return model_; }
    /// Index in the model; invalid: none selected.
    [[nodiscard]] QModelIndex selected() const;

  signals:
    /// The measure or the direction of stacks has changed.
    void questionChanged();
    void cancelWanted();
    void painted(std::uint32_t row);
    /// Selected by an answer, not by the user.
    void firstShown(std::uint32_t row);
    void filterWanted(std::uint32_t row);
    void filterUnwanted();
    /// The page needs the lines of these rows, or its answer as a flame graph.
    void linesWanted(const std::vector<std::uint32_t>& rows);
    void flamesWanted();
    /// The user wants to edit the renames.
    void renamesWanted();

  private:
    void build();
    void buildTree();
    void buildChoices();
    void showSummary();
    void toggleFilter();
    [[nodiscard]] std::optional<QStringList> copiedLines() const;
    void connectViews();
    /// Requests the lines or the flame graph.
    void requestPictures();
    [[nodiscard]] std::vector<std::uint32_t> rowsOfLines() const;
    /// The row with these texts from the first level on; empty if there is none.
    [[nodiscard]] std::optional<std::uint32_t> rowOf(const QStringList& path) const;
    void goToRow(const QStringList& path);
    /// The selected row by pathOf(); empty: none.
    [[nodiscard]] QStringList selectedPath() const;
    /// Joined texts of expanded rows.
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
    TreeFlamesView* flames_;
    QString before_;
    QString after_;
    QProgressBar* progress_;
    QPushButton* cancel_;
    QString remark_;
    QStringList filtered_;
    bool isChosen_ = false; ///< the user selected the current row
};

} // namespace highwater::ui
