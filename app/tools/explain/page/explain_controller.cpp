#include "app/tools/explain/page/explain_controller.h"

#include "app/symbols/definition_files.h"
#include "app/symbols/symbol_session.h"
#include "app/tools/explain/page/explanation_page.h"
#include "core/analysis/explain/explain.h"
#include "core/export/explain/explain_writer.h"
#include "ui/format/qt_text.h"
#include "ui/state/analysis_state.h"
#include "ui/state/graph_state.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"

#include <QMainWindow>

#include <algorithm>
#include <sstream>

namespace highwater::app {
namespace {

constexpr int kNamesMs = 2000;
constexpr auto kUnsavedTrace = "TRACE.etl"; ///< placeholder for an unsaved recording

/// The commands on the page cannot express selected rows, labels or marks of the window.
bool isOfThisWindow(const ui::FilterStep& step) {
    if (!step.query) return true;
    const auto columns = step.query->columns();
    using analysis::Column;
    return columns.contains(Column::Annotation) || columns.contains(Column::Generation) ||
           columns.contains(Column::SurvivedMarks);
}

} // namespace

Result<QString> explanationText(const ExplainRequest& request, const std::stop_token& stop) {
    const auto& trace = *request.trace;
    const auto answer = TRY(analysis::explainWithExit(request.trace, request.labels, request.query, stop));
    const auto health = analysis::healthOf(trace, answer);
    const auto commands = exports::explainCommands(answer, trace, request.words);
    const exports::TraceInfo info{request.facts, trace, *request.notes};
    std::ostringstream text;
    exports::writeExplainText({info, answer, health, commands, request.words.filter}, text);
    return ui::toQString(text.str());
}

ExplainController::ExplainController(ui::AnalysisTabs& tabs, const SymbolSession& symbols, Definitions definitions,
                                     FindLoader loader, QMainWindow& window)
    : QObject(&window),
      tabs_(tabs),
      symbols_(symbols),
      definitions_(definitions),
      loader_(std::move(loader)),
      window_(window),
      action_(new QAction(tr("&Explain Memory Growth…"), this)),
      finder_(*this, explanationText,
              [this](const ExplainRequest& request, const Result<QString>& text) { this->answer(request, text); }) {
    action_->setObjectName(QStringLiteral("explain"));
    action_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_E));
    action_->setToolTip(tr("Show when memory rose most, which code caused it, and which stacks leak"));
    connect(action_, &QAction::triggered, this, &ExplainController::show);
    names_.setSingleShot(true);
    names_.setInterval(kNamesMs);
    connect(&names_, &QTimer::timeout, this, [this] { ask(ui::Urgency::WhenIdle); });
    connect(&tabs_.shown(), &ui::TraceOnScreen::changed, this, &ExplainController::followTrace);
    finder_.onBusyChange([this] {
        if (page_) page_->setBusy(finder_.isBusy());
    });
}

void ExplainController::show() {
    if (!loader_() || !tabs_.shown().trace()) {
        emit messageWanted(tr("No trace is open."));
        return;
    }
    if (!page_) {
        page_ = new ExplanationPage(&window_);
        page_->setAttribute(Qt::WA_DeleteOnClose);
        connect(page_, &ExplanationPage::refreshWanted, this, [this] { ask(ui::Urgency::Now); });
        connect(page_, &QObject::destroyed, this, [this] {
            names_.stop();
            finder_.cancel();
        });
    }
    emit namesWanted();
    ask(ui::Urgency::Now);
    page_->show();
    page_->raise();
    page_->activateWindow();
}

void ExplainController::followTrace(ui::TraceOnScreen::Changes changes) {
    if (!page_) return;
    if (changes.testFlag(ui::TraceOnScreen::Cleared)) {
        page_->close();
    } else if (changes.testFlag(ui::TraceOnScreen::NewTrace)) {
        page_->setText({});
        ask(ui::Urgency::Now);
    } else if (changes & (ui::TraceOnScreen::Names | ui::TraceOnScreen::Naming)) {
        if (!names_.isActive()) names_.start();
    }
}

