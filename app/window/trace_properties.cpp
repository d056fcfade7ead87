#include "app/window/trace_properties.h"

#include "core/export/info/info_writer.h"
#include "ui/view/window/text_page.h"

#include <QObject>

#include <memory>
#include <sstream>

namespace highwater::app {

QString tracePropertiesText(const pipeline::TraceLoader& loader, const store::PublishedTrace& trace) {
    const auto facts = loader.facts();
    const auto known = loader.notes();
    const auto notes = known ? known : std::make_shared<const TraceNotes>();
    std::ostringstream text;
    exports::writeInfoText({facts, trace, *notes}, text, exports::InfoTitles::Plain);
    return QString::fromStdString(text.str());
}

void showTraceProperties(QWidget* parent, const QString& trace, const QString& text, QAction* stackTags) {
    ui::showTextPage(parent, {QStringLiteral("traceProperties"), QObject::tr("Properties of %1").arg(trace),
                              QObject::tr("Trace properties"), text, stackTags});
}

} // namespace highwater::app
