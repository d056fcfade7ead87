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

/// The header of a pivot table, bound to a graph's layout. Dragging a section moves its column, also across the gold
/// and the blue bar; dragging a bar moves it across columns. A line shows the target, and Escape cancels. A click sorts
/// (Shift: adds a level), dragging an edge resizes, a double click on it fits the width. F6 switches between table and
/// header: Left and Right select a column, Ctrl+Shift+Left and Right move it, Space or Enter sorts, Shift+Enter adds a
/// level, Delete removes, Insert opens the column chooser, the menu key the menu. The model's sections are those of the
/// shown layout. GUI thread only.
class PivotHeader : public QHeaderView, public PointedParts, public Spoken {
    Q_OBJECT
  public:
    explicit PivotHeader(GraphState& state, QWidget* parent = nullptr);
    ~PivotHeader() override;

    /// Callback for the layout that the table shows, which follows the state's layout when its answer arrives. Called
    /// at each model reset and whenever the model's headers change. Without it, the state's layout is used.
    void setShownLayout(std::function<TableLayout()> shownLayout);
    [[nodiscard]] const TableLayout& shownLayout() const { return shown_; }
    /// Callback for the columns that the trace can fill, called when the column chooser opens.
    void setTraceFacts(std::function<TraceFacts()> facts) { facts_ = std::move(facts); }

    /// Whether the line number and the first key stay at the left edge during horizontal scrolling, in the table as
    /// well.
    void setFreezing(Freezing freezing);
    [[nodiscard]] int frozenWidth() const { return places().frozenWidth(); }
    [[nodiscard]] int frozenSections() const { return places().frozenSections(); }
    /// Positions of sections and bars in viewport pixels. Valid until the header changes.
    [[nodiscard]] HeaderGeometry places() const { return {*this, shown_, freezing_}; }
    /// Lets the table continue the bars through its rows.
    void paintBars(QPainter& painter, int top, int bottom) const;

    /// Callback for the current width of each section's texts in pixels (0: unknown), called by refit().
    void setContents(std::function<std::vector<int>()> contents) { askContents_ = std::move(contents); }
    /// Widens columns to fit the rows now on screen; columns never shrink. Sections before `from` keep their position,
    /// and widths set by the user do not change.
    void refit(int from = 1);
    /// Discards previous content widths for a new trace.
    void forgetContents() { contents_.clear(); }

    /// The column on which keys act.
    [[nodiscard]] int currentSection() const { return current_; }
    void setCurrentSection(int section);
    /// Fits the width to the contents.
    void fitSection(int section);
    void fitAll();
    /// Both stay open until they are closed.
    void openMenu(int section, const QPoint& globalPosition);
    void openChooser();

    [[nodiscard]] QAccessible::Role spokenRole() const override { return QAccessible::ColumnHeader; }
    /// Columns left of the gold bar, between the bars, and right of the blue one.
    [[nodiscard]] QString spokenValue() const override;
    /// A column or a bar.
    [[nodiscard]] QRect partAt(const QPoint& place) const override;

    void setModel(QAbstractItemModel* model) override;
    [[nodiscard]] QSize sizeHint() const override;

  signals:
    /// Bars or frozen sections have moved, so rows have to be repainted.
    void geometryMoved();
    /// Edit the labels of the table.
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
    /// Applies the edit, or shows why it is refused.
    bool apply(const LayoutEdit& edit);
    void explain(const QString& refusal);
    /// About the values of the column in the visible interval; may be empty.
    [[nodiscard]] std::string noteOn(analysis::Column column) const;
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
    std::vector<int> contents_; ///< maximum seen so far in each section
    TableLayout shown_;
    Freezing freezing_ = Freezing::On;
    int current_ = 1;
    int hovered_ = -1;
    std::unique_ptr<Drag> drag_;
    QWidget* dropLine_ = nullptr; ///< through the rows; owned by the table's viewport
    QTimer* autoscroll_;
};

} // namespace highwater::ui
