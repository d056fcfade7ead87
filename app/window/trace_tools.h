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
class Page;
class SymbolSession;
class TraceSources;

/// The tools that ask about the trace on screen: pages in docks, and those with a window of their own (addresses, What
/// Is Wrong Here, properties). Makes them and wires them to each other and to the tabs. The window owns them. GUI
/// thread only.
class TraceTools : public QObject {
    Q_OBJECT
  public:
    /// All must outlive it.
    struct Parts {
        ui::AnalysisTabs& tabs;
        TraceSources& sources;
        SymbolSession& symbols;
        ApplicationSettings& settings;
        AnalysisSettings& analysis;
    };
    TraceTools(const Parts& parts, const std::vector<MakePage>& pages, QMainWindow& window);

    /// Of the pages in docks: those that show and hide them, for the View menu, and those for the Trace menu.
    [[nodiscard]] QList<QAction*> toggleActions() const;
    [[nodiscard]] QList<QAction*> pageActions() const;
    [[nodiscard]] QAction* addressAction() const;
    [[nodiscard]] QAction* propertiesAction() const { return properties_; }
    [[nodiscard]] QAction* explainAction() const;

    /// The page whose toggle action has this name; there must be one.
    void show(const char* toggle);
    /// A stored layout may have opened pages.
    void noteLayoutRestored();
    /// Each page shows the answer to its newest question, or is hidden.
    [[nodiscard]] bool isUpToDate() const;

  signals:
    void upToDate();
    void messageWanted(const highwater::ui::Message& message);

  private:
    void connectTools();
    void showProperties();

    Parts parts_;
    QMainWindow& window_;
    std::vector<Page*> pages_;
    AddressController* address_;
    ExplainController* explain_;
    QAction* properties_;
};

} // namespace highwater::app
