#pragma once

#include "core/analysis/table/grouped_table.h"

#include <QObject>
#include <QPoint>
#include <QRect>
#include <QString>

#include <memory>
#include <optional>

class QHelpEvent;

namespace highwater::ui {

struct FactsRequest;
class GroupedTableModel;
class GroupedTableView;
class QueryRunner;
class TableAnswer;

/// The tool tip of a row of a stack: its text at once, and below it what a worker finds out about its frames as long as
/// the mouse stays. GUI thread only.
class FrameToolTip : public QObject {
    Q_OBJECT
  public:
    /// All of them must outlive it.
    FrameToolTip(QueryRunner& runner, GroupedTableModel& model, GroupedTableView& view, QObject* parent = nullptr);

    /// What is shown, or will be when it is complete; empty: nothing.
    [[nodiscard]] QString text() const { return shown_ ? shown_->text : QString(); }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Shown {
        std::shared_ptr<const TableAnswer> answer;
        analysis::GroupedTable::NodeId node = 0;
        QPoint place; ///< of the mouse, on the whole screen
        QRect cell;   ///< in the viewport
        QString text;
    };
    /// False: nothing to tell here.
    bool show(const QHelpEvent& event);
    void complete(const FactsRequest& request, const QStringList& lines);
    void forget();

    QueryRunner& runner_;
    GroupedTableModel& model_;
    GroupedTableView& view_;
    std::optional<Shown> shown_;
};

} // namespace highwater::ui
