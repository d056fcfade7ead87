#include "ui/state/trace_on_screen.h"

#include <utility>

namespace highwater::ui {

void TraceOnScreen::show(std::shared_ptr<const store::PublishedTrace> trace,
                         std::shared_ptr<analysis::FrameLabels> labels) {
    const bool isNew = labels != labels_;
    trace_ = std::move(trace);
    labels_ = std::move(labels);
    if (isNew) notes_->clear();
    emit changed(isNew ? NewTrace : MoreOfIt);
    emit rangeChanged(isNew);
}

void TraceOnScreen::clear() {
    trace_.reset();
    labels_.reset();
    contents_.clear();
    notes_->clear();
    traceNotes_.reset();
    emit changed(Cleared);
}

void TraceOnScreen::setContents(const QString& sentence) {
    if (sentence == contents_) return;
    contents_ = sentence;
    emit changed(Contents);
}

void TraceOnScreen::setTimeBase(const TimeBase& base) {
    timeBase_ = base;
    emit changed(WallClock);
}

void TraceOnScreen::setLoading(bool loading) {
    isLoading_ = loading;
    emit changed(Loading);
}

void TraceOnScreen::setNamesComing(bool coming, std::uint64_t named) {
    named_ = named;
    if (std::exchange(areNamesComing_, coming) != coming) emit changed(Naming);
}

} // namespace highwater::ui

#include "moc_trace_on_screen.cpp"
