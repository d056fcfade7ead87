#pragma once

#include "core/analysis/query/row_filter.h"
#include "core/analysis/timeline/memory_timeline.h"

#include <QColor>

#include <array>
#include <cstddef>
#include <map>
#include <vector>

namespace highwater::ui {

struct TimelineAnswer;

/// Colours of groups by path: for graph lines, rows painted in graphs, and the squares in legends and tables. A colour
/// is assigned when a group is first drawn, the Okabe-Ito colours (safe for colour-blind users) first, and kept, so
/// that a process has the same colour in every graph and table of the trace. Colours are unique while there are enough;
/// after that, at least groups that are visible together or share a parent differ. GUI thread only.
class SeriesColors {
  public:
    static constexpr std::size_t kCount = 28;

    /// Assigns a colour if the group has none, avoiding `used` while others are available.
    QColor colorOf(const analysis::KeyPath& group, const std::vector<QColor>& used = {});
    /// Neutral for totals and for series that are not one group. Coarse answers assign no colours, because their
    /// heaviest group is not known yet.
    [[nodiscard]] QColor colorOf(const TimelineAnswer& answer, const analysis::TimelineSeries& series,
                                 const std::vector<QColor>& used = {});
    /// For new bytes: retained ones stand out, freed ones are grey.
    [[nodiscard]] static QColor newBytesColor(const analysis::TimelineSeries& series);
    /// Invalid if the group was never drawn.
    [[nodiscard]] QColor knownColorOf(const analysis::KeyPath& group) const;
    /// For everything that is not a single group: totals, "(N more)".
    [[nodiscard]] static QColor neutralColor();
    void clear();

  private:
    struct Order {
        bool operator()(const analysis::KeyPath& a, const analysis::KeyPath& b) const;
    };
    [[nodiscard]] std::size_t bestPlaceFor(const analysis::KeyPath& group, const std::vector<QColor>& used) const;

    std::map<analysis::KeyPath, std::size_t, Order> given_; ///< index in the palette
    std::array<unsigned, kCount> uses_{};
};

} // namespace highwater::ui
