#pragma once

#include "core/base/units.h"

#include <QRectF>
#include <QString>

#include <vector>

namespace highwater::ui {

/// A mark on an axis.
struct Tick {
    double value = 0; ///< nanoseconds or bytes
    QString label;
};

/// Round times inside the range, at most `maxTicks`.
[[nodiscard]] std::vector<Tick> timeTicks(TimeRange range, int maxTicks);
/// Round amounts from 0 (or below) up to and including the first at or above `highest`: 1, 2 or 5 times a power of ten
/// of B, KB, MB, ..., all labels in the same unit.
[[nodiscard]] std::vector<Tick> byteTicks(SignedByteCount lowest, SignedByteCount highest, int maxTicks);

/// Time to pixel and back, for a plot that shows `visible` over the width of `plot`.
struct TimelineCoordinates {
    TimeRange visible;
    QRectF plot;
    [[nodiscard]] double xOf(TraceTime time) const;
    /// Clamped to the visible range.
    [[nodiscard]] TraceTime timeAt(double x) const;
};

} // namespace highwater::ui
