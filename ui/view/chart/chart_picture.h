#pragma once

#include <QColor>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

class QPalette;

namespace highwater::ui {

/// What numbers of a chart count.
enum class ChartUnit : std::uint8_t { Bytes, Count, Nanoseconds };
/// Bars of a chart stand beside each other, those that are stacked on each other.
enum class ChartKind : std::uint8_t { Line, DashedLine, Band, Bars, StackedBars };
/// What a colour means; the theme has it.
enum class ChartColor : std::uint8_t { Accent, Text, Quiet, Grew, Shrank };

struct ChartSeries {
    QString name = {}; ///< in the legend; empty: the legend leaves it out
    ChartKind kind = ChartKind::Line;
    ChartColor color = ChartColor::Accent;
    /// By point; of a band its upper edge. A line may have fewer values than the chart has points: it ends there.
    std::vector<double> values = {};
    std::vector<double> lower = {}; ///< of a band its lower edge, as many values

    [[nodiscard]] bool isLine() const { return kind == ChartKind::Line || kind == ChartKind::DashedLine; }
    [[nodiscard]] bool isBar() const { return kind == ChartKind::Bars || kind == ChartKind::StackedBars; }
};

/// A vertical line at a point, with its name above.
struct ChartMark {
    std::size_t point = 0;
    QString name = {};
    ChartColor color = ChartColor::Grew;
};

/// What the points of a chart are.
struct ChartPoints {
    QStringList categories = {};             ///< their names, at equal distances; or, where there are none,
    std::vector<std::int64_t> edges = {};    ///< where each ends and the next begins, rising: one more than points
    ChartUnit unit = ChartUnit::Nanoseconds; ///< of the edges
    QStringList bold = {};                   ///< the categories of these names stand out

    [[nodiscard]] std::size_t count() const;
};

/// A chart: a plain value that knows nothing of who paints it. Texts are plain text.
struct ChartPicture {
    QString title = {}; ///< stands before what is told; empty: none
    ChartPoints points = {};
    ChartUnit unit = ChartUnit::Bytes;                   ///< of the values
    QString perUnit = {};                                ///< what stands behind amounts: "/h"
    std::vector<ChartSeries> series = {};                ///< those behind others first
    std::vector<ChartMark> marks = {};                   ///< in the order of their points
    QString summary = {};                                ///< is told while no point is pointed at
    std::function<QString(std::size_t point)> told = {}; ///< of a point; empty: its name and values
    QString why = {};                                    ///< of a chart without points: why there are none
    bool isOld = false; ///< another one is computed: all is in the colour of what stands back

    [[nodiscard]] bool hasBars() const;
};

/// "12.5 MB", "1,204", "1.500 s". Any finite number: those beyond 64 bits become the largest that there is.
[[nodiscard]] QString chartAmount(ChartUnit unit, double amount);
/// What is told of a point where the picture does not say it: "64 B: Kept 1.0 KB, Freed 3.0 KB".
[[nodiscard]] QString toldOf(const ChartPicture& picture, std::size_t point);
/// From the lowest to the highest of 0 and all values, and of sums of what is stacked; never of no height.
[[nodiscard]] std::pair<double, double> valueRange(const ChartPicture& picture);
/// Where a value is in such a range: 0 at its low end, 1 at its high end.
[[nodiscard]] double placeIn(const std::pair<double, double>& range, double value);
/// The place of a point's middle, from 0 to 1, and the point at such a place. Of a picture with points.
[[nodiscard]] double placeOf(const ChartPoints& points, std::size_t point);
[[nodiscard]] std::size_t pointAtPlace(const ChartPoints& points, double place);
[[nodiscard]] QColor colorOf(ChartColor color, const QPalette& palette);

} // namespace highwater::ui
