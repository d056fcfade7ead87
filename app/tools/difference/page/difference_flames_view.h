#pragma once

#include "app/tools/difference/page/difference_finder.h"

#include <QWidget>

#include <memory>

class QLineEdit;
class QToolButton;

namespace highwater::ui {

class ElidedLabel;
class FlameCanvas;

/// A difference as a flame graph: red grew, blue shrank; a frame is as wide as the larger of both sides. What is looked
/// for, the frames, and a line that says what the frame that is pointed at holds. GUI thread only.
class DifferenceFlamesView : public QWidget {
    Q_OBJECT
  public:
    explicit DifferenceFlamesView(QWidget* parent = nullptr);

    /// Null: there is none (yet).
    void setAnswer(std::shared_ptr<const FlameAnswer> answer);
    void setSearch(std::shared_ptr<const FlameSearch> search);
    /// Stacks begin with the function that asked for memory: they hang from the top.
    void setBottomUp(bool isBottomUp);
    /// What a picture of it is of: the table and both sides.
    void setSubject(const QString& subject) { subject_ = subject; }
    [[nodiscard]] FlameCanvas& canvas() { return *canvas_; }

  signals:
    void searchWanted(const QString& text);
    /// The texts of a frame's path: the reader wants to see its row, or the graph filtered to it.
    void rowWanted(const QStringList& path);
    void filterWanted(const QStringList& path);
    void pictureFailed(const QString& sentence);

  private:
    void build();
    void connectCanvas();
    void refresh();
    void search(const QString& text);
    void showMenu(std::uint32_t node, const QPoint& globalPosition);
    void askForPicture();
    /// As an answer's rows have them; empty of all, and of what stands for several frames.
    [[nodiscard]] QStringList pathOf(std::uint32_t node) const;

    FlameCanvas* canvas_;
    QLineEdit* search_;
    ElidedLabel* matches_;
    QToolButton* all_;
    ElidedLabel* words_;
    QString subject_;
};

} // namespace highwater::ui
