#pragma once

#include "ui/state/table/layout_edit.h"

#include <QRect>

#include <cstdint>

class QHeaderView;

namespace highwater::ui {

enum class LayoutBar : std::uint8_t { Gold, Blue };

/// The header part under a point.
struct HeaderSpot {
    enum class Kind : std::uint8_t { Nothing, Section, Edge, Gold, Blue };
    Kind kind = Kind::Nothing;
    int section = -1; ///< for Edge: the section to the left, which it resizes
    friend bool operator==(const HeaderSpot&, const HeaderSpot&) = default;
};

enum class Freezing : std::uint8_t { Off, On };

/// Positions of the sections and bars of a pivot table in pixels of the header's viewport (in x also those of the
/// table's viewport). The line number and the first key stay at the left edge during horizontal scrolling, unless they
/// take most of the width. Created for a single query; GUI thread only.
class HeaderGeometry {
  public:
    static constexpr int kBarWidth = 3;

    HeaderGeometry(const QHeaderView& header, const TableLayout& layout, Freezing freezing);

    /// Number and width of the frozen sections.
    [[nodiscard]] int frozenSections() const { return frozen_; }
    [[nodiscard]] int frozenWidth() const { return frozenWidth_; }
    [[nodiscard]] QRect section(int section) const;
    /// The part that is not covered by frozen sections.
    [[nodiscard]] QRect visibleSection(int section) const;
    /// -1: none.
    [[nodiscard]] int sectionAt(int x) const;
    /// The left edge of a section; for the count, the right end.
    [[nodiscard]] int edge(int section) const;
    /// The gold bar ends at its boundary and the blue one starts there, so they never overlap. Empty: scrolled out of
    /// view.
    [[nodiscard]] QRect bar(LayoutBar bar) const;
    [[nodiscard]] HeaderSpot spotAt(int x) const;

    /// Target of a column dropped at x: bars separate the zones, section centers the positions.
    [[nodiscard]] LayoutDrop dropAt(int x) const;
    /// Position of the line that shows it.
    [[nodiscard]] int dropLine(LayoutDrop drop) const;
    /// The section with the nearest left edge: the target of a bar dropped at x.
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
