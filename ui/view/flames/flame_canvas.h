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

/// The frames of a flame graph. A click zooms into a frame, a second one goes to its row in the table; the arrows walk
/// between frames, Enter zooms, Escape and Backspace go back, Home shows all, Ctrl+Enter goes to the row, / and Ctrl+F
/// search, F3 goes to the next match. Paints what is seen and no more. GUI thread only.
class FlameCanvas : public QAbstractScrollArea, public PointedParts, public Spoken {
    Q_OBJECT
  public:
    explicit FlameCanvas(QWidget* parent = nullptr);
    ~FlameCanvas() override;

    /// The zoom and the current frame stay, by path, as far as the answer has them. Null: none.
    void setAnswer(std::shared_ptr<const FlameAnswer> answer);
    [[nodiscard]] const std::shared_ptr<const FlameAnswer>& answer() const { return answer_; }
    /// Null: nothing is looked for. Of another answer: not shown.
    void setSearch(std::shared_ptr<const FlameSearch> search);
    void setRoot(FlameRoot root);
    [[nodiscard]] FlameRoot root() const { return rows_.root; }

    [[nodiscard]] std::uint32_t zoom() const { return zoom_; }
    /// A step to go back from.
    void zoomTo(std::uint32_t node);
    [[nodiscard]] bool canGoBack() const { return !zoomsBefore_.empty(); }
    void goBack();
    void showAll() { zoomTo(analysis::FlameTree::kRoot); }
    /// The current frame; nothing: there is none.
    [[nodiscard]] std::optional<std::uint32_t> current() const { return current_; }
    void setCurrent(std::optional<std::uint32_t> node);
    enum class Step : std::uint8_t { Next, Previous };
    /// To the next match in the order of the tree, and into sight.
    void goToMatch(Step step);

    /// Where a box stands in the viewport; empty: it is not drawn.
    [[nodiscard]] QRect rectOf(std::uint32_t node) const;
    [[nodiscard]] std::optional<analysis::FlameBox> boxAt(QPoint place) const;
    [[nodiscard]] QRect partAt(const QPoint& place) const override;
    /// What the box under the pointer holds, else the current one; of neither what is to be known of all.
    [[nodiscard]] QStringList words() const;
    [[nodiscard]] QString spokenValue() const override { return words().join(QStringLiteral(", ")); }
    [[nodiscard]] QString wholeText(std::uint32_t node) const { return texts_.whole(node); }
    /// All rows, as they are zoomed, in a picture of this width; `height` is filled, nothing beyond it painted.
    void paintWhole(QPainter& painter, int width) const;
    [[nodiscard]] int wholeHeight() const { return rows_.wholeHeight(); }
    /// Boxes that the last painting drew.
    [[nodiscard]] std::size_t paintedBoxes() const { return paintedBoxes_; }

    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 60}; }

  signals:
    void zoomChanged();
    /// words() says something else.
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
    QPixmap picture_; ///< of the viewport without outlines; null: to be drawn
    std::size_t paintedBoxes_ = 0;
};

} // namespace highwater::ui
