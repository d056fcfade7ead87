#pragma once

#include "core/pipeline/trace_loader.h"
#include "core/store/published/published_trace.h"

#include <QString>

class QAction;
class QWidget;

namespace highwater::app {

/// What `highwater-cli info` prints of the trace that the loader has loaded, or has loaded so far.
[[nodiscard]] QString tracePropertiesText(const pipeline::TraceLoader& loader, const store::PublishedTrace& trace);

/// A page with that text beside the window, which stays usable; its text can be selected and copied by mouse and keys.
/// stackTags: what its button does that chooses files of stack tags. GUI thread only.
void showTraceProperties(QWidget* parent, const QString& trace, const QString& text, QAction* stackTags);

} // namespace highwater::app
