#include "app/window/file_opening.h"

#include "app/recording/trace_opener.h"
#include "app/sessions/profile_controller.h"
#include "app/sessions/session_controller.h"
#include "app/tools/fleet/page/fleet_place.h"
#include "app/window/analysis_settings.h"

#include <QFileDialog>
#include <QMimeData>
#include <QUrl>

namespace highwater::app {

FileOpening::FileOpening(const Readers& readers, QWidget& window)
    : QObject(&window), readers_(readers), window_(window) {}

/// Profile messages come last because opening a trace hides earlier messages.
bool FileOpening::open(const QStringList& paths) {
    QStringList sessions, traces, profiles, fleets;
    for (const auto& path : paths) {
        if (SessionController::isSession(path))
            sessions << path;
        else if (!readers_.definitions.takeDefinitions(path))
            (ProfileController::isProfile(path) ? profiles : isFleetFile(path) ? fleets : traces) << path;
    }
    for (const auto& path : sessions)
        readers_.sessions.open(path);
    if (!traces.isEmpty()) emit traceWanted(traces);
    if (!fleets.isEmpty()) emit fleetWanted(fleets.back()); // the page shows one fleet
    for (const auto& path : profiles)
        readers_.profiles.importFile(path);
    return !(sessions + traces + fleets).isEmpty();
}

void FileOpening::ask() {
    auto* dialog = new QFileDialog(&window_, tr("Open Trace"), {},
                                   traceFileFilter() + QStringLiteral(";;") + tr("Highwater sessions (*.highwater)") +
                                       QStringLiteral(";;") + fleetFileFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &FileOpening::open);
    dialog->open();
}

QStringList FileOpening::filesOf(const QMimeData& dragged) {
    QStringList paths;
    for (const auto& url : dragged.urls()) {
        if (url.isLocalFile()) paths << url.toLocalFile();
    }
    return paths;
}

} // namespace highwater::app

#include "moc_file_opening.cpp"
