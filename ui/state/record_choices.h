#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace highwater::ui {

/// A program to launch, and what was given for it. A value.
struct LaunchTarget {
    QString program;
    QString arguments;             ///< as in a shell, with quotes
    QString folder;                ///< empty: the current one
    QStringList environment;       ///< NAME=value
    bool keepsEnvironment = false; ///< beyond this run of Highwater
    QStringList forgotten = {};    ///< names of variables that it had, and whose values were not kept
    friend bool operator==(const LaunchTarget&, const LaunchTarget&) = default;
};

/// "NAME" of "NAME=value".
[[nodiscard]] inline QString variableName(const QString& line) { return line.section(QLatin1Char('='), 0, 0); }

/// What the Record page asks for, as it is typed. A value.
struct RecordChoices {
    QString program;
    QString arguments;             ///< as in a shell, with quotes
    QString folder;                ///< empty: the current one
    QStringList environment;       ///< NAME=value
    bool keepsEnvironment = false; ///< beyond this run of Highwater
    QStringList forgotten = {};    ///< names of variables that it had, and whose values were not kept
    quint32 pid = 0;               ///< a process that runs already; 0: the program is launched
    QString processName;           ///< of that process
    bool heap = true;
    bool virtualAlloc = true;
    bool stacksOnFree = false;
    bool children = false;
    bool managedNames = true; ///< what runtimes tell of the functions that they compile
    enum class StopWhen : quint8 { Never, Above, Growth };
    StopWhen stopWhen = StopWhen::Never; ///< what private bytes do
    qint64 stopMegabytes = 1536;
    bool stopsAfter = false; ///< a time
    int stopSeconds = 180;
    bool compressed = true; ///< the file
    enum class Keep : quint8 { All, LastMinutes, LastMegabytes };
    Keep keep = Keep::All;
    int keepMinutes = 5;
    int keepMegabytes = 500;
    bool snapshotsEvery = false; ///< so many seconds
    int snapshotSeconds = 60;
    bool snapshotsOnGrowth = false; ///< of what is outstanding of heaps
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
