#include "app/pages/graph_page.h"

#include "ui/format/qt_text.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/graph_panel.h"

#include <QDockWidget>

namespace highwater::app {

GraphPage::GraphPage(ui::AnalysisTabs& tabs, QMainWindow& window, QWidget* widget, const QString& title,
                     const PageDock& how)
    : Page(window, widget, title, how), tabs_(tabs), refresh_(dock(), tabs) {
    connect(&refresh_, &PageRefresh::askWanted, this, &GraphPage::ask);
    connect(&refresh_, &PageRefresh::hidden, this, &GraphPage::cancel);
    connect(&refresh_, &PageRefresh::namesWanted, this, [this] {
        if (showsStacks()) emit namesWanted();
    });
    connect(&refresh_, &PageRefresh::traceReplaced, this, &GraphPage::forgetTrace);
    connect(&tabs, &ui::AnalysisTabs::currentPanelChanged, this, &GraphPage::followPanel);
}

GraphPage::~GraphPage() = default;

bool GraphPage::isSettled(bool isBusy) const { return !dock().isVisible() || (!refresh_.isPending() && !isBusy); }

QString GraphPage::reasonOf(const Error& error) const {
    const auto& shown = tabs_.shown();
    const bool mayFollow = error.kind == ErrorKind::Unsupported && shown.isLoading() && !shown.isRecording();
    return mayFollow ? tr("The trace is still loading. This page appears when its data has been read.")
                     : ui::toQString(error.message);
}

void GraphPage::followPanel() {
    ofPanel_ = std::make_unique<QObject>();
    auto* panel = tabs_.currentPanel();
    graph_ = panel == nullptr ? nullptr : &panel->graph();
    refresh_.followFilterOf(graph_);
    if (panel != nullptr) connectPanel(*panel, *ofPanel_);
    refresh_.askSoon();
}

} // namespace highwater::app

#include "moc_graph_page.cpp"
