#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace highwater::ui {

/// A program to launch with its settings. A value.
struct LaunchTarget {
    QString program;
    QString arguments;             ///< as in a shell, with quotes
    QString folder;                ///< empty: the current folder
    QStringList environment;       ///< NAME=value
    bool keepsEnvironment = false; ///< beyond this run of Highwater
    QStringList forgotten = {};    ///< names of its variables whose values were not saved
    friend bool operator==(const LaunchTarget&, const LaunchTarget&) = default;
};

/// "NAME" of "NAME=value".
[[nodiscard]] inline QString variableName(const QString& line) { return line.section(QLatin1Char('='), 0, 0); }

/// Choices of the Record page as entered. A value.
struct RecordChoices {
    QString program;
    QString arguments;             ///< as in a shell, with quotes
    QString folder;                ///< empty: the current folder
    QStringList environment;       ///< NAME=value
    bool keepsEnvironment = false; ///< beyond this run of Highwater
    QStringList forgotten = {};    ///< names of its variables whose values were not saved
    quint32 pid = 0;               ///< a running process; 0: the program is launched
    QString processName;           ///< name of that process
    bool heap = true;
    bool virtualAlloc = true;
    bool stacksOnFree = false;
    bool children = false;
    bool managedNames = true; ///< names that runtimes report for compiled functions
    enum class StopWhen : quint8 { Never, Above, Growth };
    StopWhen stopWhen = StopWhen::Never; ///< condition for private bytes
    qint64 stopMegabytes = 1536;
    bool stopsAfter = false; ///< after a time
    int stopSeconds = 180;
    bool compressed = true; ///< the trace file
    enum class Keep : quint8 { All, LastMinutes, LastMegabytes };
    Keep keep = Keep::All;
    int keepMinutes = 5;
    int keepMegabytes = 500;
    bool snapshotsEvery = false; ///< at an interval of snapshotSeconds
    int snapshotSeconds = 60;
    bool snapshotsOnGrowth = false; ///< when outstanding heap memory has grown
    int snapshotMegabytes = 100;
    friend bool operator==(const RecordChoices&, const RecordChoices&) = default;
};

[[nodiscard]] inline LaunchTarget targetOf(const RecordChoices& choices) {
    return {choices.program,     choices.arguments,        choices.folder,
            choices.environment, choices.keepsEnvironment, choices.forgotten};
}

inline void setTargetOf(RecordChoices& choices, const LaunchTarget& target) {
    choices.program = target.program;
    choices.arguments = target.arguments;
    choices.folder = target.folder;
    choices.environment = target.environment;
    choices.keepsEnvironment = target.keepsEnvironment;
    choices.forgotten = target.forgotten;
}

} // namespace highwater::ui
