#include "app/tools/histogram/page/histogram_controller.h"

#include "app/pages/page_context.h"
#include "app/tools/tools.h"
#include <algorithm>

namespace highwater::app {
namespace {

constexpr std::uint32_t kFrequentSizes = 200;

} // namespace

HistogramController::HistogramController(ui::AnalysisTabs& tabs, QMainWindow& window)
    : HistogramAskingPage(tabs, window, new ui::HistogramView, tr("Histogram"),
                          {.name = "histogramDock",
                           .action = "toggleHistogram",
                           .text = tr("Hi&stogram"),
                           .keys = QKeySequence(Qt::CTRL | Qt::Key_H)},
                          ui::foundBy<analysis::computeHistogram>) {
    connect(&view(), &ui::HistogramView::whatChanged, &refresh(), &PageRefresh::askSoon);
    connect(&view(), &ui::HistogramView::filterWanted, this, &HistogramController::filterTo);
    connect(&view(), &ui::HistogramView::filterUnwanted, this, &HistogramController::takeFilterBack);
    followPanel();
}

void HistogramController::forgetTrace(bool isGone) {
    own_.reset();
    HistogramAskingPage::forgetTrace(isGone);
}

bool HistogramController::fill(analysis::HistogramQuery& query) {
    if (graph() == nullptr) return false;
    const auto& state = graph()->analysis();
    query.table = graph()->table();
    query.interval = state.tableRange();
    fillCommon(query, state);
    if (view().what() == ui::HistogramView::What::LifeTimes) query.of = analysis::HistogramOf::LifeTime;
    if (view().what() == ui::HistogramView::What::FrequentSizes) query.exact = kFrequentSizes;
    auto steps = graph()->filterSteps();
    const auto own = ownStep();
    view().setFiltered(own ? own_->text : QString());
    // Otherwise the page would show only the bar that it filters to.
    if (own) steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(*own));
    if (auto filter = ui::rowFilterIn(*graph(), steps); filter.hasValue()) query.filter = std::move(filter).value();
    return true;
}

std::optional<std::size_t> HistogramController::ownStep() const {
    if (graph() == nullptr || !own_) return std::nullopt;
    const auto& steps = graph()->filterSteps();
    const auto found = std::find(steps.begin(), steps.end(), *own_);
    return found == steps.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - steps.begin()));
}

void HistogramController::filterTo(const QString& query) {
    const auto& answer = view().model().answer();
    if (graph() == nullptr || !answer || answer->query.table != graph()->table()) return;
    const auto parsed = analysis::QueryExpression::parse(graph()->table(), query.toStdString());
    if (!parsed.hasValue()) return;
    const auto before = ownStep();
    own_ = ui::FilterStep{.clause = {}, .text = query, .query = parsed.value()};
    if (before)
        graph()->replaceFilter(*before, *own_);
    else
        graph()->addFilter(*own_);
    view().setFiltered(query);
}

void HistogramController::takeFilterBack() {
    if (const auto step = ownStep()) graph()->removeFilter(*step);
    own_.reset();
    view().setFiltered({});
}

Page* histogramPage(const PageContext& context) { return new HistogramController(context.tabs, context.window); }

} // namespace highwater::app

#include "moc_histogram_controller.cpp"
