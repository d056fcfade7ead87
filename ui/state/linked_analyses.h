#pragma once

#include "ui/state/analysis_state.h"

#include <QList>
#include <QObject>

namespace highwater::ui {

/// Analyses that look at the same time: what is zoomed to or selected in one is so in all of them. Each keeps its
/// graphs, filters, instant and history; what another one did is a step of it. GUI thread only.
class LinkedAnalyses : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Who joins takes over the time of those that are linked already; who leaves keeps it.
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
