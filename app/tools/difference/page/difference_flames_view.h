#pragma once

#include "app/tools/difference/page/difference_finder.h"

#include <QWidget>

#include <memory>

class QLineEdit;
class QToolButton;

namespace highwater::ui {

class ElidedLabel;
class FlameCanvas;

/// A difference as a flame graph: red grew, blue shrank; the width of a frame is the larger of both sides. Contains a
/// search field, the frames, and a description of the frame under the pointer. GUI thread only.
class DifferenceFlamesView : public QWidget {
    Q_OBJECT
  public:
    explicit DifferenceFlamesView(QWidget* parent = nullptr);

    /// Null: none yet.
    void setAnswer(std::shared_ptr<const FlameAnswer> answer);
    void setSearch(std::shared_ptr<const FlameSearch> search);
    /// Stacks start with the allocating function and hang from the top.
    void setBottomUp(bool isBottomUp);
    /// The caption of exported pictures: the table and both sides.
    void setSubject(const QString& subject) { subject_ = subject; }
    [[nodiscard]] FlameCanvas& canvas() { return *canvas_; }

  signals:
    void searchWanted(const QString& text);
    /// The path of a frame whose row, or filter, the user requested.
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
    /// Path as in the rows of an answer; empty for the total and for combined frames.
    [[nodiscard]] QStringList pathOf(std::uint32_t node) const;

    FlameCanvas* canvas_;
    QLineEdit* search_;
    ElidedLabel* matches_;
    QToolButton* all_;
    ElidedLabel* words_;
    QString subject_;
};

} // namespace highwater::ui
