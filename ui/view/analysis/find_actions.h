#pragma once

#include <QAction>
#include <QList>
#include <QObject>

namespace highwater::ui {

class AnalysisView;

/// Find, Find Next and Find Previous in the table of the current graph, with keys that work in the whole window while
/// the analysis is on screen. GUI thread only.
class FindActions : public QObject {
    Q_OBJECT
  public:
    /// The view owns it.
    explicit FindActions(AnalysisView& view);
    [[nodiscard]] QList<QAction*> all() const { return {find_, next_, previous_}; }

  private:
    void build();
    void refresh();

    AnalysisView& view_;
    QAction* find_;
    QAction* next_;
    QAction* previous_;
};

} // namespace highwater::ui
