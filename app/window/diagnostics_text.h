#pragma once

#include "core/base/units.h"

#include <QList>
#include <QPair>
#include <QString>
#include <QStringList>

#include <optional>

namespace highwater::app {

/// What somebody who helps a user needs to know. A value.
struct Diagnostics {
    QList<QPair<QString, QString>> settings; ///< names and values; none is a path
    QString logPlace;                        ///< the file, or why there is none
    QStringList lines;                       ///< the newest of the log
    std::optional<ByteCount> systemMemory, ownMemory;
};

/// As text for a message or a report: version, system, Qt, processors, memory, settings, and the lines of the log. The
/// home folder of the user is written as ~ wherever it stands. GUI thread only.
[[nodiscard]] QString diagnosticsText(const Diagnostics& diagnostics);

/// `text` with ~ in place of this folder, in the form of either system.
[[nodiscard]] QString withoutHome(QString text, const QString& home);

} // namespace highwater::app
