#pragma once

#include "ui/state/table/layout_edit.h"

#include <QRect>

#include <cstdint>

class QHeaderView;

namespace highwater::ui {

enum class LayoutBar : std::uint8_t { Gold, Blue };

/// What lies under a point of a header.
struct HeaderSpot {
    enum class Kind : std::uint8_t { Nothing, Section, Edge, Gold, Blue };
    Kind kind = Kind::Nothing;
    int section = -1; ///< of Edge: the section left of it, whose width it changes
    friend bool operator==(const HeaderSpot&, const HeaderSpot&) = default;
};

enum class Freezing : std::uint8_t { Off, On };

/// Where the sections and bars of a pivot table stand, in pixels of the header's viewport (those of the table's
/// viewport in x). The line number and the first key stay at the left edge when the rest is scrolled, unless they take
/// most of the width. Made for one question; GUI thread only.
class HeaderGeometry {
  public:
    static constexpr int kBarWidth = 3;

    HeaderGeometry(const QHeaderView& header, const TableLayout& layout, Freezing freezing);

    /// How many of the first sections do not scroll, and how wide they are.
    [[nodiscard]] int frozenSections() const { return frozen_; }
    [[nodiscard]] int frozenWidth() const { return frozenWidth_; }
    [[nodiscard]] QRect section(int section) const;
    /// The part of it that is not covered by frozen ones.
    [[nodiscard]] QRect visibleSection(int section) const;
    /// -1: none.
    [[nodiscard]] int sectionAt(int x) const;
    /// The left edge of a section; of the one behind the last: the right end.
    [[nodiscard]] int edge(int section) const;
    /// Gold ends at its boundary, blue begins there: they never cover each other. Empty: scrolled out of sight.
    [[nodiscard]] QRect bar(LayoutBar bar) const;
    [[nodiscard]] HeaderSpot spotAt(int x) const;

    /// Where a column that is let go at x lands: the bars divide the zones, the middles of sections the places.
    [[nodiscard]] LayoutDrop dropAt(int x) const;
    /// The line that shows it.
    [[nodiscard]] int dropLine(LayoutDrop drop) const;
    /// The section whose left edge is nearest: where a bar that is let go at x lands.
    [[nodiscard]] int boundaryAt(int x) const;

  private:
    [[nodiscard]] bool isInSight(int boundary) const;
    [[nodiscard]] bool isOnBar(LayoutBar bar, int x) const;

    const QHeaderView& header_;
    const TableLayout& layout_;
    int count_;
    int frozen_ = 0;
    int frozenWidth_ = 0;
};

} // namespace highwater::ui
