#include "ui/view/access/tip_place.h"

#include <algorithm>
#include <optional>

namespace highwater::ui {
namespace {

constexpr int kTipGap = 3;
/// Area that an arrow pointer covers around its hot spot; larger below and to the right.
constexpr int kAboveArrow = 4, kBelowArrow = 20;

/// Moves the box inside the bounds; larger boxes start at the bounds' start.
QPoint kept(QPoint corner, const QSize& tip, const QRect& bounds) {
    const auto keep = [](int at, int length, int from, int to) { return std::max(from, std::min(at, to - length)); };
    return {keep(corner.x(), tip.width(), bounds.left(), bounds.left() + bounds.width()),
            keep(corner.y(), tip.height(), bounds.top(), bounds.top() + bounds.height())};
}

std::optional<QPoint> besideIt(const QSize& tip, const QRect& covered, const QPoint& pointer, const QRect& bounds) {
    const QPoint corners[] = {{pointer.x() + 2, covered.bottom() + 1 + kTipGap},
                              {pointer.x() + 2, covered.top() - kTipGap - tip.height()},
                              {covered.right() + 1 + kTipGap, pointer.y()},
                              {covered.left() - kTipGap - tip.width(), pointer.y()}};
    for (const auto& corner : corners) {
        const auto place = kept(corner, tip, bounds);
        if (!QRect(place, tip).intersects(covered)) return place;
    }
    return std::nullopt;
}

} // namespace

QPoint tipPlace(const QSize& tip, const Pointed& pointed, const QRect& bounds) {
    const auto& pointer = pointed.pointer;
    const QRect arrow(pointer - QPoint(kAboveArrow, kAboveArrow), pointer + QPoint(kBelowArrow, kBelowArrow));
    // The arrow may extend beyond the item. The tooltip avoids it where possible.
    for (const auto& covered : {pointed.rect.united(arrow), pointed.rect, arrow}) {
        if (const auto place = besideIt(tip, covered & bounds, pointer, bounds)) return *place;
    }
    return kept(pointer + QPoint(kBelowArrow, kBelowArrow), tip, bounds);
}

} // namespace highwater::ui
