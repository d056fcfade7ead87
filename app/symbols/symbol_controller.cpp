#include "app/symbols/symbol_controller.h"

#include "app/pages/page_dock.h"
#include "app/settings/application_settings.h"
#include "app/symbols/symbol_session.h"
#include "core/symbols/places/trusted_image_path.h"
#include "ui/format/symbol_format.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/parts/command_look.h"
#include "ui/view/symbols/modules_view.h"
#include "ui/view/symbols/symbol_paths_dialog.h"
#include "ui/view/window/status_line.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QMainWindow>
#include <QRegularExpression>
#include <QTreeView>

#include <utility>

namespace highwater::app {
namespace {

constexpr qsizetype kMostOffers = 6;

} // namespace

SymbolController::SymbolController(ApplicationSettings& settings, SymbolSession& session, QMainWindow& window)
    : QObject(&window),
      settings_(settings),
      session_(session),
      window_(window),
      load_(new QAction(tr("&Load Symbols"), this)),
      names_(new QAction(tr("Function &Names"), this)),
      paths_(new QAction(tr("Configure S&ymbol Paths…"), this)),
      fullNames_(new QAction(tr("&Full Function Names"), this)),
      dock_(new QDockWidget(tr("Modules"), &window)),
      modules_(new ui::ModulesView) {
    build();
    buildDock();
    session_.setChoices(settings_.symbolChoices(usualPath()));
    session_.setEnabled(names_->isChecked());
    session_.setNameStyle(fullNames_->isChecked() ? symbols::NameStyle::Full : symbols::NameStyle::Short);
    connect(&session_, &SymbolSession::statusChanged, this, &SymbolController::followStatus);
}

void SymbolController::build() {
    load_->setObjectName(QStringLiteral("loadSymbols"));
    ui::setLook(*load_, ui::LineIcon::Symbols, tr("Symbols"),
                tr("Search for the names of all functions now, including those that were not found before"));
    names_->setObjectName(QStringLiteral("functionNames"));
    names_->setCheckable(true);
    names_->setChecked(settings_.showsFunctionNames());
    names_->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N));
    names_->setToolTip(tr("Show function names, which are loaded in the background, instead of addresses in stacks"));
    paths_->setObjectName(QStringLiteral("configureSymbolPaths"));
    fullNames_->setObjectName(QStringLiteral("fullFunctionNames"));
    fullNames_->setCheckable(true);
    fullNames_->setChecked(settings_.fullFunctionNames());
    fullNames_->setToolTip(tr("Show C++ and Rust functions with parameters and template arguments"));
    connect(fullNames_, &QAction::toggled, this, &SymbolController::setFullNames);
    connect(load_, &QAction::triggered, this, &SymbolController::loadNow);
    connect(names_, &QAction::toggled, this, &SymbolController::showNames);
    connect(paths_, &QAction::triggered, this, &SymbolController::configure);
}

void SymbolController::buildDock() {
    addPageDock(*dock_, *modules_, window_,
                {.name = "modulesDock",
                 .action = "toggleModules",
                 .text = tr("&Modules"),
                 .keys = QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M),
                 .takesFocus = false,
                 .behind = nullptr});
    // Not filled while hidden.
    connect(dock_, &QDockWidget::visibilityChanged, this, &SymbolController::followStatus);
    connect(modules_, &ui::ModulesView::cancelWanted, &session_, &SymbolSession::cancel);
    connect(modules_, &ui::ModulesView::retryWanted, &session_, &SymbolSession::retry);
    connect(modules_, &ui::ModulesView::locateWanted, &session_, &SymbolSession::locate);
    connect(modules_, &ui::ModulesView::pathsWanted, this, &SymbolController::configure);
}

QList<QAction*> SymbolController::traceActions() const { return {load_, paths_, dock_->toggleViewAction()}; }

void SymbolController::connectStatus(ui::StatusLine& line) {
    line_ = &line;
    connect(&line, &ui::StatusLine::symbolCancelWanted, &session_, [this] { session_.cancel(); });
    connect(&line, &ui::StatusLine::modulesWanted, this, &SymbolController::showModules);
}

void SymbolController::connectAnalyses(ui::AnalysisTabs& tabs) {
    connect(&session_, &SymbolSession::namesChanged, &tabs.shown(), &ui::TraceOnScreen::noteNames);
    connect(&tabs, &ui::AnalysisTabs::namesWanted, &session_, &SymbolSession::loadLazily);
    connect(&session_, &SymbolSession::statusChanged, &tabs.shown(),
            [this, &tabs] { tabs.shown().setNamesComing(session_.areNamesComing(), session_.namedPublications()); });
    session_.setVisibleFrames([&tabs] { return tabs.visibleFrames(); });
}

/// Without visible names, the command would seem to have no effect.
void SymbolController::loadNow() {
    names_->setChecked(true);
    isReportDue_ = true;
    session_.retry();
}

bool SymbolController::areNoneFound(const symbols::SymbolLoadStatus& status) {
    return !status.isBusy && !status.modules.empty() && status.count(symbols::ModuleLoad::State::Found) == 0;
}

