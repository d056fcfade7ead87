#pragma once

#include "ui/state/analysis_state.h"

#include <QList>
#include <QObject>

namespace highwater::ui {

/// Analyses that share their time: zoom and selection apply to all of them. Each has its own graphs, filters, instant
/// and history; a change by another one is a step in it. GUI thread only.
class LinkedAnalyses : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// A joining analysis takes the time of those already linked; a leaving one keeps it.
    void setLinked(AnalysisState& state, bool linked);
    [[nodiscard]] bool isLinked(const AnalysisState& state) const;

  signals:
    void changed();

  private:
    void follow(AnalysisState& from, AnalysisState::Changes changes);

    QList<AnalysisState*> linked_;
    bool isSharing_ = false;
};

} // namespace highwater::ui
