#pragma once

#include "ui/state/finders/flame_finder.h"
#include "ui/view/flames/flame_canvas.h"

#include <QWidget>

#include <functional>
#include <memory>

class QAction;
class QComboBox;
class QLineEdit;
class QMenu;
class QToolButton;

namespace highwater::ui {

class ElidedLabel;

/// The flame graph of a graph: a choice of width, a search field, the frames, and a line with facts about the hovered
/// frame. GUI thread only.
class FlameView : public QWidget {
    Q_OBJECT
  public:
    /// Both must outlive the view.
    FlameView(GraphState& graph, FlameFinder& finder, QWidget* parent = nullptr);

    [[nodiscard]] FlameCanvas& canvas() { return *canvas_; }
    /// Name of the trace, for file names.
    void setTraceName(std::function<QString()> name) { traceName_ = std::move(name); }
    [[nodiscard]] QAction* exportAction() const { return export_; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 140}; }

  signals:
    /// The row of a frame, if the table has it.
    void rowWanted(const highwater::analysis::KeyPath& path);
    /// "module!function" of a frame.
    void callersWanted(const QString& function);
    /// Frame names may be loaded later.
    void namesWanted();
    void pictureFailed(const QString& sentence);
    void pictureSaved(const QString& path);

  private:
    void build();
    [[nodiscard]] QWidget* makeBar();
    void connectFinder();
    void connectCanvas();
    void showAnswer(std::shared_ptr<const FlameAnswer> answer);
    void showSearch(std::shared_ptr<const FlameSearch> search);
    void refresh();
    void refreshWords();
    void chooseMeasure(int index);
    void goToRow(const analysis::KeyPath& frame);
    void showMenu(std::uint32_t node, const QPoint& globalPosition);
    void addFilterActions(QMenu& menu, std::uint32_t node);
    [[nodiscard]] FilterStep filterOf(std::uint32_t node, analysis::RowFilter::Clause::Mode mode) const;
    void askForPicture();
    /// Subject of a picture: the table, its filter and interval.
    [[nodiscard]] QString subject() const;

    GraphState& graph_;
    FlameFinder& finder_;
    FlameCanvas* canvas_;
    QComboBox* measure_;
    QToolButton* compare_;
    QLineEdit* search_;
    ElidedLabel* matches_;
    QToolButton* all_;
    ElidedLabel* words_;
    QAction* export_;
    std::function<QString()> traceName_;
    bool hasAskedForNames_ = false;
};

} // namespace highwater::ui
