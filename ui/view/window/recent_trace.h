#pragma once

#include <QDateTime>
#include <QList>
#include <QStringList>

namespace highwater::ui {

/// A trace that was opened before: one file, or several that were opened together.
struct RecentTrace {
    /// The state of its files, compared with when it was opened.
    enum class State { Same, Changed, Missing };
    QStringList paths;
    qint64 bytes = 0;
    QDateTime modified;
    qint64 durationNs = 0; ///< 0: not known
    State state = State::Same;
    QList<qint64> outline = {}; ///< how much was outstanding over time, of any scale; empty: not known
};

/// "a.etl", "a.etl (+1 more)"
[[nodiscard]] QString nameOfTrace(const QStringList& paths);

} // namespace highwater::ui
