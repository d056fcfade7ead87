#include "ui/view/filter_bar.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace highwater::ui {
namespace {

/// Chips share this many pixels, so that they fit the smallest window; none gets less than the second number.
constexpr int kChipsWidth = 640;
constexpr int kChipWidth = 80;

} // namespace

FilterBar::FilterBar(GraphState& state, QWidget* parent) : QWidget(parent), state_(state), chips_(new QHBoxLayout) {
    build();
    connect(&state_, &GraphState::changed, this, [this](auto changes) {
        if (changes.testFlag(GraphState::Filter)) refresh();
    });
    refresh();
}

void FilterBar::build() {
    setObjectName(QStringLiteral("filterBar"));
    setAccessibleName(tr("Filter"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 2, 6, 2);
    layout->addWidget(new QLabel(tr("Filter:")));
    layout->addLayout(chips_);
    layout->addStretch();
    auto* clear = new QPushButton(tr("Clear Filter"));
    clear->setObjectName(QStringLiteral("clearFilter"));
    clear->setFlat(true);
    connect(clear, &QPushButton::clicked, &state_, &GraphState::clearFilter);
    layout->addWidget(clear);
}

void FilterBar::addChip(std::size_t position, const QString& text) {
    auto* chip = new QPushButton;
    chip->setObjectName(QStringLiteral("filterChip"));
    const auto width = kChipsWidth / static_cast<int>(state_.filterSteps().size());
    chip->setText(fontMetrics().elidedText(text, Qt::ElideMiddle, std::max(width, kChipWidth)) + QStringLiteral("  ×"));
    chip->setToolTip(tr("%1\nClick to remove this filter").arg(text));
    chip->setAccessibleName(tr("Remove filter %1").arg(text));
    connect(chip, &QPushButton::clicked, &state_, [this, position] { state_.removeFilter(position); });
    chips_->addWidget(chip);
}

void FilterBar::refresh() {
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    while (auto* item = chips_->takeAt(0)) {
        // The chip may be the sender of the click that is being handled.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    const auto& steps = state_.filterSteps();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        addChip(i, steps[i].text);
    }
    setVisible(!steps.empty());
    if (hadFocus) emit left();
}

} // namespace highwater::ui
