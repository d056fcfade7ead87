#include "ui/view/access/tip_place.h"

#include <algorithm>
#include <optional>

namespace highwater::ui {
namespace {

constexpr int kTipGap = 3;
/// What an arrow covers around its hot spot; larger below and right of it.
constexpr int kAboveArrow = 4, kBelowArrow = 20;

/// At most as far as the box stays within; boxes that are larger begin at the begin.
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
    // The arrow may stand half outside of what is pointed at: the tip keeps off it where that goes.
    for (const auto& covered : {pointed.rect.united(arrow), pointed.rect, arrow}) {
        if (const auto place = besideIt(tip, covered & bounds, pointer, bounds)) return *place;
    }
    return kept(pointer + QPoint(kBelowArrow, kBelowArrow), tip, bounds);
}

} // namespace highwater::ui
