#pragma once

#include "app/pages/page.h"
#include "ui/view/parts/message_strip.h"

#include <QAction>

namespace highwater::ui {
class DiagnosticConsole;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;

/// The Diagnostic Console, and Copy Diagnostics. GUI thread only.
class DiagnosticController : public Page {
    Q_OBJECT
  public:
    /// Both must outlive this object.
    DiagnosticController(const ApplicationSettings& settings, QMainWindow& window);

    [[nodiscard]] QAction* copyAction() const { return copy_; }

  signals:
    void messageWanted(const highwater::ui::Message& message);

  private:
    void copy();

    const ApplicationSettings& settings_;
    ui::DiagnosticConsole* console_;
    QAction* copy_;
};

} // namespace highwater::app
