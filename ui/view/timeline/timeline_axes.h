#pragma once

#include "core/analysis/timeline/memory_timeline.h"
#include "core/base/units.h"

#include <QFontMetrics>
#include <QRectF>
#include <QString>

#include <vector>

namespace highwater::ui {

/// A mark on an axis.
struct Tick {
    double value = 0; ///< nanoseconds, bytes or rows
    QString label;
};

/// Round times inside the range, at most `maxTicks`.
[[nodiscard]] std::vector<Tick> timeTicks(TimeRange range, int maxTicks);
/// As many as fit into a width in pixels with at least `gap` between labels: a millisecond of a long trace has longer
/// labels than a minute.
[[nodiscard]] std::vector<Tick> timeTicksThatFit(TimeRange range, int width, const QFontMetrics& font, int gap);
/// Round amounts from 0 (or below) up to and including the first at or above `highest`: 1, 2 or 5 times a power of ten
/// in the unit of the highest, as in tables: "0.5 MB" and "1.5 MB", "20 KB". An empty axis ends at 1 MB.
[[nodiscard]] std::vector<Tick> byteTicks(SignedByteCount lowest, SignedByteCount highest, int maxTicks);
/// The same for plain numbers; an empty axis ends at 10.
[[nodiscard]] std::vector<Tick> countTicks(std::int64_t lowest, std::int64_t highest, int maxTicks);
/// Ticks in the unit of the timeline.
[[nodiscard]] std::vector<Tick> amountTicks(std::int64_t lowest, std::int64_t highest, int maxTicks,
                                            analysis::TimelineMeasure measure);
/// Title of an amount axis: "Outstanding size", "Freed count", "New bytes".
[[nodiscard]] QString amountTitle(analysis::Table table, analysis::TimelineMeasure measure);
/// "31.0 MB", or "1,204".
[[nodiscard]] QString formatAmount(std::int64_t amount, analysis::TimelineMeasure measure);

/// Converts between time and pixel for a plot that shows `visible` over the width of `plot`.
struct TimelineCoordinates {
    TimeRange visible;
    QRectF plot;
    [[nodiscard]] double xOf(TraceTime time) const;
    /// Clamped to the visible range.
    [[nodiscard]] TraceTime timeAt(double x) const;
};

} // namespace highwater::ui
