#pragma once

#include "ui/view/timeline_axes.h"

#include <QWidget>

#include <optional>

namespace highwater::ui {

/// What lies above the lines: the selected interval, the cursor, and the words beside it. Takes no input.
class TimelineOverlay : public QWidget {
    Q_OBJECT
  public:
    struct Marks {
        TimelineCoordinates coordinates;
        std::optional<TimeRange> selection;
        std::optional<TraceTime> cursor;
        QStringList words; ///< beside the cursor, else at the selection's end
    };

    explicit TimelineOverlay(QWidget* parent = nullptr);
    void setMarks(Marks marks);
    [[nodiscard]] const Marks& marks() const { return marks_; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void paintSelection(QPainter& painter) const;
    void paintWords(QPainter& painter) const;

    Marks marks_;
};

} // namespace highwater::ui
