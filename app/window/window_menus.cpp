#include "app/window/window_menus.h"

#include "app/settings/reduced_motion.h"
#include "app/window/help_controller.h"
#include "ui/format/plain_text.h"
#include "ui/view/access/motion.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/parts/command_look.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/table/table_actions.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace highwater::app {

WindowMenus::WindowMenus(QMainWindow& window, ui::AnalysisTabs& tabs, ApplicationSettings& settings)
    : QObject(&window), window_(window), tabs_(tabs), settings_(settings), ofTrace_(new QActionGroup(this)) {
    ofTrace_->setExclusionPolicy(QActionGroup::ExclusionPolicy::None);
    buildFileMenu();
    record_ = window_.menuBar()->addMenu(tr("&Record"));
    trace_ = window_.menuBar()->addMenu(tr("&Trace"));
    view_ = window_.menuBar()->addMenu(tr("&View"));
    table_ = window_.menuBar()->addMenu(tr("T&able"));
    profiles_ = window_.menuBar()->addMenu(tr("&Profiles"));
    buildGraphChoices();
    buildThemeMenu();
    buildMotion();
    buildHelpMenu();
    connect(&tabs_, &ui::AnalysisTabs::currentPanelChanged, this, &WindowMenus::followPanel);
    followPanel();
}

void WindowMenus::buildFileMenu() {
    auto* file = file_ = window_.menuBar()->addMenu(tr("&File"));
    open_ = file->addAction(tr("&Open Trace…"));
    open_->setObjectName(QStringLiteral("openTrace"));
    open_->setShortcut(QKeySequence::Open);
    ui::setLook(*open_, ui::LineIcon::Open, tr("Open"), tr("Open a trace"));
    connect(open_, &QAction::triggered, this, &WindowMenus::openWanted);
    recent_ = file->addMenu(tr("Open &Recent"));
    recent_->setToolTipsVisible(true);
    start_ = file->addAction(QString());
    start_->setObjectName(QStringLiteral("startPage"));
    start_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_0));
    setStart(Start::Alone);
    connect(start_, &QAction::triggered, this, &WindowMenus::startWanted);
    file->addSeparator();
    export_ = file->addMenu(tr("&Export"));
    export_->setObjectName(QStringLiteral("exportMenu"));
    export_->setToolTipsVisible(true);
    file->addSeparator();
    auto* quit = file->addAction(tr("&Quit"));
    quit->setObjectName(QStringLiteral("quit"));
    quit->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Q));
    connect(quit, &QAction::triggered, &window_, &QWidget::close);
}

void WindowMenus::setStart(Start start) {
    start_->setText(start == Start::InsteadOfTrace ? tr("&Back to Trace") : tr("&Start Page"));
    start_->setEnabled(start != Start::Alone);
}

void WindowMenus::buildGraphChoices() {
    int number = 0;
    for (const auto table : analysis::kTables) {
        const auto title = analysis::tableTitle(table);
        auto* action = new QAction(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())), this);
        action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + number++)));
        connect(action, &QAction::triggered, this, [this, table] {
            tabs_.current().showGraph(table);
            emit graphShown();
        });
        graphChoices_ << action;
    }
}

void WindowMenus::buildThemeMenu() {
    theme_ = new QMenu(tr("T&heme"), &window_);
    auto* group = new QActionGroup(theme_);
    const auto add = [&](const QString& text, Theme theme) {
        auto* action = theme_->addAction(text);
        action->setObjectName(QStringLiteral("theme-%1").arg(themeWord(theme)));
        action->setCheckable(true);
        action->setChecked(theme == settings_.theme());
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, theme] { chooseTheme(theme); });
    };
    add(tr("&System"), Theme::System);
    add(tr("&Light"), Theme::Light);
    add(tr("&Dark"), Theme::Dark);
    add(tr("&High Contrast"), Theme::HighContrast);
}

void WindowMenus::buildMotion() {
    motion_ = new QAction(tr("Reduce &Motion"), this);
    motion_->setObjectName(QStringLiteral("reduceMotion"));
    motion_->setCheckable(true);
    motion_->setChecked(settings_.reducesMotion().value_or(systemReducesMotion()));
    const auto apply = [](bool reduces) { ui::setMotion(reduces ? ui::Motion::Reduced : ui::Motion::Full); };
    apply(motion_->isChecked());
    connect(motion_, &QAction::toggled, this, [this, apply](bool reduces) {
        settings_.setReducesMotion(reduces);
        apply(reduces);
    });
}

void WindowMenus::chooseTheme(Theme theme) {
    settings_.setTheme(theme);
    applyTheme(theme);
}

