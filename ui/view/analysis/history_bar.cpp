#include "ui/view/analysis/history_bar.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/row_height.h"
#include "ui/view/parts/line_icons.h"
#include "ui/view/parts/plain_widgets.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QResizeEvent>
#include <QToolButton>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kCrumbWidth = 210; ///< longer texts are elided
constexpr int kCrumbMargins = 18;
constexpr int kSeparatorWidth = 12;

template <class Button>
Button* makeCrumb(const char* name, QWidget* parent) {
    auto* crumb = new Button(parent);
    crumb->setObjectName(QLatin1String(name));
    crumb->setAutoRaise(true);
    crumb->setFocusPolicy(Qt::TabFocus);
    keepControlHeight(*crumb);
    return crumb;
}

} // namespace

HistoryBar::HistoryBar(QWidget* parent)
    : QWidget(parent),
      list_(makeCrumb<MenuButton>("historyList", nullptr)),
      history_(new QMenu(this)),
      crumbs_(new QHBoxLayout) {
    build();
}

void HistoryBar::build() {
    setObjectName(QStringLiteral("historyBar"));
    setAccessibleName(tr("Current position and history of zooms and filters"));
    list_->setMenu(history_);
    list_->setIcon(lineIcon(LineIcon::Down));
    list_->setAccessibleName(tr("History"));
    list_->setToolTip(tr("History of zooms and filters"));
    connect(history_, &QMenu::aboutToShow, this, &HistoryBar::fillHistory);
    crumbs_->setSpacing(0);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 4, 0);
    layout->setSpacing(4);
    layout->addWidget(list_);
    layout->addSpacing(8);
    layout->addLayout(crumbs_);
    layout->addStretch(1);
    refresh();
}

void HistoryBar::setState(AnalysisState* state) {
    if (state == state_) return;
    if (state_) disconnect(state_, nullptr, this, nullptr);
    state_ = state;
    if (state_) {
        connect(state_, &AnalysisState::changed, this, [this](auto changes) {
            if (changes.testFlag(AnalysisState::Graphs)) follow();
            if (changes & (AnalysisState::History | AnalysisState::Instant | AnalysisState::VisibleRange |
                           AnalysisState::WholeRange | AnalysisState::Graphs))
                refresh();
        });
    }
    follow();
    refresh();
}

/// Filters may be renamed, and those restored from the history change before it does.
void HistoryBar::follow() {
    for (const auto& connection : graphs_)
        disconnect(connection);
    graphs_.clear();
    for (const auto* graph : state_ ? state_->graphs() : std::vector<GraphState*>()) {
        graphs_.push_back(connect(graph, &GraphState::changed, this, [this](auto changes) {
            if (changes & (GraphState::Changes(GraphState::Filter) | GraphState::FilterWords)) refresh();
        }));
    }
}

QSize HistoryBar::minimumSizeHint() const { return {160, controlHeight(fontMetrics())}; }

QSize HistoryBar::sizeHint() const { return {400, controlHeight(fontMetrics())}; }

void HistoryBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != width()) refill();
}

void HistoryBar::refresh() {
    list_->setEnabled(state_ && (state_->canGoBack() || state_->canGoForward()));
    refill();
}

void HistoryBar::fillHistory() {
    history_->clear();
    if (!state_) return;
    const auto words = state_->historyLabels();
    for (qsizetype i = 0; i < words.size(); ++i) {
        auto* action = history_->addAction(menuText(words[i]));
        action->setCheckable(true);
        action->setChecked(static_cast<std::size_t>(i) == state_->historyPosition());
        connect(action, &QAction::triggered, this, [this, i] { state_->goTo(static_cast<std::size_t>(i)); });
    }
}

std::vector<HistoryBar::Crumb> HistoryBar::crumbs() const {
    std::vector<Crumb> crumbs;
    if (!state_) return crumbs;
    const auto all = [state = state_] { state->showAll(); };
    crumbs.push_back({tr("Whole trace"), tr("Show the whole trace (Alt+Home)"), all, false});
    if (state_->isZoomed()) {
        const auto visible = state_->visibleRange();
        const auto words = formatRange(visible);
        crumbs.push_back({words, tr("%1\nClick to show the whole trace").arg(words), all});
    }
    if (const auto instant = state_->instant()) {
        const auto words = tr("at %1").arg(formatTime(*instant));
        crumbs.push_back({words,
                          tr("Tables show the memory outstanding %1. Click to show the interval again").arg(words),
                          [state = state_] { state->clearInstant(); }});
    }
    addFilters(crumbs);
    return crumbs;
}

