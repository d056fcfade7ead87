#pragma once

#include "ui/view/chart/chart.h"

#include <QSignalSpy>
#include <QTest>

#include <optional>

namespace highwater::tests {

/// Three bars of two parts each.
inline ui::ChartPicture threeBars() {
    ui::ChartPicture picture;
    picture.points.categories = {"64 B", "128 B", "256 B"};
    picture.series = {{"Kept", ui::ChartKind::StackedBars, ui::ChartColor::Accent, {1024, 2048, 3072}},
                      {"Freed", ui::ChartKind::StackedBars, ui::ChartColor::Quiet, {0, 1024, 1024}}};
    picture.summary = "Sizes of all blocks";
    return picture;
}

/// The same as a line.
inline ui::ChartPicture threeValues() {
    auto picture = threeBars();
    picture.series = {{"Kept", ui::ChartKind::Line, ui::ChartColor::Accent, {1024, 2048, 3072}}};
    return picture;
}

/// The same as bands, of 10, 20 and 30 seconds.
inline ui::ChartPicture threeBands() {
    auto picture = threeBars();
    picture.points = {};
    picture.points.edges = {0, 10'000'000'000, 30'000'000'000, 60'000'000'000};
    for (std::size_t place = 0; auto& series : picture.series) {
        series.kind = ui::ChartKind::StackedBands;
        series.place = place++;
    }
    return picture;
}

/// A chart on screen, driven by mouse and keys.
struct ChartStage {
    ui::Chart chart{"chart", "Sizes", "Arrows go from bar to bar."};
    QSignalSpy chosen{&chart, &ui::Chart::chosen};

    explicit ChartStage(const ui::ChartPicture& picture = threeBars()) {
        chart.setPicture(picture);
        chart.resize(600, 200);
        chart.show();
        (void)QTest::qWaitForWindowExposed(&chart);
        chart.setFocus();
    }
    void press(Qt::Key key) { QTest::keyClick(&chart, key); }
    QPoint at(std::size_t point) {
        return {static_cast<int>(chart.xOf(point)), static_cast<int>(chart.plot().center().y())};
    }
    QColor pixel(double x, double y) { return chart.grab().toImage().pixelColor(QPointF(x, y).toPoint()); }
};

using Point = std::optional<std::size_t>;

} // namespace highwater::tests