void WindowMenus::buildHelpMenu() {
    auto* help = help_ = window_.menuBar()->addMenu(tr("&Help"));
    auto* keys = help->addAction(tr("&Keyboard Shortcuts"));
    keys->setObjectName(QStringLiteral("keys"));
    keys->setShortcut(QKeySequence(Qt::Key_F1));
    connect(keys, &QAction::triggered, this, [this] { showKeys(&window_, *window_.menuBar()); });
    connect(help->addAction(tr("&About Highwater")), &QAction::triggered, this, [this] { showAbout(&window_); });
}

/// Disabled actions show the reason.
void WindowMenus::setTraceActions(const QList<QAction*>& actions) {
    trace_->addActions(actions);
    concernTrace(actions);
    trace_->setToolTipsVisible(true);
}

void WindowMenus::setRecordActions(const QList<QAction*>& actions, QMenu* replay) {
    record_->addActions(actions);
    file_->insertMenu(export_->menuAction(), replay);
}

void WindowMenus::setSessionActions(const QList<QAction*>& actions) {
    file_->insertActions(export_->menuAction(), actions);
    file_->insertSeparator(export_->menuAction());
}

void WindowMenus::setProfileActions(const QList<QAction*>& actions) {
    profiles_->addActions(actions);
    profiles_->setToolTipsVisible(true);
}

void WindowMenus::addPane(QAction* toggle) {
    panes_ << toggle;
    fillViewMenu();
}

void WindowMenus::addOpenAction(QAction* action) { file_->insertAction(start_, action); }

void WindowMenus::addHelpAction(QAction* action) { help_->insertAction(help_->actions().last(), action); }

void WindowMenus::addExportAction(QAction* action) {
    exports_ << action;
    fillExportMenu();
}

/// Applies to any focused widget except text fields, which undo their own text.
void WindowMenus::letPagesUndo() {
    for (auto* dock : window_.findChildren<QDockWidget*>()) {
        auto* undo = new QAction(tr("Undo"), dock);
        undo->setShortcut(QKeySequence::Undo);
        undo->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        dock->addAction(undo);
        connect(undo, &QAction::triggered, this, [this] { tabs_.current().state().back(); });
    }
}

void WindowMenus::setNameActions(const QList<QAction*>& actions) {
    names_ = actions;
    fillViewMenu();
}

void WindowMenus::concernTrace(const QList<QAction*>& actions) {
    for (auto* action : actions)
        ofTrace_->addAction(action);
}

/// Their owners still enable and disable them; only the group prevents them from being triggered.
void WindowMenus::setTraceShown(bool isShown) { ofTrace_->setEnabled(isShown); }

void WindowMenus::followPanel() {
    concernTrace(tabs_.current().zoomActions() + tabs_.tabActions());
    if (auto* panel = tabs_.currentPanel())
        concernTrace(tabs_.current().findActions() + panel->table().actions().all() + panel->exportActions());
    fillViewMenu();
    fillTableMenu();
    fillExportMenu();
}

void WindowMenus::fillViewMenu() {
    view_->clear();
    view_->addActions(panes_);
    view_->addSeparator();
    view_->addActions(graphChoices_);
    view_->addSeparator();
    view_->addActions(tabs_.current().zoomActions());
    view_->addSeparator();
    view_->addActions(tabs_.tabActions());
    view_->addSeparator();
    view_->addActions(names_);
    view_->addMenu(theme_);
    view_->addAction(motion_);
}

void WindowMenus::fillTableMenu() {
    table_->clear();
    auto* panel = tabs_.currentPanel();
    table_->setEnabled(panel);
    if (!panel) return;
    table_->addActions(tabs_.current().findActions());
    table_->addSeparator();
    table_->addActions(panel->table().actions().all());
}

/// The parts of the current graph that can be exported.
void WindowMenus::fillExportMenu() {
    export_->clear();
    auto* panel = tabs_.currentPanel();
    if (panel) {
        export_->addActions(panel->exportActions());
        if (!exports_.isEmpty()) export_->addSeparator();
        export_->addActions(exports_);
    }
    export_->menuAction()->setVisible(!export_->isEmpty());
}

void WindowMenus::setRecentTraces(const QList<ui::RecentTrace>& traces) {
    recent_->clear();
    recent_->setEnabled(!traces.isEmpty());
    for (const auto& trace : traces) {
        auto* action = recent_->addAction(ui::menuText(ui::nameOfTrace(trace.paths)));
        action->setToolTip(ui::tooltipText(trace.paths.join(QLatin1Char('\n'))));
        action->setEnabled(trace.state != ui::RecentTrace::State::Missing);
        connect(action, &QAction::triggered, this, [this, paths = trace.paths] { emit recentWanted(paths); });
    }
}

} // namespace highwater::app

#include "moc_window_menus.cpp"