/// Without a sentence, the command would seem to have no effect if it found nothing new.
void SymbolController::report(const symbols::SymbolLoadStatus& status) {
    if (session_.areNamesComing() || !std::exchange(isReportDue_, false)) return;
    if (status.modules.empty())
        return emit messageWanted(tr("No symbols were loaded because no stack of the trace is in a module."));
    auto sentences = ui::symbolSentences(status);
    sentences.replace(QLatin1Char('\n'), QLatin1Char(' '));
    if (areNoneFound(status))
        emit messageWanted({sentences, ui::MessageTone::Warning, {tr("Add Folder"), [this] { configure(); }}});
    else
        emit messageWanted({sentences, ui::MessageTone::Plain, {tr("Modules"), [this] { showModules(); }}});
}

void SymbolController::showNames(bool show) {
    settings_.setShowsFunctionNames(show);
    session_.setEnabled(show);
    if (show) session_.loadNow();
}

void SymbolController::setFullNames(bool full) {
    settings_.setFullFunctionNames(full);
    session_.setNameStyle(full ? symbols::NameStyle::Full : symbols::NameStyle::Short);
}

void SymbolController::showModules() {
    openPageDock(*dock_);
    modules_->table().setFocus();
}

symbols::SymbolPath SymbolController::usualPath() const {
    return symbols::defaultSymbolPath(symbols::systemEnvironment());
}

/// Debug files are often next to the trace, or next to the program where it was built.
QList<ui::OfferedFolder> SymbolController::offers() const {
    QList<ui::OfferedFolder> offers;
    if (!session_.traces().isEmpty())
        offers << ui::OfferedFolder{tr("Trace Folder"), QFileInfo(session_.traces().first()).absolutePath()};
    const auto processes = session_.processes();
    if (!processes) return offers;
    for (const auto& module : processes->modules()) {
        const auto path = QString::fromStdString(processes->dosPath(module.path));
        const auto end = path.lastIndexOf(QRegularExpression(QStringLiteral("[\\\\/]")));
        if (end <= 0 || !path.endsWith(QLatin1String(".exe"), Qt::CaseInsensitive)) continue;
        if (path.contains(QLatin1String("\\Windows\\"), Qt::CaseInsensitive)) continue; // not built on this machine
        if (!symbols::objectionTo(path.toStdString()).empty()) continue; // a click would access the network
        const auto name = QString::fromStdString(module.name);
        if (offers.size() <= kMostOffers) offers << ui::OfferedFolder{tr("Folder of %1").arg(name), path.left(end)};
    }
    return offers;
}

void SymbolController::configure() {
    if (!dialog_) {
        dialog_ = new ui::SymbolPathsDialog(symbols::systemEnvironment(), session_.usualCacheFolder(), &window_);
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        dialog_->setChoices(session_.choices(), session_.traces(), offers());
        dialog_->setTrace(session_.processes() != nullptr, session_.isRecordedHere());
        dialogTraces_ = session_.traces();
        connect(dialog_, &ui::SymbolPathsDialog::applied, this, &SymbolController::apply);
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

void SymbolController::apply(const ui::SymbolChoices& choices) {
    settings_.setSymbolChoices(choices, usualPath());
    auto ofThisTrace = choices;
    // Permissions of the previous trace do not apply to this one.
    if (dialogTraces_ != session_.traces()) ofThisTrace.usesImagePaths = session_.choices().usesImagePaths;
    session_.setChoices(ofThisTrace);
}

QString SymbolController::symbolPath() const { return QString::fromStdString(session_.choices().path.toText()); }

void SymbolController::useSymbolPath(const QString& text) {
    auto choices = session_.choices();
    choices.path = symbols::SymbolPath::parse(text.toStdString());
    dialogTraces_ = session_.traces();
    apply(choices);
}

QStringList SymbolController::foldersGone(const QString& text) {
    using Kind = symbols::SymbolPathEntry::Kind;
    QStringList gone;
    const auto path = symbols::SymbolPath::parse(text.toStdString());
    for (const auto& entry : path.entries()) {
        const bool isFolder = entry.kind == Kind::Folder || entry.kind == Kind::BuildIdFolder;
        const auto place = symbols::expandVariables(entry.place, symbols::systemEnvironment());
        if (!isFolder || !entry.isTicked || place.empty() || !symbols::objectionTo(place).empty()) continue;
        if (!QFileInfo(QString::fromStdString(place)).isDir()) gone << QString::fromStdString(place);
    }
    return gone;
}

void SymbolController::followStatus() {
    const auto processes = session_.processes();
    if (!session_.isLoading() || !processes) {
        if (line_) line_->setSymbols({});
        const bool isOff = !names_->isChecked();
        modules_->clear(isOff ? tr("Stacks show addresses. To show names, use View > Function Names.")
                              : tr("Symbols are loaded when a stack is expanded or searched."));
        return;
    }
    const auto status = session_.status();
    const bool isProblem = areNoneFound(status) || !status.problems().empty();
    if (line_)
        line_->setSymbols(
            {ui::symbolSummary(status, *processes), ui::symbolSentences(status), status.isBusy, isProblem});
    if (dock_->isVisible()) modules_->setStatus(status, processes);
    report(status);
}

} // namespace highwater::app

#include "moc_symbol_controller.cpp"
