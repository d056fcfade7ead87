#pragma once

#include "app/application_settings.h"
#include "app/trace_opener.h"

#include <QMainWindow>
#include <QTimer>

class QMenu;
class QStackedWidget;

namespace highwater::ui {
class AnalysisTabs;
class GraphPanel;
class LossBanner;
class MessageStrip;
class StartPage;
class StatusLine;
} // namespace highwater::ui

namespace highwater::app {

/// The window: wires the opener to the views, and commands to both. GUI thread only.
class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    explicit MainWindow(ApplicationSettings& settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Several files make one trace. Failures are told inside the window.
    void openTrace(const QStringList& paths);
    [[nodiscard]] ui::AnalysisTabs& tabs() { return *tabs_; }
    [[nodiscard]] TraceOpener& opener() { return opener_; }

  signals:
    /// The trace is loaded and everything on screen shows all of it.
    void settled();
    void openFailed(const QString& sentence);

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    void build();
    void buildMenus();
    void buildFileMenu();
    void buildTableChoices();
    /// The commands of the current tab and graph.
    void fillViewMenu();
    void fillTableMenu();
    void buildHelpMenu();
    void connectOpener();
    void connectViews();
    void askForTrace();
    void fillRecent();
    void refreshInterval();
    void showPublished(const std::shared_ptr<const store::PublishedTrace>& trace,
                       const std::shared_ptr<analysis::FrameLabels>& labels);
    void noteEnd(pipeline::LoadState state, const QString& sentence);
    void checkSettled();

    ApplicationSettings& settings_;
    TraceOpener opener_;
    QTimer memoryTimer_;
    bool hasEnded_ = false;
    QStackedWidget* pages_;
    ui::StartPage* start_;
    ui::AnalysisTabs* tabs_;
    ui::LossBanner* losses_;
    ui::MessageStrip* message_;
    ui::StatusLine* status_;
    QMenu* recentMenu_ = nullptr;
    QList<QAction*> tableChoices_; ///< Ctrl+1, Ctrl+2, Ctrl+3
    QAction* lossesAction_ = nullptr;
    QMenu* viewMenu_ = nullptr;
    QMenu* tableMenu_ = nullptr;
};

} // namespace highwater::app
