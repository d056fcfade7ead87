#pragma once

#include <QAction>
#include <QObject>

class QDockWidget;
class QMainWindow;

namespace highwater::ui {
class DiagnosticConsole;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;

/// The Diagnostic Console in its dock, and Copy Diagnostics. GUI thread only.
class DiagnosticController : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive it. The dock is hidden until somebody asks for it.
    DiagnosticController(const ApplicationSettings& settings, QMainWindow& window);

    [[nodiscard]] QAction* toggleAction() const;
    [[nodiscard]] QAction* copyAction() const { return copy_; }

  signals:
    void messageWanted(const QString& sentence);

  private:
    void buildDock(QMainWindow& window);
    void copy();

    const ApplicationSettings& settings_;
    QDockWidget* dock_;
    ui::DiagnosticConsole* console_;
    QAction* copy_;
};

} // namespace highwater::app
