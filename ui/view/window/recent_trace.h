#pragma once

#include <QDateTime>
#include <QList>
#include <QStringList>

namespace highwater::ui {

/// A recently opened trace: one file, or several that were opened together.
struct RecentTrace {
    /// State of its files compared with the last time.
    enum class State { Same, Changed, Missing };
    QStringList paths;
    qint64 bytes = 0;
    QDateTime modified;
    qint64 durationNs = 0; ///< 0: unknown
    State state = State::Same;
    QList<qint64> outline = {}; ///< outstanding memory over time at any scale; empty: unknown
};

/// "a.etl", "a.etl (+1 more)"
[[nodiscard]] QString nameOfTrace(const QStringList& paths);

} // namespace highwater::ui
