#include "app/recording/mark_controller.h"

#include "app/recording/recording_session.h"
#include "app/recording/trace_opener.h"
#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/time_format.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/recording/marks_view.h"
#include "ui/view/timeline/timeline_view.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace highwater::app {
namespace {

constexpr int kReadMs = 20'000; ///< time to read a sentence

} // namespace

MarkController::MarkController(TraceOpener& opener, RecordingSession& session, ui::AnalysisTabs& tabs, QObject* parent)
    : QObject(parent), session_(session), tabs_(tabs) {
    const auto take = [this](const SharedTraceNotes& notes) {
        marks_.setTraceMarks(notes->marks);
        tabs_.shown().setTraceNotes(notes);
    };
    connect(&opener, &TraceOpener::noted, this, take);
    connect(&session, &RecordingSession::noted, this, take);
    connect(&marks_, &ui::MarkList::changed, this, [this] { tabs_.setMarks(marks_.shared()); });
    connect(&marks_, &ui::MarkList::edited, this, &MarkController::noteEdit);
    connect(&marks_, &ui::MarkList::renamed, this, &MarkController::noteRename);
    connect(&marks_, &ui::MarkList::removed, this, &MarkController::noteRemoval);
}

void MarkController::clear() {
    marks_.clear();
    tabs_.shown().setTraceNotes(nullptr);
    instants_.clear();
    showInstants();
    firstMarkMessage_.clear();
    removed_.clear();
}

ui::MarksView* MarkController::makeView(QWidget* parent) {
    auto* view = new ui::MarksView(marks_, parent);
    view_ = view;
    connect(view, &ui::MarksView::jumpWanted, this, [this](TraceTime time) { tabs_.current().state().goToTime(time); });
    connect(view, &ui::MarksView::selectWanted, this,
            [this](TimeRange range) { tabs_.current().state().select(range); });
    connect(view, &ui::MarksView::zoomWanted, this, [this](TimeRange range) { tabs_.current().state().zoomTo(range); });
    return view;
}

TraceTime MarkController::timeMeant() const {
    const auto& state = tabs_.current().state();
    const auto visible = state.visibleRange();
    // After a recording the user looks at its end.
    const bool hasRecorded = session_.isOpen() && !session_.isRecording() && visible.end == state.wholeRange().end;
    const auto middle = visible.start.ns + (visible.end.ns - visible.start.ns) / 2;
    auto time = state.instant().value_or(hasRecorded ? visible.end : TraceTime{middle});
    for (auto* panel : tabs_.current().panels()) {
        if (const auto cursor = panel->timeline().cursor()) time = *cursor;
    }
    // The end is not part of the trace.
    const auto whole = state.wholeRange();
    return std::clamp(time, whole.start, std::max(whole.start, TraceTime{whole.end.ns - 1}));
}

void MarkController::markHere() {
    const auto& trace = tabs_.shown().trace();
    if (!trace) return;
    if (trace->lacks.times)
        return emit messageWanted(tr("No mark was added because the file of this trace contains no times."));
    const auto name = marks_.freeName();
    const auto late = session_.markLate(timeMeant(), name);
    const auto ticks = late ? *late : marks_.make(timeMeant()).ticks;
    if (view_) view_->select(ticks);
    if (!firstMarkMessage_.isEmpty()) return emit messageGone(firstMarkMessage_); // the message names the first mark
    firstMarkMessage_ =
        (late ? tr("Added %1 to the list of marks, where F2 renames it and Del deletes it. Save writes it to the file.")
              : tr("Added %1 to the list of marks, where F2 renames it and Del deletes it. It exists as long as this "
                   "trace is open; the file is not changed."))
            .arg(name);
    emit messageWanted(firstMarkMessage_);
    QTimer::singleShot(kReadMs, this, [this, sentence = firstMarkMessage_] { emit messageGone(sentence); });
}

void MarkController::showInstants() {
    const auto shown = std::make_shared<const std::vector<TraceTime>>(instants_);
    tabs_.setInstants(shown);
    emit instantsChanged(shown);
}

/// Two snapshots of one instant would be one bar of twice its height.
std::optional<quint32> MarkController::snapshotAt(const store::PublishedTrace& trace, TraceTime time) const {
    const analysis::InstanceChoice all{std::make_shared<const std::vector<TraceTime>>(instants_)};
    for (const auto& instance : analysis::instancesOf(trace, all)) {
        if (instance.time == time) return instance.number;
    }
    return std::nullopt;
}

