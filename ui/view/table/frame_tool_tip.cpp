#include "ui/view/table/frame_tool_tip.h"

#include "ui/format/plain_text.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/query_runner.h"
#include "ui/view/table/grouped_table_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

namespace highwater::ui {
FrameToolTip::FrameToolTip(QueryRunner& runner, GroupedTableModel& model, GroupedTableView& view, QObject* parent)
    : QObject(parent), runner_(runner), model_(model), view_(view) {
    view_.viewport()->installEventFilter(this);
    view_.viewport()->setMouseTracking(true); // to notice when it leaves
    connect(&runner_, &QueryRunner::factsAnswered, this, &FrameToolTip::complete);
    connect(&model_, &QAbstractItemModel::modelAboutToBeReset, this, &FrameToolTip::forget);
}

bool FrameToolTip::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::ToolTip:
        if (show(*static_cast<QHelpEvent*>(event))) return true;
        forget();
        break;
    case QEvent::MouseMove:
        if (shown_ && !shown_->cell.contains(static_cast<QMouseEvent*>(event)->pos())) forget();
        break;
    case QEvent::Leave:
    case QEvent::MouseButtonPress:
    case QEvent::Wheel:
        forget();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

bool FrameToolTip::show(const QHelpEvent& event) {
    const auto index = view_.indexAt(event.pos());
    if (!index.isValid() || !model_.answer() || index.column() != model_.keySection(index)) return false;
    const auto& row = *model_.rowOf(index);
    if (!analysis::showsFrames(row.step.column)) return false;
    const auto cell = view_.visualRect(index);
    const bool isSame = shown_ && shown_->answer == model_.answer() && shown_->node == row.node;
    if (!isSame) {
        shown_ = {model_.answer(), row.node, event.globalPos(), cell, row.text};
        runner_.askFacts({shown_->answer, shown_->node});
    }
    QToolTip::showText(event.globalPos(), tooltipText(shown_->text), view_.viewport(), cell);
    return true;
}

void FrameToolTip::complete(const FactsRequest& request, const QStringList& lines) {
    if (!shown_ || request.answer != shown_->answer || request.node != shown_->node || lines.isEmpty()) return;
    shown_->text += QLatin1Char('\n') + lines.join(QLatin1Char('\n'));
    QToolTip::showText(shown_->place, tooltipText(shown_->text), view_.viewport(), shown_->cell);
}

void FrameToolTip::forget() {
    if (!shown_) return;
    shown_.reset();
    runner_.cancelFacts();
}

} // namespace highwater::ui

#include "moc_frame_tool_tip.cpp"
