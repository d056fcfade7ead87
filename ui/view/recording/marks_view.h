#pragma once

#include "ui/model/mark_list_model.h"

#include <QTreeView>

class QAction;

namespace highwater::ui {

/// The marks of the trace. Double-click or Enter goes to a mark; Enter with several selected marks zooms to the
/// interval from the first to the last. F2 renames, Del deletes; the context menu has all commands. Hidden while there
/// are no marks. GUI thread only.
class MarksView : public QTreeView {
    Q_OBJECT
  public:
    /// `marks` must outlive it.
    explicit MarksView(MarkList& marks, QWidget* parent = nullptr);

    [[nodiscard]] MarkListModel& model() { return model_; }
    /// Selects the mark for F2 and Del without changing the focus.
    void select(qint64 ticks);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    void jumpWanted(highwater::TraceTime time);
    void selectWanted(highwater::TimeRange range);
    void zoomWanted(highwater::TimeRange range);

  protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void build();
    void followSelection();
    void followMarks();
    void act();
    void removeSelected();
    [[nodiscard]] std::vector<Mark> selectedMarks() const;

    MarkList& marks_;
    MarkListModel model_;
    QAction* jump_;
    QAction* select_;
    QAction* zoom_;
    QAction* rename_;
    QAction* remove_;
};

} // namespace highwater::ui
