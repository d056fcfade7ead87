#pragma once

#include "core/analysis/query/row_filter.h"
#include "core/analysis/timeline/memory_timeline.h"

#include <QColor>
#include <QHash>

#include <utility>
#include <vector>

namespace highwater::ui {

struct TimelineAnswer;

/// Colours of groups, by column and key: given out in the Okabe-Ito order (safe for the colour-blind) when a group is
/// first drawn, and kept, so that a process has the same colour in every graph and table of the trace. GUI thread only.
class SeriesColors {
  public:
    /// Gives the group the next free colour if it has none.
    QColor colorOf(const analysis::KeyStep& group);
    [[nodiscard]] QColor colorOf(const TimelineAnswer& answer, const analysis::TimelineSeries& series);
    /// Of what is new: what is kept stands out, what was freed is grey.
    [[nodiscard]] static QColor newBytesColor(const analysis::TimelineSeries& series);
    /// Invalid when the group was never drawn.
    [[nodiscard]] QColor knownColorOf(const analysis::KeyStep& group) const;
    /// For everything that is not one group: totals, "(N more)".
    [[nodiscard]] static QColor neutralColor();
    /// For the selected rows that are painted in a graph: that of their group, else one that `used` does not have while
    /// there are such.
    [[nodiscard]] QColor paintedColor(const analysis::KeyPath& row, const std::vector<QColor>& used) const;
    void clear() { given_.clear(); }

  private:
    QHash<std::pair<int, quint64>, int> given_;
};

} // namespace highwater::ui
