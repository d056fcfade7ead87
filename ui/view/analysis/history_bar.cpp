#include "ui/view/analysis/history_bar.h"

#include "ui/format/plain_text.h"
#include "ui/format/time_format.h"
#include "ui/view/parts/line_icons.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QResizeEvent>
#include <QToolButton>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kBarHeight = 24;
constexpr int kCrumbWidth = 190; ///< longer words are elided
constexpr int kCrumbMargins = 18;

QToolButton* makeArrow(const char* name, LineIcon icon, const QString& words, const QString& key) {
    auto* arrow = new QToolButton;
    arrow->setObjectName(QLatin1String(name));
    arrow->setIcon(lineIcon(icon));
    arrow->setAutoRaise(true);
    arrow->setFocusPolicy(Qt::TabFocus);
    arrow->setFixedHeight(kBarHeight);
    arrow->setAccessibleName(words);
    arrow->setToolTip(tooltipText(HistoryBar::tr("%1 (%2)").arg(words, key)));
    return arrow;
}

} // namespace

HistoryBar::HistoryBar(QWidget* parent)
    : QWidget(parent),
      back_(makeArrow("historyBack", LineIcon::Back, tr("Back"), tr("Backspace, Alt+Left"))),
      forward_(makeArrow("historyForward", LineIcon::Forward, tr("Forward"), tr("Alt+Right"))),
      crumbs_(new QHBoxLayout),
      instant_(new QToolButton) {
    build();
}

void HistoryBar::build() {
    setObjectName(QStringLiteral("historyBar"));
    setAccessibleName(tr("History of zooms and filters"));
    instant_->setObjectName(QStringLiteral("instantChip"));
    instant_->setFocusPolicy(Qt::TabFocus);
    instant_->setFixedHeight(kBarHeight);
    instant_->setToolTip(tr("Tables show what was outstanding at this instant. Click to show the interval again"));
    instant_->hide();
    crumbs_->setSpacing(0);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 4, 0);
    layout->setSpacing(2);
    layout->addWidget(back_);
    layout->addWidget(forward_);
    layout->addLayout(crumbs_);
    layout->addStretch(1);
    layout->addWidget(instant_);
    connect(back_, &QToolButton::clicked, this, [this] { state_->back(); });
    connect(forward_, &QToolButton::clicked, this, [this] { state_->forward(); });
    connect(instant_, &QToolButton::clicked, this, [this] { state_->clearInstant(); });
    refresh();
}

void HistoryBar::setState(AnalysisState* state) {
    if (state == state_) return;
    if (state_) disconnect(state_, nullptr, this, nullptr);
    state_ = state;
    if (state_) {
        connect(state_, &AnalysisState::changed, this, [this](auto changes) {
            if (changes & (AnalysisState::History | AnalysisState::Instant)) refresh();
        });
    }
    refresh();
}

QSize HistoryBar::minimumSizeHint() const { return {160, kBarHeight}; }

QSize HistoryBar::sizeHint() const { return {400, kBarHeight}; }

void HistoryBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != width()) refill();
}

/// Crumbs ahead of the current one have a colour made from those of the theme.
void HistoryBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refill();
}

void HistoryBar::refresh() {
    back_->setEnabled(state_ && state_->canGoBack());
    forward_->setEnabled(state_ && state_->canGoForward());
    showInstant();
    refill();
}

void HistoryBar::showInstant() {
    const auto instant = state_ ? state_->instant() : std::nullopt;
    instant_->setVisible(instant.has_value());
    if (!instant) return;
    instant_->setText(tr("at %1  ×").arg(formatTime(*instant)));
    instant_->setAccessibleName(tr("Stop showing the instant %1").arg(formatTime(*instant)));
}

QString HistoryBar::shortened(const QString& words) const {
    return menuText(fontMetrics().elidedText(lineText(words), Qt::ElideMiddle, kCrumbWidth));
}

