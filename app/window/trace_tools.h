#pragma once

#include "app/window/page_list.h"
#include "ui/view/parts/message_strip.h"

#include <QAction>
#include <QList>
#include <QObject>

#include <vector>

class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

class AddressController;
class AnalysisSettings;
class ApplicationSettings;
class ExplainController;
class FindingsController;
class Page;
class SymbolSession;
class TraceSources;

/// The tools for the trace on screen: pages in docks, the findings above the graphs, and tools with their own windows
/// (addresses, Explain Memory Growth, properties). Creates them and connects them to each other and to the tabs. Owned
/// by the window. GUI thread only.
class TraceTools : public QObject {
    Q_OBJECT
  public:
    /// All must outlive this object.
    struct Parts {
        ui::AnalysisTabs& tabs;
        TraceSources& sources;
        SymbolSession& symbols;
        ApplicationSettings& settings;
        AnalysisSettings& analysis;
    };
    TraceTools(const Parts& parts, const std::vector<MakePage>& pages, QMainWindow& window);

    /// Toggle actions of the docked pages and of the findings for the View menu, and actions of the pages for the Trace
    /// menu.
    [[nodiscard]] QList<QAction*> toggleActions() const;
    [[nodiscard]] QList<QAction*> pageActions() const;
    [[nodiscard]] QAction* addressAction() const;
    [[nodiscard]] QAction* propertiesAction() const { return properties_; }
    [[nodiscard]] QAction* explainAction() const;
    [[nodiscard]] QAction* leaksAction() const;

    /// The page whose toggle action has this object name; must exist.
    void show(const char* toggle);
    void hide(const char* toggle);
    [[nodiscard]] bool isShown(const char* toggle) const;
    /// Call after restoring a layout, which may have opened pages.
    void noteLayoutRestored();
    /// Call after the trace was saved, because commands name its file.
    void noteSaved();
    /// Each page shows the answer to its newest question, or is hidden; also the findings.
    [[nodiscard]] bool isUpToDate() const;

  signals:
    void upToDate();
    void messageWanted(const highwater::ui::Message& message);

  private:
    [[nodiscard]] Page& pageOf(const char* toggle) const;
    void connectTools();
    void showProperties();

    Parts parts_;
    QMainWindow& window_;
    std::vector<Page*> pages_;
    AddressController* address_;
    ExplainController* explain_;
    FindingsController* findings_;
    QAction* properties_;
};

} // namespace highwater::app