void MarkController::snapshotHere() {
    const auto& trace = tabs_.shown().trace();
    if (!trace) return;
    if (trace->lacks.times)
        return emit messageWanted(tr("No snapshot was added because the file of this trace contains no times."));
    if (instants_.size() >= kMostSnapshots)
        return emit messageWanted(tr("No snapshot was added because there can be at most %1.").arg(kMostSnapshots));
    const auto time = timeMeant();
    if (const auto known = snapshotAt(*trace, time)) {
        return emit messageWanted(
            tr("No snapshot was added because snapshot %1 already shows this instant. Move the cursor in the graph.")
                .arg(*known));
    }
    const auto before = instants_.size();
    instants_.push_back(time);
    const analysis::InstanceChoice all{std::make_shared<const std::vector<TraceTime>>(instants_)};
    const auto number = analysis::instancesOf(*trace, all).back().number;
    instants_.back() = session_.snapshotLate(number, instants_.back());
    showInstants();
    const auto where = session_.isOpen() ? tr("Snapshot %1 shows the memory outstanding at %2. See it in the Heap "
                                              "Snapshot table. Save writes it to the file.")
                                         : tr("Snapshot %1 shows the memory outstanding at %2. The Heap Snapshot table "
                                              "shows it as long as this trace is open.");
    const auto sentence = where.arg(number).arg(ui::formatTime(instants_.back()));
    emit messageWanted({sentence, ui::MessageTone::Plain, {tr("Undo"), [this, before, sentence] {
                                                               undoSnapshots(before);
                                                               emit messageGone(sentence);
                                                           }}});
}

void MarkController::addInstants(const std::vector<TraceTime>& instants) {
    const auto& trace = tabs_.shown().trace();
    for (const auto time : instants) {
        if (!trace || instants_.size() >= kMostSnapshots) break;
        if (!snapshotAt(*trace, time)) instants_.push_back(time);
    }
    showInstants();
}

/// Removes all that were added after this count.
void MarkController::undoSnapshots(std::size_t before) {
    while (instants_.size() > before) {
        session_.undoLateSnapshot(instants_.back());
        instants_.pop_back();
    }
    showInstants();
}

void MarkController::noteRemoval(const std::vector<Mark>& marks) {
    QList<qint64> ticks;
    QStringList names;
    for (const auto& mark : marks) {
        ticks << mark.ticks;
        names << ui::lineText(mark.name);
    }
    removed_.push_back({ticks, names});
    showRemovalMessage();
}

QString MarkController::removalText() const {
    const auto& [ticks, names] = removed_.back();
    const auto what = ticks.size() == 1 ? tr("Deleted the mark %1").arg(names.front())
                                        : tr("Deleted %1 marks").arg(ui::formatCount(ticks.size()));
    return session_.isOpen() ? what + QLatin1Char('.')
                             : tr("%1 in this window only; the file is not changed.").arg(what);
}

void MarkController::showRemovalMessage() {
    emit messageWanted({removalText(), ui::MessageTone::Plain, {tr("Undo"), [this] { undoRemoval(); }}});
}

/// Restores the last deletion and offers to undo the one before.
void MarkController::undoRemoval() {
    if (removed_.empty()) return;
    const auto sentence = removalText();
    marks_.restore(removed_.back().ticks);
    removed_.pop_back();
    if (removed_.empty())
        emit messageGone(sentence);
    else
        showRemovalMessage();
}

/// Opened files are never modified.
void MarkController::noteEdit(qint64 ticks, const QString& name) {
    if (session_.isOpen()) session_.editMark(ticks, name);
}

void MarkController::noteRename(qint64 ticks, const QString& from, const QString& to) {
    const auto what = tr("Renamed %1 to %2").arg(ui::lineText(from), ui::lineText(to));
    const auto sentence =
        session_.isOpen() ? what + QLatin1Char('.') : tr("%1 in this window only; the file is not changed.").arg(what);
    emit messageWanted(
        {sentence, ui::MessageTone::Plain, {tr("Undo"), [this, ticks, from] { marks_.rename(ticks, from); }}});
}

} // namespace highwater::app

#include "moc_mark_controller.cpp"
