#pragma once

class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class MarkList;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;
class SymbolSession;

/// The parts of the window that pages use. All must outlive the pages.
struct PageContext {
    ui::AnalysisTabs& tabs;
    QMainWindow& window; ///< owns the pages
    SymbolSession& symbols;
    ApplicationSettings& settings;
    ui::MarkList& marks;
};

} // namespace highwater::app
