#pragma once

#include <QColor>
#include <QHash>

#include <cstdint>

namespace highwater::ui {

/// Colours of groups, by key: given out in the Okabe-Ito order (safe for the colour-blind) when a group is first drawn,
/// and kept, so that a process has the same colour in every graph and table of the trace. GUI thread only.
class SeriesColors {
  public:
    /// Gives the group the next free colour if it has none.
    QColor colorOf(std::uint64_t key);
    /// Invalid when the group was never drawn.
    [[nodiscard]] QColor knownColorOf(std::uint64_t key) const;
    /// For everything that is not one group: totals, "(N more)".
    [[nodiscard]] static QColor neutralColor();
    void clear() { slots_.clear(); }

  private:
    QHash<quint64, int> slots_;
};

} // namespace highwater::ui
