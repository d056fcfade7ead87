#pragma once

#include "ui/state/analysis_state.h"
#include "ui/state/graph_state.h"
#include "ui/state/table/key_tree.h"
#include "ui/view/access/spoken.h"
#include "ui/view/timeline/lifetime_bars.h"
#include "ui/view/timeline/selection_amount.h"
#include "ui/view/timeline/timeline_overlay.h"
#include "ui/view/timeline/timeline_scene.h"
#include "ui/view/timeline/timeline_surface.h"
#include "ui/view/timeline/timeline_zones.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

class QAction;

namespace highwater::ui {

class SeriesColors;
class ZoomActions;
enum class PictureForm : std::uint8_t;

/// The outstanding amount over time, by group, as lines, stacked areas or bars; selected rows of the table are painted,
/// see TimelineLayers. Drag selects an interval, Enter zooms to it, the wheel zooms at the pointer
/// (Shift, or sideways: pans), Backspace unzooms, Home shows all, Escape clears; the arrows move a cursor, with Shift
/// they select; L shows what is outstanding at the cursor. Bound to the view state; knows no table. GUI thread only.
class TimelineView : public QWidget, public Spoken {
    Q_OBJECT
  public:
    TimelineView(GraphState& graph, SeriesColors& colors, ZoomActions& actions, QWidget* parent = nullptr);
    ~TimelineView() override;

    /// One that is coarse is drawn in lighter lines, and told as such.
    void setAnswer(std::shared_ptr<const TimelineAnswer> answer);
    [[nodiscard]] bool isCoarse() const { return content_.answer && content_.answer->timeline.isCoarse; }
    [[nodiscard]] const std::shared_ptr<const TimelineAnswer>& answer() const { return content_.answer; }
    /// The rows to paint; null: none. They are shown with the answer that they were asked with.
    void setPainted(std::shared_ptr<const PaintedAnswer> painted);
    [[nodiscard]] const std::shared_ptr<const PaintedAnswer>& painted() const { return content_.painted; }
    /// As many as painted rows.
    [[nodiscard]] const std::vector<QColor>& paintedColors() const { return content_.paintedColors; }
    /// Rows of the table that are lines, or painted.
    [[nodiscard]] KeyTree drawnRows() const;
    /// Whose losses and rundowns are shown; null: none.
    void setZonesOf(const store::PublishedTrace* trace);
    [[nodiscard]] const TimelineZones& zones() const { return zones_; }
    /// Why there is nothing to draw; stands in the place of the axes. Empty: there is.
    void setNothing(const QString& words);
    [[nodiscard]] const QString& nothing() const { return nothing_; }
    /// Shown while it is the selection.
    void setSelectionAmount(const SelectionAmount& amount);

