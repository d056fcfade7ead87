#pragma once

#include "core/symbols/resolver/module_load.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/symbols/symbol_paths_page.h"

#include <QAction>
#include <QList>
#include <QObject>
#include <QPointer>

class QDockWidget;
class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class ModulesView;
class StatusLine;
class SymbolPathsDialog;
struct SymbolChoices;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;
class SymbolSession;

/// Symbols in the window: the commands, the Modules page, the symbol path dialog, and the text in the status bar.
/// Stores the user's choices. GUI thread only.
class SymbolController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive this object.
    SymbolController(ApplicationSettings& settings, SymbolSession& session, QMainWindow& window);

    [[nodiscard]] QList<QAction*> traceActions() const;
    [[nodiscard]] QAction* loadAction() const { return load_; }
    /// Display of functions: names or addresses, full or short names.
    [[nodiscard]] QList<QAction*> nameActions() const { return {names_, fullNames_}; }
    /// As SymbolPath::toText().
    [[nodiscard]] QString symbolPath() const;
    /// Overrides the user's own path as if typed in the dialog.
    void useSymbolPath(const QString& text);
    /// Missing folders of such a path. Network folders are not accessed.
    [[nodiscard]] static QStringList foldersGone(const QString& text);
    void connectStatus(ui::StatusLine& line);
    /// Names are loaded when a stack is expanded in these tabs, and shown in them.
    void connectAnalyses(ui::AnalysisTabs& tabs);

  signals:
    /// The result of the command Load Symbols.
    void messageWanted(const highwater::ui::Message& message);

  private:
    void build();
    void buildDock();
    void loadNow();
    void showNames(bool show);
    void setFullNames(bool full);
    void configure();
    void apply(const ui::SymbolChoices& choices);
    void followStatus();
    [[nodiscard]] static bool areNoneFound(const symbols::SymbolLoadStatus& status);
    void report(const symbols::SymbolLoadStatus& status);
    void showModules();
    [[nodiscard]] QList<ui::OfferedFolder> offers() const;
    [[nodiscard]] symbols::SymbolPath usualPath() const;

    ApplicationSettings& settings_;
    SymbolSession& session_;
    QMainWindow& window_;
    QAction* load_;
    QAction* names_;
    QAction* paths_;
    QAction* fullNames_;
    QDockWidget* dock_;
    ui::ModulesView* modules_;
    ui::StatusLine* line_ = nullptr;
    QPointer<ui::SymbolPathsDialog> dialog_;
    QStringList dialogTraces_; ///< open when the dialog was opened
    bool isReportDue_ = false; ///< the command Load Symbols has no result yet
};

} // namespace highwater::app
