#pragma once

#include "ui/state/finders/flame_finder.h"
#include "ui/view/access/spoken.h"
#include "ui/view/access/tip_keeper.h"
#include "ui/view/flames/flame_painter.h"
#include "ui/view/flames/flame_texts.h"

#include <QAbstractScrollArea>
#include <QPixmap>

#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// The frames of a flame graph. A click zooms into a frame, a second one goes to its row in the table. The arrow keys
/// move between frames, Enter zooms, Escape and Backspace go back, Home shows all, Ctrl+Enter goes to the row, / and
/// Ctrl+F search, F3 goes to the next match. Paints only visible frames. GUI thread only.
class FlameCanvas : public QAbstractScrollArea, public PointedParts, public Spoken {
    Q_OBJECT
  public:
    explicit FlameCanvas(QWidget* parent = nullptr);
    ~FlameCanvas() override;

    /// Keeps the zoom and the current frame by path, as far as the answer contains them. Null: none.
    void setAnswer(std::shared_ptr<const FlameAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const FlameAnswer>& answer() const { return answer_; }
    /// Null: no search. A search of another answer is not shown.
    void setSearch(std::shared_ptr<const FlameSearch> search);
    void setRoot(FlameRoot root);
    [[nodiscard]] FlameRoot root() const { return rows_.root; }

    [[nodiscard]] std::uint32_t zoom() const { return zoom_; }
    /// Zooms and adds a step to go back to.
    void zoomTo(std::uint32_t node);
    [[nodiscard]] bool canGoBack() const { return !zoomsBefore_.empty(); }
    void goBack();
    void showAll() { zoomTo(analysis::FlameTree::kRoot); }
    /// The current frame, if any.
    [[nodiscard]] std::optional<std::uint32_t> current() const { return current_; }
    void setCurrent(std::optional<std::uint32_t> node);
    enum class Step : std::uint8_t { Next, Previous };
    /// Scrolls to the next match in tree order.
    void goToMatch(Step step);

    /// The box of a node in the viewport; empty: not drawn.
    [[nodiscard]] QRect rectOf(std::uint32_t node) const;
    [[nodiscard]] std::optional<analysis::FlameBox> boxAt(QPoint place) const;
    [[nodiscard]] QRect partAt(const QPoint& place) const override;
    /// Facts about the box under the pointer, otherwise about the current one or the whole graph.
    [[nodiscard]] QStringList words() const;
    [[nodiscard]] QString spokenValue() const override { return words().join(QStringLiteral(", ")); }
    [[nodiscard]] QString wholeText(std::uint32_t node) const { return texts_.whole(node); }
    /// Paints all rows at the current zoom in a picture of this width. Fills `height` but paints nothing beyond it.
    void paintWhole(QPainter& painter, int width) const;
    [[nodiscard]] int wholeHeight() const { return rows_.wholeHeight(); }
    /// Number of boxes in the last painting.
    [[nodiscard]] std::size_t paintedBoxes() const { return paintedBoxes_; }

    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 60}; }

  signals:
    void zoomChanged();
    /// words() has changed.
    void wordsChanged();
    void rowWanted(std::uint32_t node);
    void menuWanted(std::uint32_t node, const QPoint& globalPosition);
    void searchWanted();

  protected:
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

  private:
    [[nodiscard]] analysis::FlameWindow window() const;
    [[nodiscard]] analysis::FlameLayout layoutNow() const { return {answer_->tree, window()}; }
    [[nodiscard]] bool isEmpty() const { return !answer_ || answer_->tree.isEmpty(); }
    [[nodiscard]] const FlameSearch* searchNow() const;
    [[nodiscard]] bool isWithinZoom(std::uint32_t node) const;
    void layOut();
    void repaintAll();
    void bringIntoSight(std::uint32_t node);
    void pointAt(std::optional<QPoint> place);
    void tellWords();
    void drawPicture();
    void paintOutlines(QPainter& painter);
    void paintNothing(QPainter& painter) const;
    void showFacts(const QPoint& place, const QPoint& globalPosition);
    [[nodiscard]] bool takesKey(const QKeyEvent& event) const;
    bool handleKey(const QKeyEvent& event);
    bool handleWalk(int key);
    void walkUp();
    void walkDown();
    void walkSideways(Step step);
    void setZoom(std::uint32_t node);

    std::shared_ptr<const FlameAnswer> answer_;
    std::shared_ptr<const FlameSearch> search_;
    FlameTexts texts_{nullptr, {}};
    FlameRows rows_;
    std::uint32_t zoom_ = analysis::FlameTree::kRoot;
    std::vector<analysis::KeyPath> zoomsBefore_;
    std::optional<std::uint32_t> current_;
    std::optional<QPoint> pointer_;
    QPixmap picture_; ///< the viewport without outlines; null: to be drawn
    std::size_t paintedBoxes_ = 0;
};

} // namespace highwater::ui
