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

/// A line of the box beside the cursor.
struct TimelineWord {
    QString name;
    QString value; ///< right-aligned; may be empty
    QColor color;  ///< of a swatch before the name; invalid: none
};

/// What lies above the lines: the selected and the highlighted interval, the instant that tables show, named marks, the
/// cursor, and the words beside it. Takes no input.
class TimelineOverlay : public QWidget {
    Q_OBJECT
  public:
    struct Marks {
        TimelineCoordinates coordinates;
        std::optional<TimeRange> selection;
        std::optional<TimeRange> highlight;
        std::optional<TraceTime> instant;
        std::optional<TraceTime> cursor;
        std::shared_ptr<const std::vector<Mark>> named; ///< instants with a name; null: none
        std::vector<TimelineWord> words;                ///< beside the cursor, else at the selection's end
        QRectF pointed;                                 ///< what the words must not cover; empty: nothing
    };

    explicit TimelineOverlay(QWidget* parent = nullptr);
    void setMarks(Marks marks);
    /// Says of a place whether a line passes there: the words stand beside it, where they can.
    void setLines(std::function<bool(const QRectF&)> passThrough) { passThrough_ = std::move(passThrough); }
    [[nodiscard]] const Marks& marks() const { return marks_; }
    /// Where the words stand; empty without any. Words that a low graph has no room for are counted in the last line.
    [[nodiscard]] QRectF wordsBox() const;
    /// Warm yellow, as the gold bar is, on any ground.
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