exports::CommandWords ExplainController::words() const {
    exports::CommandWords words;
    for (const auto& path : symbols_.traces())
        words.traces.push_back(path.toStdString());
    if (words.traces.empty()) words.traces.emplace_back(kUnsavedTrace);
    const auto& choices = symbols_.choices();
    if (!symbols_.isEnabled())
        words.options.emplace_back("--no-symbols");
    else if (!choices.path.entries().empty())
        exports::addOption(words.options, "--symbols", choices.path.toText());
    if (choices.usesImagePaths.value_or(false)) words.options.emplace_back("--trust-image-paths");
    const QStringList usual{ui::FileListDialog::builtInEntry()};
    if (const auto& tags = definitions_.stackTags.filesInUse(); tags != usual) {
        for (const auto& file : tags)
            exports::addOption(words.options, "--stack-tags", exports::fileWord(file.toStdString()));
    }
    for (const auto& file : definitions_.suppressions.filesInUse())
        words.suppressions.push_back(file.toStdString());
    return words;
}

void ExplainController::takeFilter(ExplainRequest& request) const {
    request.query.otherFilter.emplace();
    auto* panel = tabs_.currentPanel();
    if (panel == nullptr || panel->graph().table() != request.query.table) return;
    auto steps = panel->graph().filterSteps();
    std::erase_if(steps, isOfThisWindow);
    auto filter = ui::rowFilterOf(request.query.table, steps);
    if (steps.empty() || !filter.hasValue() || !filter.value().hasConditions()) return;
    request.words.filter = filter.value().query->toString();
    request.query.filter = std::move(filter).value();
    auto otherFilter = ui::rowFilterOf(analysis::otherAllocations(request.query.table), steps);
    request.query.otherFilter.reset(); // a table without the columns of the filter is not searched
    if (otherFilter.hasValue()) request.query.otherFilter = std::move(otherFilter).value();
}

void ExplainController::ask(ui::Urgency urgency) {
    const auto* loader = loader_();
    const auto& shown = tabs_.shown();
    if (!page_ || !loader || !shown.trace()) return;
    page_->setTrace(shown.name());
    auto& state = tabs_.current().state();
    const auto notes = loader->notes();
    ExplainRequest request;
    request.trace = shown.trace();
    request.labels = shown.labels();
    request.facts = loader->facts();
    request.notes = notes;
    request.words = words();
    auto* panel = tabs_.currentPanel();
    const bool isOfPages = panel != nullptr && panel->graph().table() == analysis::Table::VirtualAlloc;
    request.query.table = isOfPages ? analysis::Table::VirtualAlloc : analysis::Table::Heap;
    request.query.interval = state.visibleRange();
    request.query.allocatorFrames = state.options().allocatorFrames;
    request.query.suppressions = state.options().suppressions;
    request.query.marks = state.marks(); // as created and named by the user
    takeFilter(request);
    finder_.ask(std::move(request), urgency);
}

void ExplainController::answer(const ExplainRequest& request, const Result<QString>& text) {
    if (!page_) return;
    if (!text.hasValue()) return page_->setRemark(ui::toQString(text.error().message));
    page_->setText(text.value());
    QStringList remarks;
    if (tabs_.shown().isLoading()) remarks << tr("This page may be out of date. Press F5 to refresh it.");
    if (request.words.traces.front() == kUnsavedTrace)
        remarks << tr("Replace TRACE.etl in the commands with the name of the saved recording.");
    if (auto* panel = tabs_.currentPanel()) {
        const auto& steps = panel->graph().filterSteps();
        if (std::any_of(steps.begin(), steps.end(), isOfThisWindow))
            remarks << tr("The page ignores filters made by selecting rows, and filters by annotations and marks.");
    }
    page_->setRemark(remarks.join(QLatin1Char(' ')));
}

} // namespace highwater::app

#include "moc_explain_controller.cpp"
