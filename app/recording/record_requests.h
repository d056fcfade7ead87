#pragma once

#include "app/recording/recording_session.h"
#include "ui/model/process_list_model.h"
#include "ui/state/record_choices.h"

#include <QList>
#include <QStringList>

namespace highwater::app {

/// The processes listed on the Record page. Any thread; takes some milliseconds, longer on a busy machine.
[[nodiscard]] QList<ui::ListedProcess> listProcesses();

/// Converts the user's choices to options of a recording.
[[nodiscard]] source::CaptureOptions optionsOf(const ui::RecordChoices& choices);
[[nodiscard]] RecordingLimits limitsOf(const ui::RecordChoices& choices);
[[nodiscard]] source::CaptureLaunch launchOf(const ui::RecordChoices& choices);

/// Choices to record this program with these arguments.
[[nodiscard]] ui::RecordChoices choicesOf(const QStringList& commandLine);

} // namespace highwater::app