int HistoryBar::widthOf(const QString& words) const {
    auto bold = font();
    bold.setBold(true);
    return QFontMetrics(bold).horizontalAdvance(shortened(words)) + kCrumbMargins;
}

/// Around the current one, those before it first: [first, last).
std::pair<std::size_t, std::size_t> HistoryBar::crumbsThatFit(const QStringList& words) const {
    const auto position = state_->historyPosition();
    const auto widthAt = [&](std::size_t i) { return widthOf(words[static_cast<qsizetype>(i)]); };
    const auto chip = instant_->isHidden() ? 0 : instant_->sizeHint().width() + 4;
    const auto arrows = back_->sizeHint().width() + forward_->sizeHint().width() + 8;
    auto room = width() - chip - arrows - widthOf(QStringLiteral("…")) - widthAt(position);
    auto first = position;
    auto last = position + 1;
    while (first > 0 && widthAt(first - 1) <= room)
        room -= widthAt(--first);
    while (last < static_cast<std::size_t>(words.size()) && widthAt(last) <= room)
        room -= widthAt(last++);
    return {first, last};
}

void HistoryBar::refill() {
    while (auto* item = crumbs_->takeAt(0)) {
        // A crumb may be the sender of the click that is being handled.
        item->widget()->hide();
        item->widget()->setObjectName({});
        item->widget()->deleteLater();
        delete item;
    }
    if (!state_) return;
    const auto words = state_->historyLabels();
    const auto [first, last] = crumbsThatFit(words);
    if (first > 0 || last < static_cast<std::size_t>(words.size())) addRest(words);
    for (auto i = first; i < last; ++i) {
        crumbs_->addWidget(addCrumb(i, words[static_cast<qsizetype>(i)]));
    }
}

QToolButton* HistoryBar::addCrumb(std::size_t position, const QString& words) {
    auto* crumb = new QToolButton(this);
    crumb->setObjectName(QStringLiteral("crumb"));
    crumb->setText(shortened(words));
    crumb->setToolTip(tooltipText(words));
    crumb->setAutoRaise(true);
    crumb->setFocusPolicy(Qt::TabFocus);
    crumb->setFixedHeight(kBarHeight);
    const bool isCurrent = position == state_->historyPosition();
    auto bold = font();
    bold.setBold(isCurrent);
    crumb->setFont(bold);
    crumb->setAccessibleName(isCurrent ? tr("%1, current").arg(lineText(words)) : lineText(words));
    if (position > state_->historyPosition()) {
        auto dimmed = palette();
        dimmed.setColor(QPalette::ButtonText, dimmed.color(QPalette::Disabled, QPalette::ButtonText));
        crumb->setPalette(dimmed);
        crumb->setProperty("forward", true);
    }
    connect(crumb, &QToolButton::clicked, this, [this, position] { state_->goTo(position); });
    crumb->show();
    return crumb;
}

void HistoryBar::addRest(const QStringList& words) {
    auto* rest = new QToolButton(this);
    rest->setObjectName(QStringLiteral("allCrumbs"));
    rest->setText(QStringLiteral("…"));
    rest->setAutoRaise(true);
    rest->setFocusPolicy(Qt::TabFocus);
    rest->setFixedHeight(kBarHeight);
    rest->setPopupMode(QToolButton::InstantPopup);
    rest->setAccessibleName(tr("The whole history"));
    auto* menu = new QMenu(rest);
    for (qsizetype i = 0; i < words.size(); ++i) {
        auto* action = menu->addAction(menuText(words[i]));
        action->setToolTip(tooltipText(words[i]));
        action->setCheckable(true);
        action->setChecked(static_cast<std::size_t>(i) == state_->historyPosition());
        connect(action, &QAction::triggered, this, [this, i] { state_->goTo(static_cast<std::size_t>(i)); });
    }
    rest->setMenu(menu);
    rest->show();
    crumbs_->addWidget(rest);
}

} // namespace highwater::ui
