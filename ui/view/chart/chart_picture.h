#pragma once

#include <QColor>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QPalette;

namespace highwater::ui {

/// Unit of the numbers in a chart.
enum class ChartUnit : std::uint8_t { Bytes, Count, Nanoseconds };
/// Bars of a chart are side by side, stacked bars and stacked bands on top of each other.
enum class ChartKind : std::uint8_t { Line, DashedLine, Band, Bars, StackedBars, StackedBands };
/// Meaning of a colour, which the theme defines.
enum class ChartColor : std::uint8_t { Accent, Text, Quiet, Grew, Shrank };

struct ChartSeries {
    QString name = {}; ///< in the legend; empty: not in the legend
    ChartKind kind = ChartKind::Line;
    ChartColor color = ChartColor::Accent;
    /// Per point; for a band its upper edge. A line with fewer values than the chart has points ends early.
    std::vector<double> values = {};
    std::vector<double> lower = {}; ///< for a band its lower edge, with the same number of values
    /// A place for seriesColor(), whose colour replaces `color`.
    std::optional<std::size_t> place = {};
    QString savedName = {}; ///< in a legend below saved pictures, for series that the page itself explains; empty: none

    [[nodiscard]] bool isLine() const { return kind == ChartKind::Line || kind == ChartKind::DashedLine; }
    [[nodiscard]] bool isBar() const { return kind == ChartKind::Bars || kind == ChartKind::StackedBars; }
    [[nodiscard]] bool isStacked() const { return kind == ChartKind::StackedBars || kind == ChartKind::StackedBands; }
};

/// A vertical line at a point with its name above.
struct ChartMark {
    std::size_t point = 0;
    QString name = {};
    ChartColor color = ChartColor::Grew;
};

/// The points of a chart.
struct ChartPoints {
    QStringList categories = {};             ///< names at equal distances; if there are none,
    std::vector<std::int64_t> edges = {};    ///< boundaries of the points in ascending order: one more than points
    ChartUnit unit = ChartUnit::Nanoseconds; ///< unit of the edges
    QStringList bold = {};                   ///< categories of these names are emphasized

    [[nodiscard]] std::size_t count() const;
};

/// Description of a chart: a plain value, independent of its painter. Texts are plain text.
struct ChartPicture {
    QString title = {}; ///< precedes the text; empty: none
    ChartPoints points = {};
    ChartUnit unit = ChartUnit::Bytes;                   ///< unit of the values
    QString perUnit = {};                                ///< suffix of amounts: "/h"
    std::vector<ChartSeries> series = {};                ///< from back to front
    std::vector<ChartMark> marks = {};                   ///< in order of their points
    QString summary = {};                                ///< text while no point is selected
    std::function<QString(std::size_t point)> told = {}; ///< text of a point; empty: its name and values
    /// A shorter text of a point, for which `fits` returns true, if there is one; empty: `told` is cut.
    std::function<QString(std::size_t point, const std::function<bool(const QString&)>& fits)> toldWithin = {};
    QString why = {};                                    ///< reason if the chart has no points
    std::optional<std::size_t> chosen = {};              ///< point that the page shows: it has a frame
    bool isOld = false;                                  ///< a new one is being computed: everything is dimmed

    [[nodiscard]] bool hasBars() const;
    /// A point is an area with a width, so that a click on it chooses it.
    [[nodiscard]] bool isChosenByClick() const;
};

/// "12.5 MB", "1,204", "1.500 s". Any finite number; values beyond 64 bits are clamped.
[[nodiscard]] QString chartAmount(ChartUnit unit, double amount);
/// Default text of a point: "64 B: Kept 1.0 KB, Freed 3.0 KB".
[[nodiscard]] QString toldOf(const ChartPicture& picture, std::size_t point);
/// Range of all values, stack sums and 0; never empty.
[[nodiscard]] std::pair<double, double> valueRange(const ChartPicture& picture);
/// Position of a value in such a range: from 0 at the low end to 1 at the high end.
[[nodiscard]] double placeIn(const std::pair<double, double>& range, double value);
/// Position of a point's center, from 0 to 1, and the point at such a position. For a picture with points.
[[nodiscard]] double placeOf(const ChartPoints& points, std::size_t point);
/// Positions of the start and the end of a point.
[[nodiscard]] std::pair<double, double> extentOf(const ChartPoints& points, std::size_t point);
[[nodiscard]] std::size_t pointAtPlace(const ChartPoints& points, double place);
[[nodiscard]] QColor colorOf(ChartColor color, const QPalette& palette);

} // namespace highwater::ui
