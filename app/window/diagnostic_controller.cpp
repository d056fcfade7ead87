#include "app/window/diagnostic_controller.h"

#include "app/settings/application_settings.h"
#include "app/settings/own_memory.h"
#include "app/window/diagnostics_text.h"
#include "core/base/huge_pages.h"
#include "ui/format/count_text.h"
#include "ui/view/console/diagnostic_console.h"

#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>

namespace highwater::app {
namespace {

constexpr int kCopiedLines = 200;

} // namespace

DiagnosticController::DiagnosticController(const ApplicationSettings& settings, QMainWindow& window)
    : Page(window, new ui::DiagnosticConsole, tr("Diagnostic Console"),
           {.name = "diagnosticDock",
            .action = "toggleDiagnosticConsole",
            .text = tr("&Diagnostic Console"),
            .keys = QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D),
            .behind = "modulesDock"}),
      settings_(settings),
      console_(static_cast<ui::DiagnosticConsole*>(dock().widget())),
      copy_(new QAction(tr("Copy &Diagnostics"), this)) {
    copy_->setObjectName(QStringLiteral("copyDiagnostics"));
    copy_->setToolTip(tr("Copy version, system, settings and the newest log lines for a report"));
    connect(copy_, &QAction::triggered, this, &DiagnosticController::copy);
}

void DiagnosticController::copy() {
    Diagnostics diagnostics;
    diagnostics.settings = settings_.withoutPaths();
    diagnostics.logPlace = console_->placeText();
    diagnostics.lines = console_->newestLines(kCopiedLines);
    diagnostics.systemMemory = machineMemoryBytes();
    diagnostics.ownMemory = ownMemoryBytes();
    QGuiApplication::clipboard()->setText(diagnosticsText(diagnostics));
    emit messageWanted(
        tr("Copied diagnostics: system information and %1. They may contain names of programs and files.")
            .arg(ui::countText(diagnostics.lines.size(), "1 log line", "%1 log lines")));
}

} // namespace highwater::app

#include "moc_diagnostic_controller.cpp"