/// Shows filters for all graphs once. Other filters include the graph's name if there are several.
void HistoryBar::addFilters(std::vector<Crumb>& crumbs) const {
    std::vector<FilterStep> shared;
    const auto graphs = state_->graphs();
    for (auto* graph : graphs) {
        for (std::size_t i = 0; i < graph->filterSteps().size(); ++i) {
            const auto& step = graph->filterSteps()[i];
            const bool isOfAll = step.scope == FilterScope::AllGraphs;
            const auto isKnown = [&](const FilterStep& other) { return areTheSame(other, step); };
            if (isOfAll && std::any_of(shared.begin(), shared.end(), isKnown)) continue;
            if (isOfAll) shared.push_back(step);
            const auto title = toQString(analysis::tableTitle(graph->table()));
            const bool isNamed = !isOfAll && graphs.size() > 1;
            const auto words = isNamed ? tr("%1: %2").arg(title, step.text) : step.text;
            crumbs.push_back(
                {words, tr("%1\nClick to remove this filter").arg(words), [graph, i] { graph->removeFilter(i); }});
        }
    }
}

QString HistoryBar::shortened(const Crumb& crumb) const {
    const auto text = fontMetrics().elidedText(lineText(crumb.text), Qt::ElideMiddle, kCrumbWidth);
    return menuText(text) + (crumb.isRemovable ? QStringLiteral("  ×") : QString());
}

int HistoryBar::widthOf(const Crumb& crumb) const {
    auto bold = font();
    bold.setBold(true);
    return QFontMetrics(bold).horizontalAdvance(shortened(crumb)) + kCrumbMargins + kSeparatorWidth;
}

/// Counts from the left, because the interval is more important than the last of many filters, which are also above
/// their table.
std::size_t HistoryBar::countThatFits(const std::vector<Crumb>& crumbs) const {
    int room = width() - list_->sizeHint().width() - 24;
    const int rest = fontMetrics().horizontalAdvance(QStringLiteral("+99 ▾")) + kCrumbMargins;
    std::size_t count = 0;
    while (count < crumbs.size()) {
        room -= widthOf(crumbs[count]);
        if (room < (count + 1 < crumbs.size() ? rest : 0)) break;
        ++count;
    }
    return count;
}

void HistoryBar::refill() {
    while (auto* item = crumbs_->takeAt(0)) {
        // A crumb may be the sender of the current click.
        item->widget()->hide();
        item->widget()->setObjectName({});
        item->widget()->deleteLater();
        delete item;
    }
    const auto all = crumbs();
    const auto count = countThatFits(all);
    last_ = list_;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) addSeparator();
        addCrumb(all[i], i + 1 == all.size());
    }
    if (count < all.size()) addRest(all, count);
}

void HistoryBar::addSeparator() {
    auto* separator = new PlainLabel(QStringLiteral("›"));
    separator->setFixedWidth(kSeparatorWidth);
    separator->setAlignment(Qt::AlignCenter);
    separator->setForegroundRole(QPalette::PlaceholderText);
    crumbs_->addWidget(separator);
}

/// Sets the tab order, because these buttons were created last but are not last.
void HistoryBar::place(QToolButton& button) {
    button.show();
    crumbs_->addWidget(&button);
    setTabOrder(last_, &button);
    last_ = &button;
}

void HistoryBar::addCrumb(const Crumb& crumb, bool isLast) {
    auto* button = makeCrumb<QToolButton>("crumb", this);
    button->setText(shortened(crumb));
    button->setToolTip(tooltipText(crumb.tip));
    auto bold = font();
    bold.setBold(isLast);
    button->setFont(bold);
    button->setAccessibleName(crumb.isRemovable ? tr("Remove %1").arg(lineText(crumb.text)) : lineText(crumb.text));
    connect(button, &QToolButton::clicked, this, [act = crumb.act] { act(); });
    place(*button);
}

void HistoryBar::addRest(const std::vector<Crumb>& crumbs, std::size_t first) {
    auto* rest = makeCrumb<MenuButton>("allCrumbs", this);
    rest->setText(QStringLiteral("+%1 ▾").arg(crumbs.size() - first));
    rest->setAccessibleName(tr("More zooms and filters"));
    auto* menu = new QMenu(rest);
    for (auto i = first; i < crumbs.size(); ++i) {
        const auto text = menuText(crumbs[i].text) + (crumbs[i].isRemovable ? QStringLiteral("  ×") : QString());
        connect(menu->addAction(text), &QAction::triggered, this, [act = crumbs[i].act] { act(); });
    }
    rest->setMenu(menu);
    place(*rest);
}

} // namespace highwater::ui

#include "moc_history_bar.cpp"
