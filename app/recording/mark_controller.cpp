#include "app/recording/mark_controller.h"

#include "app/recording/recording_session.h"
#include "app/recording/trace_opener.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/recording/marks_view.h"

namespace highwater::app {

MarkController::MarkController(TraceOpener& opener, RecordingSession& session, ui::AnalysisTabs& tabs, QObject* parent)
    : QObject(parent), session_(session), tabs_(tabs) {
    const auto take = [this](const std::shared_ptr<const TraceNotes>& notes) { marks_.setTraceMarks(notes->marks); };
    connect(&opener, &TraceOpener::noted, this, take);
    connect(&session, &RecordingSession::noted, this, take);
    connect(&marks_, &ui::MarkList::changed, this, [this] { tabs_.setMarks(marks_.shared()); });
    connect(&marks_, &ui::MarkList::edited, this, &MarkController::noteEdit);
}

ui::MarksView* MarkController::makeView(QWidget* parent) {
    auto* view = new ui::MarksView(marks_, parent);
    connect(view, &ui::MarksView::jumpWanted, this, [this](TraceTime time) { tabs_.current().state().goToTime(time); });
    connect(view, &ui::MarksView::selectWanted, this,
            [this](TimeRange range) { tabs_.current().state().select(range); });
    connect(view, &ui::MarksView::zoomWanted, this, [this](TimeRange range) { tabs_.current().state().zoomTo(range); });
    return view;
}

/// A file that was opened is never written to.
void MarkController::noteEdit(qint64 ticks, const QString& name) {
    if (session_.isOpen()) return session_.editMark(ticks, name);
    emit messageWanted(tr("The trace on the disk stays as it is: marks are changed in this window only."));
}

} // namespace highwater::app
