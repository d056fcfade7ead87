#pragma once

#include <vector>

class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class MarkList;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;
class Page;
class SymbolSession;

/// What pages are made of. All must outlive them.
struct PageContext {
    ui::AnalysisTabs& tabs;
    QMainWindow& window; ///< owns the pages
    SymbolSession& symbols;
    ApplicationSettings& settings;
    ui::MarkList& marks;
};

/// The pages about the trace on screen, in the order of the View menu. A new page is a line of it. GUI thread only.
[[nodiscard]] std::vector<Page*> makePages(const PageContext& context);

} // namespace highwater::app
