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

/// The colours of groups, by their paths: of lines of graphs, of rows that are painted in them, and of the squares in
/// legends and tables. Given out when a group is first drawn, the Okabe-Ito colours (safe for the colour-blind) first,
/// and kept, so that a process has the same colour in every graph and table of the trace. As long as there are colours
/// no two groups have the same; then at least not those that are seen together, nor those that are in one group. GUI
/// thread only.
class SeriesColors {
  public:
    static constexpr std::size_t kCount = 28;

    /// Gives the group a colour if it has none: not one of `used`, while there are others.
    QColor colorOf(const analysis::KeyPath& group, const std::vector<QColor>& used = {});
    /// Of totals, and of what is not one group, the neutral one. Coarse answers give out none: which is the heaviest is
    /// not known yet.
    [[nodiscard]] QColor colorOf(const TimelineAnswer& answer, const analysis::TimelineSeries& series,
                                 const std::vector<QColor>& used = {});
    /// Of what is new: what is kept stands out, what was freed is grey.
    [[nodiscard]] static QColor newBytesColor(const analysis::TimelineSeries& series);
    /// Invalid when the group was never drawn.
    [[nodiscard]] QColor knownColorOf(const analysis::KeyPath& group) const;
    /// For everything that is not one group: totals, "(N more)".
    [[nodiscard]] static QColor neutralColor();
    void clear();

  private:
    struct Order {
        bool operator()(const analysis::KeyPath& a, const analysis::KeyPath& b) const;
    };
    [[nodiscard]] std::size_t bestPlaceFor(const analysis::KeyPath& group, const std::vector<QColor>& used) const;

    std::map<analysis::KeyPath, std::size_t, Order> given_; ///< a place in the palette
    std::array<unsigned, kCount> uses_{};
};

} // namespace highwater::ui
