#pragma once

#include <QDateTime>
#include <QList>
#include <QString>

namespace highwater::app {

/// The file of a recording whose Highwater ended before it was saved.
struct LostRecording {
    QString path;
    QString program;
    QDateTime written; ///< the last time
    qint64 bytes = 0;
};

/// Newest first; files that a living Highwater writes are not among them.
[[nodiscard]] QList<LostRecording> lostRecordings(const QString& folder);
/// "Unsaved recording of app (14:02, 1.2 GB)"
[[nodiscard]] QString labelOf(const LostRecording& recording);

} // namespace highwater::app
