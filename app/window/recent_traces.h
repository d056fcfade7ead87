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

/// Recently opened traces on the start page and in the File menu, with length and outline. Owned by the window. GUI
/// thread only.
class RecentTraces : public QObject {
    Q_OBJECT
  public:
    /// All must outlive this object.
    struct Parts {
        ApplicationSettings& settings;
        ui::AnalysisTabs& tabs;
        const ui::GraphExplorer& explorer;
        ui::StartPage& start;
        WindowMenus& menus;
    };
    RecentTraces(const Parts& parts, QObject* parent);

    /// Files of the trace on screen. Empty: it is not listed.
    void add(const QStringList& files);
    /// The trace is replaced.
    void forget();
    /// Stores an outline of the table with the most memory, as in the Graph Explorer.
    void keepOutline();
    /// The same, once per trace.
    void keepOutlineOnce();

  private:
    void fill();

    Parts parts_;
    QStringList files_;       ///< files of the displayed trace; empty: it is not listed
    bool hasOutline_ = false; ///< keepOutlineOnce() has stored it
};

} // namespace highwater::app
