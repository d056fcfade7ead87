#include "app/window/trace_tools.h"

#include "app/pages/page.h"
#include "app/pages/page_context.h"
#include "app/recording/mark_controller.h"
#include "app/recording/trace_sources.h"
#include "app/symbols/definition_files.h"
#include "app/tools/addresses/page/address_controller.h"
#include "app/tools/addresses/page/address_map_controller.h"
#include "app/tools/explain/page/explain_controller.h"
#include "app/tools/findings/page/findings_controller.h"
#include "app/tools/leaks/page/leak_controller.h"
#include "app/window/analysis_settings.h"
#include "app/window/trace_properties.h"
#include "ui/view/analysis/analysis_tabs.h"

#include <QMainWindow>

#include <algorithm>

namespace highwater::app {

TraceTools::TraceTools(const Parts& parts, const std::vector<MakePage>& pages, QMainWindow& window)
    : QObject(&window),
      parts_(parts),
      window_(window),
      pages_(makePages({parts.tabs, window, parts.symbols, parts.settings, parts.sources.marks().marks()}, pages)),
      address_(new AddressController(parts.tabs, window)),
      explain_(new ExplainController(
          parts.tabs, parts.symbols, {parts.analysis.stackTags(), parts.analysis.suppressions()},
          [this] { return parts_.sources.loader(); }, window)),
      findings_(new FindingsController(parts.tabs, parts.settings, window)),
      properties_(new QAction(tr("Trace &Properties…"), this)) {
    properties_->setObjectName(QStringLiteral("traceProperties"));
    properties_->setShortcuts({QKeySequence(Qt::ALT | Qt::Key_Enter), QKeySequence(Qt::ALT | Qt::Key_Return)});
    connect(properties_, &QAction::triggered, this, &TraceTools::showProperties);
    connectTools();
}

void TraceTools::connectTools() {
    auto* tabs = &parts_.tabs;
    for (const auto* page : pages_) {
        connect(page, &Page::namesWanted, tabs, &ui::AnalysisTabs::namesWanted);
        connect(page, &Page::upToDate, this, &TraceTools::upToDate);
    }
    connect(address_, &AddressController::namesWanted, tabs, &ui::AnalysisTabs::namesWanted);
    connect(explain_, &ExplainController::namesWanted, tabs, &ui::AnalysisTabs::namesWanted);
    connect(explain_, &ExplainController::messageWanted, this, &TraceTools::messageWanted);
    connect(findings_, &FindingsController::namesWanted, tabs, &ui::AnalysisTabs::namesWanted);
    connect(findings_, &FindingsController::upToDate, this, &TraceTools::upToDate);
    connect(window_.findChild<LeakController*>(), &LeakController::answered, findings_,
            &FindingsController::compareWith);
    auto* map = window_.findChild<AddressMapController*>();
    connect(address_, &AddressController::asked, map, &AddressMapController::highlight);
    connect(map, &AddressMapController::historyWanted, address_, &AddressController::showAddress);
}

QList<QAction*> TraceTools::toggleActions() const {
    QList<QAction*> actions;
    for (const auto* page : pages_)
        actions << page->toggleAction();
    return actions << findings_->toggleAction() << findings_->nextAction();
}

QList<QAction*> TraceTools::pageActions() const {
    QList<QAction*> actions;
    for (const auto* page : pages_)
        actions << page->traceActions();
    return actions;
}

QAction* TraceTools::addressAction() const { return address_->action(); }

QAction* TraceTools::explainAction() const { return explain_->action(); }

QAction* TraceTools::leaksAction() const { return window_.findChild<LeakController*>()->toggleAction(); }

Page& TraceTools::pageOf(const char* toggle) const {
    const auto found = std::ranges::find_if(
        pages_, [&](const auto* page) { return page->toggleAction()->objectName() == QLatin1String(toggle); });
    Q_ASSERT(found != pages_.end());
    return **found;
}

void TraceTools::show(const char* toggle) { pageOf(toggle).show(); }

void TraceTools::hide(const char* toggle) { pageOf(toggle).hide(); }

bool TraceTools::isShown(const char* toggle) const { return pageOf(toggle).toggleAction()->isChecked(); }

void TraceTools::noteLayoutRestored() {
    for (auto* page : pages_)
        page->noteLayoutRestored();
}

void TraceTools::noteSaved() { explain_->refresh(); }

bool TraceTools::isUpToDate() const {
    return findings_->isUpToDate() && std::ranges::all_of(pages_, &Page::isUpToDate);
}

void TraceTools::showProperties() {
    const auto* loader = parts_.sources.loader();
    const auto& shown = parts_.tabs.shown();
    if (!loader || !shown.trace()) return emit messageWanted(tr("No trace is open."));
    showTraceProperties(&window_, shown.name(), tracePropertiesText(*loader, *shown.trace()),
                        parts_.analysis.stackTags().action());
}

} // namespace highwater::app

#include "moc_trace_tools.cpp"
