#include "ui/view/table/filter_bar.h"

#include "ui/format/plain_text.h"
#include "ui/state/analysis_state.h"
#include "ui/view/parts/plain_widgets.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <QToolButton>

#include <algorithm>

namespace highwater::ui {
namespace {

/// Chips share this many pixels if there is enough room; the second number is the minimum of each.
constexpr int kChipsWidth = 640;
constexpr int kChipWidth = 80;
constexpr int kFewestLetters = 4; ///< minimum of letters in a chip

/// A button that elides its text in the middle, so that it does not widen the window.
class NarrowChip : public QPushButton {
  public:
    explicit NarrowChip(const QString& text = {}) : QPushButton(text) {
        setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    }
    [[nodiscard]] QSize minimumSizeHint() const override {
        return {fontMetrics().averageCharWidth() * kFewestLetters + around(), QPushButton::minimumSizeHint().height()};
    }

  protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QStylePainter painter(this);
        QStyleOptionButton option;
        initStyleOption(&option);
        option.text =
            fontMetrics().elidedText(text(), Qt::ElideMiddle, std::max(0, width() - around()), Qt::TextShowMnemonic);
        painter.drawControl(QStyle::CE_PushButton, option);
    }

  private:
    /// Width of the style's frame around the text.
    [[nodiscard]] int around() const {
        return std::max(0, sizeHint().width() - fontMetrics().size(Qt::TextShowMnemonic, text()).width());
    }
};

} // namespace

FilterBar::FilterBar(GraphState& state, QWidget* parent)
    : QWidget(parent), state_(state), chips_(new QHBoxLayout), beforeChips_(new QWidget(this)) {
    build();
    connect(&state_, &GraphState::changed, this, [this](auto changes) {
        if (changes.testFlag(GraphState::Filter)) return refresh();
        if (changes.testFlag(GraphState::FilterWords)) relabel();
    });
    // With a second graph, the scope of filters matters.
    connect(&state_.analysis(), &AnalysisState::changed, this, [this](auto changes) {
        if (changes.testFlag(AnalysisState::Graphs)) refresh();
    });
    refresh();
}

void FilterBar::build() {
    setObjectName(QStringLiteral("filterBar"));
    setAccessibleName(tr("Filter"));
    beforeChips_->setFocusPolicy(Qt::TabFocus); // otherwise no widget can follow it in the tab order
    beforeChips_->hide();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 2, 8, 2);
    layout->addWidget(new PlainLabel(tr("Filter:")));
    layout->addLayout(chips_);
    layout->addStretch();
    auto* clear = new QPushButton(tr("Clear Filter"));
    clear->setObjectName(QStringLiteral("clearFilter"));
    clear->setFlat(true);
    connect(clear, &QPushButton::clicked, &state_, &GraphState::clearFilter);
    layout->addWidget(clear);
}

QString FilterBar::chipText(std::size_t position) const {
    const auto width = kChipsWidth / static_cast<int>(state_.filterSteps().size());
    const auto text = lineText(state_.filterSteps()[position].text);
    return menuText(fontMetrics().elidedText(text, Qt::ElideMiddle, std::max(width, kChipWidth))) + scopeText(position);
}

/// Shown only if there are other graphs.
QString FilterBar::scopeText(std::size_t position) const {
    if (state_.analysis().graphs().size() < 2) return {};
    const bool isOfAll = state_.filterSteps()[position].scope == FilterScope::AllGraphs;
    return isOfAll ? tr(" · all graphs") : tr(" · this graph");
}

QString FilterBar::scopeSentence(std::size_t position) const {
    const bool isOfAll = state_.filterSteps()[position].scope == FilterScope::AllGraphs;
    return isOfAll ? tr("Applies to all graphs in this tab") : tr("Applies to this graph only");
}

void FilterBar::addChip(std::size_t position) {
    auto* chip = new NarrowChip;
    chip->setObjectName(QStringLiteral("filterChip"));
    chipOf_[position] = chip;
    labelChip(position);
    connect(chip, &QPushButton::clicked, &state_, [this, position] { state_.removeFilter(position); });
    addMenu(*chip, position);
    chips_->addWidget(chip);
}

