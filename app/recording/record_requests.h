#pragma once

#include "app/recording/recording_session.h"
#include "ui/model/process_list_model.h"
#include "ui/state/record_choices.h"

#include <QList>
#include <QStringList>

namespace highwater::app {

/// What the Record page lists. Any thread; takes some milliseconds, and longer on a busy machine.
[[nodiscard]] QList<ui::ListedProcess> listProcesses();

/// What was chosen, as a recording takes it.
[[nodiscard]] source::CaptureOptions optionsOf(const ui::RecordChoices& choices);
[[nodiscard]] RecordingLimits limitsOf(const ui::RecordChoices& choices);
[[nodiscard]] source::CaptureLaunch launchOf(const ui::RecordChoices& choices);

/// To record this program with these arguments.
[[nodiscard]] ui::RecordChoices choicesOf(const QStringList& commandLine);

} // namespace highwater::app
