#pragma once

#include "core/event/trace_notes.h"
#include "ui/view/timeline/timeline_axes.h"

#include <QColor>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace highwater::ui {

/// A line of the box next to the cursor.
struct TimelineWord {
    QString name;
    QString value; ///< right-aligned; may be empty
    QColor color;  ///< colour of a swatch before the name; invalid: none
};

/// Painted above the lines: the selected and the highlighted interval, the instant shown in tables, marks, the cursor,
/// and the box next to it. Ignores input.
class TimelineOverlay : public QWidget {
    Q_OBJECT
  public:
    struct Marks {
        TimelineCoordinates coordinates;
        std::optional<TimeRange> selection;
        std::optional<TimeRange> highlight;
        std::optional<TraceTime> instant;
        std::optional<TraceTime> cursor;
        std::shared_ptr<const std::vector<Mark>> named; ///< marks; null: none
        std::vector<TimelineWord> words;                ///< next to the cursor, otherwise at the end of the selection
        QRectF pointed;                                 ///< the area that the box must not cover; empty: none
    };

    explicit TimelineOverlay(QWidget* parent = nullptr);
    void setMarks(Marks marks);
    /// Callback that returns whether a line passes through a rectangle; the box avoids lines where possible.
    void setLines(std::function<bool(const QRectF&)> passThrough) { passThrough_ = std::move(passThrough); }
    [[nodiscard]] const Marks& marks() const { return marks_; }
    /// Position of the box; empty if there is none. Lines that do not fit into a low graph are counted in the last
    /// line.
    [[nodiscard]] QRectF wordsBox() const;
    /// Warm yellow like the gold bar, on any background.
    [[nodiscard]] static QColor highlightColor();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void paintRange(QPainter& painter, TimeRange range, QColor color) const;
    void paintInstant(QPainter& painter) const;
    void paintNamed(QPainter& painter) const;
    void paintWords(QPainter& painter) const;
    [[nodiscard]] QSizeF wordsSize() const;
    [[nodiscard]] std::vector<TimelineWord> wordsWithRoom() const;

    Marks marks_;
    std::function<bool(const QRectF&)> passThrough_;
};

} // namespace highwater::ui
