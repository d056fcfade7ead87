#pragma once

#include <QDateTime>
#include <QList>
#include <QString>

namespace highwater::app {

/// A recording that was not saved when Highwater exited.
struct LostRecording {
    QString path;
    QString program;
    QDateTime written; ///< last modification
    qint64 bytes = 0;
};

/// Newest first. Excludes files that a running Highwater writes.
[[nodiscard]] QList<LostRecording> lostRecordings(const QString& folder);
/// "Unsaved recording of app (14:02, 1.2 GB)"
[[nodiscard]] QString labelOf(const LostRecording& recording);

} // namespace highwater::app
