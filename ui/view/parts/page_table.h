#pragma once

#include <QStringList>
#include <QTreeView>

#include <functional>
#include <optional>
#include <span>

class QAction;
class QSortFilterProxyModel;
class QToolButton;

namespace highwater::ui {

/// The table of a page. A click only selects. Emits signals for keys; a key without a connection keeps its default
/// behaviour. The page owns it and its model. GUI thread only.
class PageTable : public QTreeView {
    Q_OBJECT
  public:
    /// title: text for screen readers.
    PageTable(const char* objectName, const QString& title, QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* model) override;
    /// Makes header clicks sort by this role of the model. Call it before any other header setup. `sorted`, of which
    /// the table takes ownership, implements a sort order other than that of texts and numbers; null: none.
    void setSortedModel(QAbstractItemModel& model, int sortRole, QSortFilterProxyModel* sorted = nullptr);
    /// Initial widths of the first columns, in characters.
    void setLetters(std::span<const int> letters);
    /// Ctrl+C copies these lines; nullopt leaves the clipboard as it is.
    void setCopiedLines(std::function<std::optional<QStringList>()> lines);
    /// The same as Ctrl+C.
    void copy() const;

    /// Maps from the shown model, which may be sorted, to the set one, and back.
    [[nodiscard]] QModelIndex toSource(const QModelIndex& shown) const;
    [[nodiscard]] QModelIndex fromSource(const QModelIndex& index) const;
    /// The current index in the set model; invalid if there is none.
    [[nodiscard]] QModelIndex current() const { return toSource(currentIndex()); }

    /// Suppresses rowReached() meanwhile, because selections by `change` are not the user's.
    void refresh(const std::function<void()>& change);
    [[nodiscard]] bool isRefreshing() const { return isRefreshing_; }

  signals:
    /// The current row has changed, or there is none.
    void rowReached();
    /// Space on the current row.
    void toggled();
    /// Enter on the current row.
    void enterPressed();

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QSortFilterProxyModel* sorted_ = nullptr;
    std::function<std::optional<QStringList>()> copiedLines_;
    bool isRefreshing_ = false;
};

/// A button that does the same as Enter on the current row. It is disabled without one, or, if the list has a command
/// for it, with the command. Call it after the table has its model. The page owns it.
[[nodiscard]] QToolButton* makeShowRowsButton(PageTable& table, const QString& text, const QString& toolTip,
                                              const QAction* command = nullptr);

/// Adds a list command, which works while the list has the focus: by its shortcut, if any, and wherever the list shows
/// its actions.
QAction* addListAction(QAbstractItemView& list, const char* objectName, const QString& text, const QKeySequence& key);

/// The cells of a row, separated by tabs.
[[nodiscard]] QString tabbedCells(const QModelIndex& row);

} // namespace highwater::ui