void FilterBar::labelChip(std::size_t position) {
    const auto& text = state_.filterSteps()[position].text;
    auto* chip = chipOf_[position];
    chip->setText(chipText(position) + QStringLiteral("  ×"));
    chip->setToolTip(tooltipText(tr("%1\n%2\nClick to remove this filter").arg(text, scopeSentence(position))));
    chip->setAccessibleName(tr("Remove filter %1").arg(lineText(text)));
}

/// Two buttons, because a typed query would easily be lost by a click.
void FilterBar::addQueryChip(std::size_t position) {
    const auto& text = state_.filterSteps()[position].text;
    auto* chip = new NarrowChip(chipText(position));
    chip->setObjectName(QStringLiteral("queryChip"));
    chip->setToolTip(tooltipText(tr("%1\n%2\nClick to edit this query").arg(text, scopeSentence(position))));
    chip->setAccessibleName(tr("Edit filter %1").arg(lineText(text)));
    connect(chip, &QPushButton::clicked, this, [this, position] { emit editWanted(position); });
    addMenu(*chip, position);
    chips_->addWidget(chip);
    auto* remove = new QToolButton;
    remove->setObjectName(QStringLiteral("removeQuery"));
    remove->setText(QStringLiteral("×"));
    remove->setAutoRaise(true);
    remove->setToolTip(tr("Remove this filter"));
    remove->setAccessibleName(tr("Remove filter %1").arg(lineText(text)));
    connect(remove, &QToolButton::clicked, &state_, [this, position] { state_.removeFilter(position); });
    chips_->addWidget(remove);
}

void FilterBar::addMenu(QPushButton& chip, std::size_t position) {
    if (state_.filterSteps()[position].query) {
        auto* edit = new QAction(tr("&Edit…"), &chip);
        edit->setObjectName(QStringLiteral("editQuery"));
        connect(edit, &QAction::triggered, this, [this, position] { emit editWanted(position); });
        chip.addAction(edit);
    }
    const auto addScope = [&](const char* name, const QString& words, FilterScope scope) {
        auto* action = new QAction(words, &chip);
        action->setObjectName(QLatin1String(name));
        action->setCheckable(true);
        action->setChecked(state_.filterSteps()[position].scope == scope);
        connect(action, &QAction::triggered, &state_,
                [this, position, scope] { state_.setFilterScope(position, scope); });
        chip.addAction(action);
    };
    addScope("filterAllGraphs", tr("Apply to &All Graphs in the Tab"), FilterScope::AllGraphs);
    addScope("filterThisGraph", tr("Apply to &This Graph Only"), FilterScope::ThisGraph);
    auto* remove = new QAction(tr("&Remove"), &chip);
    connect(remove, &QAction::triggered, &state_, [this, position] { state_.removeFilter(position); });
    chip.addAction(remove);
    chip.setContextMenuPolicy(Qt::ActionsContextMenu);
}

/// Keeps the chips, because one of them may have the focus.
void FilterBar::relabel() {
    for (std::size_t i = 0; i < chipOf_.size(); ++i) {
        if (chipOf_[i]) labelChip(i);
    }
}

/// Chips are created after the widgets that follow them.
void FilterBar::orderFocus() {
    auto* before = beforeChips_;
    for (int i = 0; i < chips_->count(); ++i) {
        auto* chip = chips_->itemAt(i)->widget();
        setTabOrder(before, chip);
        before = chip;
    }
}

void FilterBar::refresh() {
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    while (auto* item = chips_->takeAt(0)) {
        // The chip may be the sender of the current click.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    const auto& steps = state_.filterSteps();
    chipOf_.assign(steps.size(), nullptr);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].query)
            addQueryChip(i);
        else
            addChip(i);
    }
    orderFocus();
    setVisible(!steps.empty());
    if (hadFocus) emit left();
}

} // namespace highwater::ui

#include "moc_filter_bar.cpp"
