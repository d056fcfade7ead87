#pragma once

#include <QObject>
#include <QStringList>

namespace highwater::ui {
class AnalysisTabs;
class GraphExplorer;
class StartPage;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;
class WindowMenus;

/// The traces that were opened last, as the start page and the File menu list them: how long each is, and its outline.
/// The window owns it. GUI thread only.
class RecentTraces : public QObject {
    Q_OBJECT
  public:
    /// All must outlive it.
    struct Parts {
        ApplicationSettings& settings;
        ui::AnalysisTabs& tabs;
        const ui::GraphExplorer& explorer;
        ui::StartPage& start;
        WindowMenus& menus;
    };
    RecentTraces(const Parts& parts, QObject* parent);

    /// The trace on screen is in these files. None: it is not listed.
    void add(const QStringList& files);
    /// Another trace begins.
    void forget();
    /// Keeps the line of the table that has most, as the Graph Explorer draws it.
    void keepOutline();
    /// The same, unless that was done since the trace began.
    void keepOutlineOnce();

  private:
    void fill();

    Parts parts_;
    QStringList files_;       ///< of the trace on screen; empty: it is not listed
    bool hasOutline_ = false; ///< keepOutlineOnce() has kept it
};

} // namespace highwater::app
