#include "app/recording/lost_recordings.h"

#include "core/files/output_file.h"
#include "ui/format/byte_format.h"
#include "ui/format/qt_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QLocale>

#include <filesystem>

namespace highwater::app {

QList<LostRecording> lostRecordings(const QString& folder) {
    QList<LostRecording> lost;
    const auto files = QDir(folder).entryInfoList({QStringLiteral("*.etl")}, QDir::Files, QDir::Time);
    for (const auto& file : files) {
        if (OutputFile::isBeingWritten(ui::toPath(file.filePath()))) continue;
        // File names are those of RecordingSession: the program, then date, time and number.
        lost << LostRecording{file.filePath(), file.fileName().section(QLatin1Char(' '), 0, -4), file.lastModified(),
                              file.size()};
    }
    return lost;
}

QString labelOf(const LostRecording& recording) {
    const bool isToday = recording.written.date() == QDate::currentDate();
    const auto when = isToday ? QLocale().toString(recording.written.time(), QLocale::ShortFormat)
                              : QLocale().toString(recording.written, QLocale::ShortFormat);
    return QCoreApplication::translate("LostRecordings", "Unsaved recording of %1 (%2, %3)")
        .arg(recording.program, when, ui::formatBytes(recording.bytes));
}

} // namespace highwater::app
