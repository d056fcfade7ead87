#pragma once

#include "ui/state/analysis_state.h"

#include <QAction>
#include <QList>
#include <QObject>

namespace highwater::ui {

/// Timeline commands for its context menu and for the menu bar, enabled when they have an effect.
class ZoomActions : public QObject {
    Q_OBJECT
  public:
    explicit ZoomActions(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] QList<QAction*> all() const;

  private:
    void build();
    void connectState();
    void refresh();

    AnalysisState& state_;
    QAction* toSelection_;
    QAction* back_;
    QAction* forward_;
    QAction* showAll_;
    QAction* clearSelection_;
    QAction* highlight_;
    QAction* clearHighlight_;
    QAction* clearInstant_;
};

} // namespace highwater::ui
