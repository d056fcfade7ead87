#pragma once

#include "core/pipeline/trace_loader.h"
#include "core/store/published/published_trace.h"

#include <QString>

class QAction;
class QWidget;

namespace highwater::app {

/// The output of `highwater-cli info` for the loaded part of the trace.
[[nodiscard]] QString tracePropertiesText(const pipeline::TraceLoader& loader, const store::PublishedTrace& trace);

/// Shows that text on a non-modal page next to the window; the text can be selected and copied by mouse and keyboard.
/// stackTags: called by the button that opens the stack tag list. GUI thread only.
void showTraceProperties(QWidget* parent, const QString& trace, const QString& text, QAction* stackTags);

} // namespace highwater::app
