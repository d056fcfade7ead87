#pragma once

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

/// What the window shows of symbols: the commands, the Modules page, the dialog of symbol paths, and the words in the
/// status line. Keeps what the user chooses. GUI thread only.
class SymbolController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive it.
    SymbolController(ApplicationSettings& settings, SymbolSession& session, QMainWindow& window);

    [[nodiscard]] QList<QAction*> traceActions() const;
    [[nodiscard]] QAction* loadAction() const { return load_; }
    /// What functions are called: by names or addresses, by full names or short ones.
    [[nodiscard]] QList<QAction*> nameActions() const { return {names_, fullNames_}; }
    /// As SymbolPath::toText().
    [[nodiscard]] QString symbolPath() const;
    /// Instead of the user's own, as if it were typed in the dialog.
    void useSymbolPath(const QString& text);
    /// Folders of such a path that are not there. None of the network is looked at.
    [[nodiscard]] static QStringList foldersGone(const QString& text);
    void connectStatus(ui::StatusLine& line);
    /// Names are loaded when a stack is opened in them, and shown by them.
    void connectAnalyses(ui::AnalysisTabs& tabs);

  private:
    void build();
    void buildDock();
    void loadNow();
    void showNames(bool show);
    void setFullNames(bool full);
    void configure();
    void apply(const ui::SymbolChoices& choices);
    void followStatus();
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
    QStringList dialogTraces_; ///< that were open when it was opened
};

} // namespace highwater::app
