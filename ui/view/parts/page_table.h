#pragma once

#include <QStringList>
#include <QTreeView>

#include <functional>
#include <optional>
#include <span>

class QAction;
class QSortFilterProxyModel;

namespace highwater::ui {

/// The table of a page. It tells the page what keys and clicks ask for; a key that the page connects nothing to does
/// what it does in every tree. The page owns it, and its model. GUI thread only.
class PageTable : public QTreeView {
    Q_OBJECT
  public:
    /// title: what a screen reader says.
    PageTable(const char* objectName, const QString& title, QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* model) override;
    /// A click on the header sorts by what the model has in this role. Call it before anything is done to the header.
    /// `sorted`, which becomes the table's, knows another order than that of texts and numbers; null: there is none.
    void setSortedModel(QAbstractItemModel& model, int sortRole, QSortFilterProxyModel* sorted = nullptr);
    /// Widths of the first columns, before there is anything in them.
    void setLetters(std::span<const int> letters);
    /// Ctrl+C copies these lines; nullopt leaves the clipboard as it is.
    void setCopiedLines(std::function<std::optional<QStringList>()> lines);
    /// As Ctrl+C does.
    void copy() const;

    /// From the model that is shown, which may be sorted, to the one that was set, and back.
    [[nodiscard]] QModelIndex toSource(const QModelIndex& shown) const;
    [[nodiscard]] QModelIndex fromSource(const QModelIndex& index) const;
    /// The current index of the model that was set; invalid: there is none.
    [[nodiscard]] QModelIndex current() const { return toSource(currentIndex()); }

    /// Meanwhile rowReached() is not emitted: the user did not select what `change` selects.
    void refresh(const std::function<void()>& change);
    [[nodiscard]] bool isRefreshing() const { return isRefreshing_; }

  signals:
    /// Another row is the current one, or none is.
    void rowReached();
    /// A click, or Space with a current row. Where several rows can be selected, Ctrl and Shift make a click select.
    void toggled();
    /// With a current row.
    void enterPressed();

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QSortFilterProxyModel* sorted_ = nullptr;
    std::function<std::optional<QStringList>()> copiedLines_;
    bool isRefreshing_ = false;
};

/// A command for the list while it has the focus: by its key, if it has one, and where the list shows its actions.
QAction* addListAction(QAbstractItemView& list, const char* objectName, const QString& text, const QKeySequence& key);

/// The cells of a row, with tabs between them.
[[nodiscard]] QString tabbedCells(const QModelIndex& row);

} // namespace highwater::ui
