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

/// Tooltip of a stack row: its text immediately, followed by facts about its frames from a worker while the mouse stays
/// there. GUI thread only.
class FrameToolTip : public QObject {
    Q_OBJECT
  public:
    /// All arguments must outlive it.
    FrameToolTip(QueryRunner& runner, GroupedTableModel& model, GroupedTableView& view, QObject* parent = nullptr);

    /// The current tooltip, or the one that appears when it is complete; empty: none.
    [[nodiscard]] QString text() const { return shown_ ? shown_->text : QString(); }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Shown {
        std::shared_ptr<const TableAnswer> answer;
        analysis::GroupedTable::NodeId node = 0;
        QPoint place; ///< position of the mouse, in screen coordinates
        QRect cell;   ///< in the viewport
        QString text;
    };
    /// False: no tooltip here.
    bool show(const QHelpEvent& event);
    void complete(const FactsRequest& request, const QStringList& lines);
    void forget();

    QueryRunner& runner_;
    GroupedTableModel& model_;
    GroupedTableView& view_;
    std::optional<Shown> shown_;
};

} // namespace highwater::ui
