#include "ui/view/table/header_geometry.h"

#include <QHeaderView>

#include <algorithm>
#include <cstdlib>

namespace highwater::ui {
namespace {

constexpr int kGrip = 4;
constexpr double kMostFrozen = 0.6; ///< as a part of the width; more would leave no room to scroll

} // namespace

HeaderGeometry::HeaderGeometry(const QHeaderView& header, const TableLayout& layout, Freezing freezing)
    : header_(header), layout_(layout), count_(std::min(header.count(), sectionCount(layout))) {
    if (freezing == Freezing::Off) return;
    for (; frozen_ < std::min(count_, 2); ++frozen_) {
        const auto width = frozenWidth_ + header.sectionSize(frozen_);
        if (width > kMostFrozen * header.viewport()->width()) break;
        frozenWidth_ = width;
    }
}

int HeaderGeometry::edge(int section) const {
    if (section <= frozen_) {
        int x = 0;
        for (int i = 0; i < section; ++i) {
            x += header_.sectionSize(i);
        }
        return x;
    }
    return section < count_ ? header_.sectionViewportPosition(section) : header_.length() - header_.offset();
}

QRect HeaderGeometry::section(int section) const {
    // The first scrolling section starts under the frozen ones.
    const int left = section < frozen_ ? edge(section) : header_.sectionViewportPosition(section);
    return {left, 0, header_.sectionSize(section), header_.viewport()->height()};
}

QRect HeaderGeometry::visibleSection(int index) const {
    auto rect = section(index);
    if (index >= frozen_) rect.setLeft(std::max(rect.left(), frozenWidth_));
    return rect;
}

int HeaderGeometry::sectionAt(int x) const {
    for (int section = 0; section < count_; ++section) {
        const auto rect = visibleSection(section);
        if (rect.isValid() && x >= rect.left() && x <= rect.right()) return section;
    }
    return -1;
}

bool HeaderGeometry::isInSight(int boundary) const { return boundary <= frozen_ || edge(boundary) >= frozenWidth_; }

QRect HeaderGeometry::bar(LayoutBar bar) const {
    const int boundary = bar == LayoutBar::Gold ? goldSection(layout_) : blueSection(layout_);
    if (boundary > count_ || !isInSight(boundary)) return {};
    const int left = bar == LayoutBar::Gold ? edge(boundary) - kBarWidth : edge(boundary);
    const bool isEnd = bar == LayoutBar::Blue && left + kBarWidth > header_.viewport()->width();
    return {isEnd ? left - kBarWidth : left, 0, kBarWidth, header_.viewport()->height()};
}

bool HeaderGeometry::isOnBar(LayoutBar which, int x) const {
    const auto rect = bar(which);
    if (rect.isEmpty()) return false;
    // Adjacent bars have one half each.
    const bool both = goldSection(layout_) == blueSection(layout_);
    const int left = rect.left() - (both && which == LayoutBar::Blue ? 0 : 2);
    const int right = rect.right() + (both && which == LayoutBar::Gold ? 0 : 2);
    return x >= left && x <= right;
}

HeaderSpot HeaderGeometry::spotAt(int x) const {
    if (isOnBar(LayoutBar::Gold, x)) return {HeaderSpot::Kind::Gold, goldSection(layout_)};
    if (isOnBar(LayoutBar::Blue, x)) return {HeaderSpot::Kind::Blue, blueSection(layout_)};
    for (int section = 0; section < count_; ++section) {
        if (!isInSight(section + 1)) continue;
        const bool atGold = section + 1 == goldSection(layout_);
        const bool atBar = atGold || section + 1 == blueSection(layout_);
        const int line = atBar ? edge(section + 1) - kBarWidth - kGrip : edge(section + 1);
        if (std::abs(x - line) <= kGrip) return {HeaderSpot::Kind::Edge, section};
    }
    const int section = sectionAt(x);
    return section < 0 ? HeaderSpot{} : HeaderSpot{HeaderSpot::Kind::Section, section};
}

LayoutDrop HeaderGeometry::dropAt(int x) const {
    auto zone = LayoutZone::Graphed;
    if (x < frozenWidth_ || x < edge(goldSection(layout_)))
        zone = LayoutZone::Keys;
    else if (x < edge(blueSection(layout_)))
        zone = LayoutZone::Values;
    const int first = sectionOfDrop(layout_, {zone, 0});
    LayoutDrop drop{zone, 0};
    for (; drop.index < zoneSize(layout_, zone); ++drop.index) {
        const int at = first + static_cast<int>(drop.index);
        if (at >= count_) break;
        // Edges under frozen sections cannot be hit.
        const bool isAimed = x >= frozenWidth_ || at < frozen_;
        if (!isAimed || x < section(at).center().x()) break;
    }
    return drop;
}

int HeaderGeometry::dropLine(LayoutDrop drop) const {
    const int boundary = sectionOfDrop(layout_, drop);
    const bool isEnd = drop.index >= zoneSize(layout_, drop.zone);
    // Next to a bar, on the side of the new position.
    constexpr int kAside = 6;
    if (isEnd && drop.zone == LayoutZone::Keys) return edge(boundary) - kAside;
    if (drop.index == 0 && drop.zone == LayoutZone::Graphed) return edge(boundary) + kAside;
    if (drop.index == 0 && drop.zone == LayoutZone::Values) return edge(boundary) + kAside / 2;
    if (isEnd && drop.zone == LayoutZone::Values) return edge(boundary) - kAside / 2;
    return edge(boundary);
}

int HeaderGeometry::boundaryAt(int x) const {
    int nearest = 1;
    for (int boundary = 1; boundary <= count_; ++boundary) {
        if (std::abs(x - edge(boundary)) < std::abs(x - edge(nearest))) nearest = boundary;
    }
    return nearest;
}

} // namespace highwater::ui
