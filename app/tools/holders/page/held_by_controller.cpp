#include "app/tools/holders/page/held_by_controller.h"

#include "app/pages/page_context.h"
#include "app/pages/page_filter.h"
#include "app/tools/tools.h"
#include "core/analysis/pictures/picture_rows.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/flames/flame_canvas.h"
#include "ui/view/flames/tree_flames_view.h"
#include "ui/view/table/grouped_table_view.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace highwater::app {
namespace {

std::vector<SharedMemoryPicture> picturesIn(const store::PublishedTrace& trace, TimeRange interval) {
    std::vector<SharedMemoryPicture> pictures;
    if (!trace.pictures) return pictures;
    std::ranges::copy_if(*trace.pictures, std::back_inserter(pictures),
                         [&](const auto& picture) { return trace.isMeasuredIn(interval, picture->time); });
    return pictures;
}

} // namespace

HeldByController::HeldByController(ui::AnalysisTabs& tabs, QMainWindow& window)
    : HeldByAskingPage(tabs, window, new ui::HeldByView, tr("Held By"),
                       {.name = "heldByDock",
                        .action = "toggleHeldBy",
                        .text = tr("Held &By"),
                        .keys = QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B)},
                       ui::foundBy<ui::findHeldByPage>),
      search_(*this, ui::searchFlames, [this](const ui::FlameSearch&, Result<ui::FlameSearch> search) {
          if (search.hasValue())
              view().flames().setSearch(std::make_shared<const ui::FlameSearch>(std::move(search).value()));
      }) {
    connect(&view().flames(), &ui::TreeFlamesView::searchWanted, this, [this](const QString& text) {
        search_.ask({view().flames().canvas().answer(), text}, ui::Urgency::Now);
    });
    connect(&view(), &ui::HeldByView::pictureWanted, this, [this](std::optional<TraceTime> at) {
        at_ = at;
        paint({}); // other blocks may have the holder in that picture
        refresh().askSoon();
    });
    connect(&view(), &ui::HeldByView::comparisonWanted, this, [this](std::optional<TraceTime> earlier) {
        earlier_ = earlier;
        refresh().askSoon();
    });
    connect(&view(), &ui::HeldByView::painted, this, &HeldByController::paint);
    connect(&view(), &ui::HeldByView::filterWanted, this, &HeldByController::filterTo);
    connect(&view(), &ui::HeldByView::filterUnwanted, this, &HeldByController::takeFilterBack);
    connect(&view(), &ui::HeldByView::rowsWanted, this, &HeldByController::openRows);
    connect(&tabs.shown(), &ui::TraceOnScreen::changed, this, [this](ui::TraceOnScreen::Changes changes) {
        if (!changes.testFlag(ui::TraceOnScreen::MoreOfIt)) asked_.reset();
    });
    followPanel();
}

void HeldByController::connectPanel(ui::GraphPanel& panel, QObject& until) {
    connect(&panel.table(), &ui::GroupedTableView::holdersWanted, &until, [this, &panel] { showHoldersOf(panel); });
}

void HeldByController::showHoldersOf(ui::GraphPanel& panel) {
    panel.table().filterSelection(analysis::RowFilter::Clause::Mode::Keep);
    show();
    view().table().setFocus();
    refresh().askSoon();
}

bool HeldByController::fill(ui::HeldByPageQuery& query) {
    const auto& state = tabs().current().state();
    query.pictures = query.interval = state.visibleRange();
    const auto isIn = [&](const auto& time) { return time && query.pictures.contains(*time); };
    const bool isChosen = isIn(at_);
    const auto pictures = picturesIn(*tabs().shown().trace(), query.pictures);
    if (isChosen) query.interval.end = analysis::endOfRound(pictures, *at_);
    // A single picture would be compared with itself.
    if (isIn(earlier_) && pictures.size() > 1)
        query.earlier = TraceTime{analysis::endOfRound(pictures, *earlier_).ns - 1};
    fillCommon(query, state);
    fillFilter(query, graph() != nullptr && graph()->table() == analysis::Table::Heap ? graph() : nullptr);
    const auto& shown = tabs().shown();
    Subject subject{pictures, isChosen ? at_ : std::nullopt, query.earlier, query.filter, query.allocatorFrames};
    const bool isSame = asked_ == subject;
    asked_ = std::move(subject);
    // Few of the events that arrive all the time change the answer.
    return !isSame || !shown.isLoading();
}

void HeldByController::cancel() {
    asked_.reset();
    HeldByAskingPage::cancel();
}

void HeldByController::forgetTrace(bool isGone) {
    at_.reset();
    earlier_.reset();
    asked_.reset();
    HeldByAskingPage::forgetTrace(isGone);
}

void HeldByController::paint(Rows rows) {
    const auto& answer = view().model().answer();
    // A graph uses the newest picture of its interval, in which other blocks may have the holder.
    const bool isNewest = answer && answer->query.interval == answer->query.pictures;
    if (graph() == nullptr || graph()->table() != analysis::Table::Heap) return;
    rows.resize(isNewest ? std::min(rows.size(), ui::GroupedTableView::kMaxPaintedRows) : 0);
    graph()->paintRows(std::move(rows));
}

/// The holders of a table are those of the newest picture in its interval.
void HeldByController::endIntervalAtPicture() {
    const auto interval = view().model().answer()->query.interval;
    auto& state = tabs().current().state();
    if (state.visibleRange() == interval) return;
    state.clearInstant();
    state.zoomTo(interval);
}

void HeldByController::filterTo(const Rows& rows, const QString& text) {
    if (!view().model().answer()) return;
    endIntervalAtPicture();
    filter().filterTo(panelOf(tabs(), analysis::Table::Heap), rows, text);
    view().setFiltered(rows.front());
}

void HeldByController::takeFilterBack() {
    filter().takeBack(graph());
    view().setFiltered({});
}

void HeldByController::openRows(const Rows& rows, const QString& text) {
    if (!view().model().answer()) return;
    tabs().current().state().clearInstant();
    auto& panel = panelOf(tabs(), analysis::Table::Heap);
    filterTo(rows, text);
    showPreset(tabs(), panel, QStringLiteral("Held by Variable"));
    panel.takeFocus();
    panel.table().reveal(rows.front());
}

Page* heldByPage(const PageContext& context) { return new HeldByController(context.tabs, context.window); }

} // namespace highwater::app

#include "moc_held_by_controller.cpp"
