#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/table/column_offer.h"
#include "ui/view/access/spoken.h"
#include "ui/view/access/tip_keeper.h"
#include "ui/view/table/header_geometry.h"

#include <QHeaderView>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QTimer;

namespace highwater::ui {

/// The header of a pivot table, bound to the layout of a graph. Dragging a section moves its column, across the gold
/// and the blue bar, too; dragging a bar moves the bar over the columns; a line shows where it lands, Escape lets go. A
/// click sorts (Shift: one more level), an edge resizes, a double click on it fits. F6 leads here from the table and
/// back: Left and Right choose a column, Ctrl+Shift+Left and Right move it, Space or Enter sorts, Shift+Enter adds a
/// level, Delete removes, Insert opens the column chooser, the menu key the menu. The model's sections are those of the
/// shown layout. GUI thread only.
class PivotHeader : public QHeaderView, public PointedParts, public Spoken {
    Q_OBJECT
  public:
    explicit PivotHeader(GraphState& state, QWidget* parent = nullptr);
    ~PivotHeader() override;

    /// The layout of what the table shows, which follows the state's when its answer is there. Asked again at each
    /// model reset and whenever the headers of the model change. Without it: the state's.
    void setShownLayout(std::function<TableLayout()> shownLayout);
    [[nodiscard]] const TableLayout& shownLayout() const { return shown_; }
    /// What the trace can fill, for the column chooser; asked when it opens.
    void setTraceFacts(std::function<TraceFacts()> facts) { facts_ = std::move(facts); }

    /// Whether the line number and the first key stay at the left edge when the rest is scrolled; so does the table
    /// then.
    void setFreezing(Freezing freezing);
    [[nodiscard]] int frozenWidth() const { return places().frozenWidth(); }
    [[nodiscard]] int frozenSections() const { return places().frozenSections(); }
    /// Where sections and bars stand, in the viewport's pixels. Valid until the header changes.
    [[nodiscard]] HeaderGeometry places() const { return {*this, shown_, freezing_}; }
    /// For the table to continue the bars through its rows.
    void paintBars(QPainter& painter, int top, int bottom) const;

    /// What the texts of each section need now, in pixels (0: not known); asked by refit().
    void setContents(std::function<std::vector<int>()> contents) { askContents_ = std::move(contents); }
    /// Other rows are on screen: columns get what their texts need, never less than they did. Sections before `from`
    /// stay where they are, those that the reader has given a width as wide.
    void refit(int from = 1);
    /// What was in the columns counts no more: another trace.
    void forgetContents() { contents_.clear(); }

    /// The column that keys act on.
    [[nodiscard]] int currentSection() const { return current_; }
    void setCurrentSection(int section);
    /// As wide as what is in it.
    void fitSection(int section);
    void fitAll();
    /// Both stay until they are closed.
    void openMenu(int section, const QPoint& globalPosition);
    void openChooser();

    [[nodiscard]] QAccessible::Role spokenRole() const override { return QAccessible::ColumnHeader; }
    /// Which columns stand left of the gold bar, between the bars, and right of the blue one.
    [[nodiscard]] QString spokenValue() const override;
    /// A column or a bar.
    [[nodiscard]] QRect partAt(const QPoint& place) const override;

    void setModel(QAbstractItemModel* model) override;
    [[nodiscard]] QSize sizeHint() const override;

  signals:
    /// Bars or frozen sections stand elsewhere: the rows have to be painted again.
    void geometryMoved();
    /// The labels of the table are to be edited.
    void annotationsWanted();

  protected:
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    struct Drag;

    void build();
    void attach();
    void refresh();
    void showWidths(int from = 1);
    void showChosenWidths();
    void toggleFocus();
    void repaintAll();
    /// Does what was asked for, or says why not.
    bool apply(const LayoutEdit& edit);
    void explain(const QString& refusal);
    [[nodiscard]] QString toolTipOf(const HeaderSpot& spot) const;
    void tellCurrent();
    void scrollToCurrent();

    void beginDrag();
    void dragTo(int x);
    void resizeTo(int x);
    void drop();
    void endDrag();
    void scrollWhileDragging();
    void showDropLine();
    void showCursor(const HeaderSpot& spot);
    bool moveByKey(QKeyEvent& event);
    bool changeByKey(QKeyEvent& event);
    void paintDrag(QPainter& painter) const;

    GraphState& state_;
    std::function<TableLayout()> shownLayout_;
    std::function<TraceFacts()> facts_;
    std::function<std::vector<int>()> askContents_;
    std::vector<int> contents_; ///< the most that was seen of each section
    TableLayout shown_;
    Freezing freezing_ = Freezing::On;
    int current_ = 1;
    int hovered_ = -1;
    std::unique_ptr<Drag> drag_;
    QWidget* dropLine_ = nullptr; ///< through the rows; owned by the table's viewport
    QTimer* autoscroll_;
};

} // namespace highwater::ui
