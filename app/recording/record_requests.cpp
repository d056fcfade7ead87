#include "app/recording/record_requests.h"

#include "core/source/contract/running_processes.h"
#include "ui/format/command_words.h"
#include "ui/format/qt_text.h"

#include <algorithm>

namespace highwater::app {
namespace {

/// Stored values may be invalid; the page accepts only valid ones.
pipeline::SnapshotPlan snapshotPlanOf(const ui::RecordChoices& choices) {
    pipeline::SnapshotPlan plan;
    if (!choices.heap) return plan; // snapshots contain its blocks
    const std::chrono::seconds every(choices.snapshotSeconds);
    if (choices.snapshotsEvery) plan.every = std::max(every, pipeline::SnapshotPlan::kShortest);
    if (choices.snapshotsOnGrowth) plan.onGrowth = static_cast<ByteCount>(std::max(1, choices.snapshotMegabytes)) << 20;
    return plan;
}

} // namespace

QList<ui::ListedProcess> listProcesses() {
    QList<ui::ListedProcess> listed;
    for (const auto& process : source::runningProcesses()) {
        if (process.isOwn || !process.isRecordable) continue;
        listed << ui::ListedProcess{process.pid,
                                    QString::fromStdString(process.name),
                                    QString::fromStdString(process.commandLine),
                                    QString::fromStdString(process.user),
                                    process.bits,
                                    static_cast<qint64>(process.privateBytes),
                                    QString::fromStdString(process.path),
                                    QString::fromStdString(process.folder)};
    }
    return listed;
}

source::CaptureOptions optionsOf(const ui::RecordChoices& choices) {
    source::CaptureOptions options;
    options.heap = choices.heap;
    options.virtualAlloc = choices.virtualAlloc;
    options.stacksOnFree = choices.stacksOnFree;
    options.children = choices.children;
    options.managedNames = choices.managedNames;
    return options;
}

RecordingLimits limitsOf(const ui::RecordChoices& choices) {
    using StopWhen = ui::RecordChoices::StopWhen;
    RecordingLimits limits;
    const auto bytes = static_cast<ByteCount>(choices.stopMegabytes) << 20;
    if (choices.stopWhen == StopWhen::Above) limits.stopWhen.privateBytesAbove = bytes;
    if (choices.stopWhen == StopWhen::Growth) limits.stopWhen.privateBytesGrowth = bytes;
    if (choices.stopsAfter) limits.stopWhen.after = std::chrono::seconds(choices.stopSeconds);
    if (!choices.compressed) limits.compression = etl::Compression::None;
    using Keep = ui::RecordChoices::Keep;
    if (choices.keep == Keep::LastMinutes) limits.keepLast = {{std::chrono::minutes(choices.keepMinutes), 0}};
    if (choices.keep == Keep::LastMegabytes) {
        limits.keepLast = {{std::chrono::nanoseconds(0), static_cast<ByteCount>(choices.keepMegabytes) << 20}};
    }
    limits.snapshots = snapshotPlanOf(choices);
    return limits;
}

source::CaptureLaunch launchOf(const ui::RecordChoices& choices) {
    source::CaptureLaunch launch;
    launch.program = choices.program.toStdString();
    // The page accepts only valid values, but stored or external ones may be invalid.
    const auto words = ui::commandWords(choices.arguments);
    for (const auto& argument : words.hasValue() ? words.value() : QStringList(choices.arguments)) {
        launch.arguments.push_back(argument.toStdString());
    }
    launch.folder = ui::toPath(choices.folder);
    for (const auto& line : choices.environment) {
        launch.environment.push_back(line.toStdString());
    }
    return launch;
}

ui::RecordChoices choicesOf(const QStringList& commandLine) {
    ui::RecordChoices choices;
    choices.program = commandLine.value(0);
    choices.arguments = ui::commandLineOf(commandLine.mid(1));
    return choices;
}

} // namespace highwater::app
