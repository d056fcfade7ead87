#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/table/table_export.h"

#include <QAction>
#include <QList>
#include <QObject>

#include <memory>
#include <optional>

class QMenu;
class QTreeView;

namespace highwater::ui {

/// Process and Handle of a row that is a heap or inside one.
[[nodiscard]] std::optional<analysis::KeyPath> heapOf(const analysis::KeyPath& row);

/// Table commands for its context menu and for the menu bar, enabled when they have an effect. Their shortcuts work
/// while the table has the focus.
class TableActions : public QObject {
    Q_OBJECT
  public:
    TableActions(GraphState& state, QTreeView& view);
    ~TableActions() override;

    /// In menu order, with separators.
    [[nodiscard]] QList<QAction*> all() const { return all_; }
    /// Actions that write the table to a file.
    [[nodiscard]] QList<QAction*> exportActions() const { return exports_; }
    /// Checked while stacks open from the leaf.
    [[nodiscard]] QAction* bottomUp() const { return bottomUp_; }
    void refresh();

  signals:
    /// Filter by the selected rows.
    void filterWanted(highwater::analysis::RowFilter::Clause::Mode mode);
    /// Assign a label to the selected rows.
    void annotateWanted();
    void noteWanted();
    /// Edit all labels.
    void annotationsWanted();
    void copyWanted();
    void hotPathWanted();
    void levelsWanted(std::size_t levels); ///< as ExpandRequest::levels
    void collapseWanted();
    void turnWanted();
    void callersWanted();
    void heapWanted();
    void holdersWanted();
    void exportWanted(highwater::exports::TableRows rows, highwater::exports::TableFormat format);
    void formatWanted(highwater::formats::TraceFormat format);

  private:
    void build();
    void buildFilterActions();
    void buildTreeActions();
    void buildAnnotationActions();
    void buildExportActions();
    void connectActions();
    QAction* add(const QString& name, const QString& text, const QKeySequence& key = {});
    void addSeparator();
    void addExport(const exports::TableFormatSpec& format, exports::TableRows rows);
    void addFormat(const formats::TraceFormatSpec& format);
    void fillLevels();

    GraphState& state_;
    QTreeView& view_;
    QList<QAction*> all_;
    std::unique_ptr<QMenu> levels_;
    std::unique_ptr<QMenu> exportMenu_;
    QAction* filterTo_ = nullptr;
    QAction* filterOut_ = nullptr;
    QAction* undo_ = nullptr; ///< undoes the last history step of any kind
    QAction* undoFilter_ = nullptr;
    QAction* clearFilter_ = nullptr;
    QAction* hotPath_ = nullptr;
    QAction* expandAll_ = nullptr;
    QAction* expandTo_ = nullptr;
    QAction* collapseAll_ = nullptr;
    QAction* bottomUp_ = nullptr;
    QAction* callers_ = nullptr;
    QAction* heap_ = nullptr;
    QAction* heldBy_ = nullptr;
    QAction* annotate_ = nullptr;
    QAction* note_ = nullptr;
    QAction* copy_ = nullptr;
    QList<QAction*> exports_;
};

} // namespace highwater::ui
