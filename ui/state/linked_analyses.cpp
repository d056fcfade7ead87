#include "ui/state/linked_analyses.h"

#include <QScopedValueRollback>

#include <algorithm>

namespace highwater::ui {
namespace {

/// Shares the selection last, because a zoom clears it.
void shareTime(const AnalysisState& from, AnalysisState& to) {
    to.zoomTo(from.visibleRange(), from.continuesZoom() ? ZoomStep::Continued : ZoomStep::Own);
    if (const auto selection = from.selection())
        to.select(*selection);
    else
        to.clearSelection();
}

} // namespace

void LinkedAnalyses::setLinked(AnalysisState& state, bool linked) {
    if (linked == isLinked(state)) return;
    if (!linked) {
        linked_.removeOne(&state);
        state.disconnect(this);
        emit changed();
        return;
    }
    if (!linked_.isEmpty()) shareTime(*linked_.front(), state);
    linked_.append(&state);
    connect(&state, &AnalysisState::changed, this, [this, &state](auto changes) { follow(state, changes); });
    connect(&state, &QObject::destroyed, this, [this, gone = &state] { linked_.removeOne(gone); });
    emit changed();
}

bool LinkedAnalyses::isLinked(const AnalysisState& state) const {
    return std::find(linked_.begin(), linked_.end(), &state) != linked_.end();
}

/// Each analysis learns separately that a trace is new or grows.
void LinkedAnalyses::follow(AnalysisState& from, AnalysisState::Changes changes) {
    const auto shared = AnalysisState::Changes(AnalysisState::VisibleRange) | AnalysisState::Selection;
    if (isSharing_ || !(changes & shared) || changes.testFlag(AnalysisState::WholeRange)) return;
    const QScopedValueRollback sharing(isSharing_, true);
    for (auto* state : QList<AnalysisState*>(linked_)) {
        if (state != &from) shareTime(from, *state);
    }
}

} // namespace highwater::ui

#include "moc_linked_analyses.cpp"
