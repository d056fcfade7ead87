#pragma once

#include "core/base/units.h"

#include <QList>
#include <QPair>
#include <QString>
#include <QStringList>

#include <optional>

namespace highwater::app {

/// Information for support requests. A value.
struct Diagnostics {
    QList<QPair<QString, QString>> settings; ///< names and values, without paths
    QString logPlace;                        ///< the file, or why there is none
    QStringList lines;                       ///< the newest log lines
    std::optional<ByteCount> systemMemory, ownMemory;
};

/// Formats the information for a message or report: version, system, Qt, processors, memory, settings, and log lines.
/// Replaces the user's home folder with ~. GUI thread only.
[[nodiscard]] QString diagnosticsText(const Diagnostics& diagnostics);

/// Replaces this folder with ~ in `text`, with slashes or backslashes.
[[nodiscard]] QString withoutHome(QString text, const QString& home);

} // namespace highwater::app
