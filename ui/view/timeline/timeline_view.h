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

/// The outstanding amount over time, by group, as lines, stacked areas or bars, with selected table rows painted in,
/// see TimelineLayers. Drag selects an interval, Enter zooms to it, the wheel zooms at the pointer (Shift or
/// horizontally: pans), Backspace unzooms, Home shows all, Escape clears. The arrow keys move a cursor, and select with
/// Shift; L shows the memory outstanding at the cursor. Bound to the view state, independent of the table. GUI thread
/// only.
class TimelineView : public QWidget, public Spoken {
    Q_OBJECT
  public:
    TimelineView(GraphState& graph, SeriesColors& colors, ZoomActions& actions, QWidget* parent = nullptr);
    ~TimelineView() override;

    /// A coarse answer is drawn in lighter lines and described as preliminary.
    void setAnswer(std::shared_ptr<const TimelineAnswer> answer);
    [[nodiscard]] bool isCoarse() const { return content_.answer && content_.answer->timeline.isCoarse; }
    [[nodiscard]] const std::shared_ptr<const TimelineAnswer>& answer() const { return content_.answer; }
    /// Rows to paint; null: none. They appear together with the answer with which they were requested.
    void setPainted(std::shared_ptr<const PaintedAnswer> painted);
    [[nodiscard]] const std::shared_ptr<const PaintedAnswer>& painted() const { return content_.painted; }
    /// One per painted row.
    [[nodiscard]] const std::vector<QColor>& paintedColors() const { return content_.paintedColors; }
    /// Table rows that are lines or painted.
    [[nodiscard]] KeyTree drawnRows() const;
    /// The trace whose losses and rundowns are shown; null: none.
    void setZonesOf(const store::PublishedTrace* trace);
    [[nodiscard]] const TimelineZones& zones() const { return zones_; }
    /// Text shown instead of the axes if there is nothing to draw; empty: there is.
    void setEmptyText(const QString& words);
    [[nodiscard]] const QString& nothing() const { return nothing_; }
    /// Shown while it matches the selection.
    void setSelectionAmount(const SelectionAmount& amount);

    [[nodiscard]] TimelineCoordinates coordinates() const { return {state_.visibleRange(), plot_}; }
    /// Position of an amount in the plot.
    [[nodiscard]] double yOf(double amount) const;
    /// The name of the private bytes line, which is not a series.
    [[nodiscard]] static QString privateBytesName();
    [[nodiscard]] const TimelineScene& scene() const { return scene_; }
    [[nodiscard]] const TimelineLayers& layers() const { return layers_; }
    [[nodiscard]] const LifetimeBars& lifetimeBars() const { return bars_; }
    [[nodiscard]] std::optional<TraceTime> cursor() const { return cursor_; }
    /// Text next to the cursor: for the selection start, end, duration and difference; elsewhere the time and the value
    /// of each line there.
    [[nodiscard]] QStringList words() const;
    [[nodiscard]] QString spokenValue() const override;
    /// Its position.
    [[nodiscard]] QRectF wordsBox() const { return overlay_->wordsBox(); }
    /// The picture contains the selection, the highlight and the instant, but not the cursor.
    void renderPlot(QPainter& painter);
    /// The same as lines and text, independent of the screen painting: at most two points of each line per pixel.
    void drawPlot(QPainter& painter);
    /// Name of the trace, for file names.
    void setTraceName(std::function<QString()> name) { traceName_ = std::move(name); }
    [[nodiscard]] QAction* exportAction() const { return export_; }

    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 140}; }
    [[nodiscard]] QSize sizeHint() const override { return {800, 260}; }

    /// Toggles whether tables show the memory outstanding at the cursor or its last position; at the same position
    /// again, they show the interval.
    void toggleInstant();

  signals:
    /// In physical pixels, one slice for each.
    void plotWidthChanged(int pixels);
    /// To the time of the values shown.
    void cursorMoved(std::optional<highwater::TraceTime> time);
    /// The user points at something that started in this time (TimelineLayers::riseTo), in this group; empty: any
    /// group.
    void rowPointedAt(highwater::TimeRange rise, const highwater::analysis::KeyPath& series);
    /// The graph could not be saved, with the reason.
    void pictureFailed(const QString& sentence);
    void pictureSaved(const QString& path);

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
    std::optional<TraceTime> anchor_; ///< start of the current selection drag
    bool dragging_ = false;
    bool isForPicture_ = false;
    double pressX_ = 0;
    std::optional<TraceTime> cursor_;
    std::optional<TraceTime> lastCursor_; ///< position when the pointer left
    std::optional<SelectionAmount> amount_;
};

} // namespace highwater::ui
