#pragma once

#include "ui/model/difference_model.h"

#include <QSet>
#include <QWidget>

#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QTreeView;

namespace highwater::ui {

class ElidedLabel;
class PlainLabel;

/// What is different between two sides: a tree with numbers before and after. Selecting a row paints it; a click or
/// Space filters to it, once more takes that back. GUI thread only.
class DifferenceView : public QWidget {
    Q_OBJECT
  public:
    explicit DifferenceView(QWidget* parent = nullptr);

    /// What both sides are called: "old.etl, 0 s to 34 s".
    void setSides(const QString& before, const QString& after);
    /// What was open and selected stays so, where it is still there. Null: nothing is shown until there is one.
    void setAnswer(std::shared_ptr<const DifferenceAnswer> answer);
    /// There is nothing to show, and why.
    void clear(const QString& why);
    void setBusy(bool busy);
    /// How far the other trace is loaded; nothing: none is being loaded.
    void setProgress(std::optional<int> percent);
    /// What else the reader should know: whatever is still to come.
    void setRemark(const QString& sentence);
    /// The row that the graph is filtered to, by pathOf(); empty: none.
    void setFiltered(const QStringList& path) { filtered_ = path; }

    [[nodiscard]] analysis::Measure measure() const;
    [[nodiscard]] bool isBottomUp() const;
    [[nodiscard]] QTreeView& tree() { return *tree_; }
    [[nodiscard]] const DifferenceModel& model() const { return model_; }
    /// Of the model; invalid: none is selected.
    [[nodiscard]] QModelIndex selected() const;

  signals:
    /// The measure, or the direction of stacks.
    void questionChanged();
    void cancelWanted();
    void painted(std::uint32_t row);
    void filterWanted(std::uint32_t row);
    void filterUnwanted();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build();
    void buildTree();
    void showSummary();
    void toggleFilter();
    void copy();
    /// Texts of what is open, joined.
    [[nodiscard]] QSet<QString> openPaths() const;
    void openAgain(const QSet<QString>& paths);
    void openFirst();
    [[nodiscard]] QModelIndex find(const QStringList& path) const;

    DifferenceModel model_;
    QSortFilterProxyModel* sorted_;
    QTreeView* tree_;
    ElidedLabel* summary_;
    ElidedLabel* sides_;
    PlainLabel* notes_;
    QComboBox* measure_;
    QCheckBox* bottomUp_;
    QProgressBar* progress_;
    QPushButton* cancel_;
    QString remark_;
    QStringList filtered_;
    bool isBusy_ = false;
    bool isRefreshing_ = false; ///< a selection that is put back is nobody's wish
};

} // namespace highwater::ui
