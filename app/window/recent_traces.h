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
/// GUI thread only.
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

    /// What is on screen is in these files. None: it is in no file that one would open again.
    void add(const QStringList& files);
    /// Another trace begins.
    void forget();
    /// What is on screen has been drawn: the outline is that of the table that has most, as the Graph Explorer draws
    /// it.
    void keepOutline();
    /// The same, unless that was done since the trace began.
    void keepOutlineOnce();

  private:
    void fill();

    Parts parts_;
    QStringList files_;       ///< of what is on screen; empty: none, or not to be listed
    bool hasOutline_ = false; ///< that of what is on screen is kept
};

} // namespace highwater::app