    [[nodiscard]] TimelineCoordinates coordinates() const { return {state_.visibleRange(), plot_}; }
    /// Where an amount stands in the plot.
    [[nodiscard]] double yOf(double amount) const;
    [[nodiscard]] const TimelineScene& scene() const { return scene_; }
    [[nodiscard]] const TimelineLayers& layers() const { return layers_; }
    [[nodiscard]] const LifetimeBars& lifetimeBars() const { return bars_; }
    [[nodiscard]] std::optional<TraceTime> cursor() const { return cursor_; }
    /// What stands beside the cursor: of the selection start, end, duration, difference; elsewhere the time and the
    /// value of each line there.
    [[nodiscard]] QStringList words() const;
    [[nodiscard]] QString spokenValue() const override;
    /// Where they stand.
    [[nodiscard]] QRectF wordsBox() const { return overlay_->wordsBox(); }
    /// The selection, the highlight and the instant are in the picture, the cursor is not.
    void renderPlot(QPainter& painter);
    /// The same in lines and letters, whatever draws the graph on screen: at most two points a pixel of each line.
    void drawPlot(QPainter& painter);
    /// What the trace is called, for the names of files.
    void setTraceName(std::function<QString()> name) { traceName_ = std::move(name); }
    [[nodiscard]] QAction* exportAction() const { return export_; }

    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 140}; }
    [[nodiscard]] QSize sizeHint() const override { return {800, 260}; }

    /// Tables show what was outstanding at the cursor, or where that was last; there again: the interval.
    void toggleInstant();

  signals:
    /// In pixels of the screen, not of the window system: a slice for each.
    void plotWidthChanged(int pixels);
    /// To where the values are that it tells.
    void cursorMoved(std::optional<highwater::TraceTime> time);
    /// Someone points at what began in this time (TimelineLayers::riseTo), in this group; empty: in any.
    void rowPointedAt(highwater::TimeRange rise, const highwater::analysis::KeyPath& series);
    /// The graph could not be saved; why.
    void pictureFailed(const QString& sentence);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    void build();
    void connectState();
    void redraw();
    void refreshMarks();
    void chooseColors();
    void choosePaintedColors();
    [[nodiscard]] std::vector<QColor> usedColors() const;
    void fitAmounts();
    void dropCursorOutOfSight();
    void setCursorTime(std::optional<TraceTime> time);
    [[nodiscard]] bool tellsSelection() const;
    [[nodiscard]] QRectF pointedBox() const;
    [[nodiscard]] std::vector<TimelineWord> selectionWords() const;
    [[nodiscard]] std::vector<TimelineWord> cursorWords() const;
    [[nodiscard]] bool showsLifetimes() const {
        return graph_.chart() == ChartType::Lifetimes && !graph_.showsInstances();
    }
    void addLifetimeWords(std::vector<TimelineWord>& words) const;
    [[nodiscard]] std::vector<std::size_t> largestAt(std::size_t slice) const;
    [[nodiscard]] ChartType chartOfAnswer() const;
    [[nodiscard]] bool showsNewBytes() const;
    void pointAtBar(QPointF position);
    void selectSliceAt(QPointF position);
    void addMarkWords(std::vector<TimelineWord>& words) const;
    void moveCursor(int steps, bool selecting);
    void zoomAt(TraceTime center, double factor);
    void pan(double partOfVisible);
    void pointAt(QPointF position);
    void clearOne();
    void askForPicture();
    void savePictureAs(const QString& path, PictureForm form);
    void paintCoarseMark(QPainter& painter) const;
    [[nodiscard]] static QString coarseWords();
    void paintPlain(const std::function<void()>& paint);
    bool handlePlainKey(int key);
    [[nodiscard]] bool hasLineIn(const QRectF& place) const;
    void paintAmountTitle(QPainter& painter) const;
    void paintTimeAxis(QPainter& painter) const;
    void paintAmountAxis(QPainter& painter) const;
    [[nodiscard]] TraceTime middle() const;

    GraphState& graph_;
    AnalysisState& state_;
    SeriesColors& colors_;
    ZoomActions& actions_;
    TimelineSurface* surface_; ///< a child
    TimelineOverlay* overlay_;
    QAction* instant_;
    QAction* export_;
    std::function<QString()> traceName_;
    TimelineContent content_;
    TimelineLayers layers_{{}};
    TimelineScene scene_;
    TimelineZones zones_;
    LifetimeBars bars_;
    std::function<void()> whenExact_; ///< a picture waits for the answer
    QString nothing_;
    QPointF pointer_;
    QRectF plot_;
    int pointsAsked_ = 0;
    std::vector<Tick> amountTicks_;
    std::optional<TraceTime> anchor_; ///< where a selection began that is being made
    bool dragging_ = false;
    bool isForPicture_ = false;
    double pressX_ = 0;
    std::optional<TraceTime> cursor_;
    std::optional<TraceTime> lastCursor_; ///< where it was when the pointer left
    std::optional<SelectionAmount> amount_;
};

} // namespace highwater::ui
