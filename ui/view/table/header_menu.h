#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/table/layout_edit.h"

#include <QMenu>

namespace highwater::ui {

/// Commands for a column of a pivot table: sort, aggregation, units, position, removal. Unavailable ones are grey and
/// show the reason. Deletes itself on closing. GUI thread only.
class HeaderMenu : public QMenu {
    Q_OBJECT
  public:
    HeaderMenu(GraphState& state, int section, QWidget* parent);

  signals:
    void chooserWanted();
    void annotationsWanted();
    void fitWanted();
    void fitAllWanted();

  private:
    void build();
    void addSorting();
    void addAggregations();
    void addFormats();
    void addPlaces();
    void addRest();
    QAction* add(const QString& name, const QString& text, const QString& keys = {});
    /// Grey with the reason if refused, or grey if it changes nothing.
    void addEdit(const QString& name, const QString& text, const LayoutEdit& edit, const QString& keys = {});
    void addFormat(QMenu& menu, const QString& name, const QString& text, ColumnFormat format, bool isCurrent);
    [[nodiscard]] analysis::ValueColumn value() const { return columnOfSection(layout_, section_)->value; }

    GraphState& state_;
    int section_;
    TableLayout layout_; ///< when the menu was opened
};

} // namespace highwater::ui
