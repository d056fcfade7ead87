#include "ui/view/flames/flame_painter.h"

#include "ui/theme/theme_colors.h"

#include "core/export/flame_colors.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace highwater::ui {
namespace {

constexpr int kTextMargin = 3;
constexpr int kGapFrom = 3; ///< minimum box width for a gap to the next

exports::FlameGround flameGroundOf(const QPalette& palette) {
    return groundOf(palette) == Ground::Light ? exports::FlameGround::Light : exports::FlameGround::Dark;
}

QColor toColor(exports::FlameColor color) { return {color.red, color.green, color.blue}; }

QColor mixed(const QColor& color, const QColor& with, double part) {
    const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a * (1 - part) + b * part)); };
    return {mix(color.red(), with.red()), mix(color.green(), with.green()), mix(color.blue(), with.blue())};
}

} // namespace

int FlameRows::rowAt(int y) const {
    if (y < top || y >= top + wholeHeight()) return -1;
    const auto place = (y - top) / height;
    return root == FlameRoot::Top ? place : static_cast<int>(count) - 1 - place;
}

QRect FlameRows::rectOf(const analysis::FlameBox& box) const {
    const auto left = static_cast<int>(std::lround(box.left));
    const auto right = std::max(left + 1, static_cast<int>(std::lround(box.right)));
    const auto gap = right - left >= kGapFrom ? 1 : 0;
    return {left, yOf(box.row), right - left - gap, height - 1};
}

std::uint32_t seenRows(const analysis::FlameTree& tree, const analysis::FlameWindow& window) {
    std::uint32_t rows = 0;
    analysis::FlameLayout(tree, window).visit([&](const analysis::FlameBox& box) {
        rows = std::max(rows, box.row + 1);
    });
    return rows;
}

FlamePainter::FlamePainter(const Look& look, const FlameRows& rows) : look_(look), rows_(rows) {
    const QFontMetrics metrics(look.font);
    baseline_ = (rows.height - 1 - metrics.height()) / 2 + metrics.ascent();
}

std::size_t FlamePainter::paint(QPainter& painter, analysis::FlameWindow window, const QRect& area) const {
    const auto clamped = [&](int y) {
        return rows_.rowAt(std::clamp(y, rows_.top, rows_.top + rows_.wholeHeight() - 1));
    };
    if (rows_.count == 0) return 0;
    const auto [first, last] = std::minmax({clamped(area.top()), clamped(area.bottom())});
    window.firstRow = static_cast<std::uint32_t>(first);
    window.lastRow = static_cast<std::uint32_t>(last);
    painter.setFont(look_.font);
    painter.setPen(look_.palette.color(QPalette::Text));
    std::size_t boxes = 0;
    analysis::FlameLayout(look_.tree, window).visit([&](const analysis::FlameBox& box) {
        paintBox(painter, box);
        ++boxes;
    });
    return boxes;
}

bool FlamePainter::matches(const analysis::FlameBox& box) const {
    const auto& ofNode = look_.search->matches.ofNode;
    for (auto node = box.node; node <= box.lastNode; ++node) {
        if (node < ofNode.size() && ofNode[node] != 0) return true;
    }
    return false;
}

QColor FlamePainter::colorOf(const analysis::FlameBox& box) const {
    const auto ground = flameGroundOf(look_.palette);
    const auto color = toColor(box.isMerged() ? exports::mergedFlameColor(ground)
                                              : exports::flameColorOf(look_.tree, box.node, ground));
    if (!look_.search) return color;
    if (matches(box)) return QColor::fromRgb(themeColors(look_.palette).found);
    return mixed(color, look_.palette.color(QPalette::Base), 0.6);
}

void FlamePainter::paintBox(QPainter& painter, const analysis::FlameBox& box) const {
    const auto rect = rows_.rectOf(box);
    painter.fillRect(rect, colorOf(box));
    if (box.isMerged()) return;
    const auto text = look_.texts.cut(box.node, rect.width() - 2 * kTextMargin);
    if (!text.isEmpty()) painter.drawText(rect.left() + kTextMargin, rect.top() + baseline_, text);
}

} // namespace highwater::ui
