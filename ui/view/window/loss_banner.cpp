#include "ui/view/window/loss_banner.h"

#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/theme/theme_colors.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/parts/plain_widgets.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr std::size_t kMostSentences = 40; ///< more would leave no room for the graphs

/// A recording that was not closed also lacks its end, but nothing was cut from its file.
bool isCutOff(const HealthReport& health) {
    return health[Loss::BuffersBehindTheEnd] > 0 || health[Loss::BuffersTruncated] > 0;
}

/// The same time as in the details: rounded down, because data may be missing right after it.
QString cutOffText(TraceTime time) {
    constexpr std::int64_t kMillisecond = 1'000'000;
    return formatTick(TraceTime{time.ns - time.ns % kMillisecond}, kMillisecond);
}

} // namespace

LossBanner::LossBanner(QWidget* parent)
    : QFrame(parent),
      headline_(new PlainLabel),
      more_(new QToolButton),
      close_(new QToolButton),
      details_(new PlainLabel) {
    build();
    refresh();
}

void LossBanner::build() {
    setObjectName(QStringLiteral("lossBanner"));
    setAccessibleName(tr("Losses"));
    setAutoFillBackground(true);
    headline_->setObjectName(QStringLiteral("lossHeadline"));
    headline_->setWordWrap(true);
    details_->setObjectName(QStringLiteral("lossDetails"));
    details_->setWordWrap(true);
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    more_->setText(tr("Details"));
    more_->setObjectName(QStringLiteral("lossMore"));
    more_->setCheckable(true);
    connect(more_, &QToolButton::toggled, this, &LossBanner::refresh);
    close_->setText(QStringLiteral("×"));
    close_->setAutoRaise(true);
    close_->setObjectName(QStringLiteral("lossClose"));
    close_->setAccessibleName(tr("Close this message"));
    connect(close_, &QToolButton::clicked, this, [this] { setDetailsVisible(false); });
    auto* strip = new QHBoxLayout;
    strip->addWidget(headline_, 1);
    strip->addWidget(more_);
    strip->addWidget(close_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->addLayout(strip);
    layout->addWidget(details_);
}

void LossBanner::setHealth(const HealthReport& health) {
    health_ = health;
    refresh();
}

void LossBanner::setTraceName(const QString& name) {
    traceName_ = name;
    refresh();
}

void LossBanner::setDetailsVisible(bool visible) { more_->setChecked(visible); }

QString LossBanner::headline() const {
    if (!health_.totalsAreBounds()) {
        if (health_.unrecordedGrowth > 0)
            return tr("%1 of memory growth was not recorded.")
                .arg(formatBytes(static_cast<std::int64_t>(health_.unrecordedGrowth)));
        if (health_.isClean()) return tr("Nothing is missing from this trace.");
        const bool isLossy = std::ranges::any_of(health_.counts, [](auto lost) { return lost > 0; });
        return isLossy ? tr("Totals of the recorded memory are correct, but some details are missing.")
                       : tr("No events are missing from this trace. Notes:");
    }
    auto text = tr("Parts of this trace are missing.");
    if (health_[Loss::EventsLost] > 0)
        text = countText(health_[Loss::EventsLost], "1 event was lost.", "%1 events were lost.");
    else if (health_[Loss::BuffersLost] > 0)
        text = countText(health_[Loss::BuffersLost], "1 event buffer was lost.", "%1 event buffers were lost.");
    else if (const auto* end = health_.endZone(); end != nullptr && isCutOff(health_))
        text = tr("The file is cut off after %1.").arg(cutOffText(end->start));
    return text + QLatin1Char(' ') + toQString(health_.boundsText());
}

QStringList LossBanner::details() const {
    QStringList lines;
    if (const auto limits = health_.limitsText(); !limits.empty()) lines << toQString(limits);
    std::size_t sentences = 0;
    for (const auto& entry : health_.entries()) {
        if (!entry.name.empty()) {
            lines << toQString(entry.text());
        } else if (sentences++ < kMostSentences) {
            lines << wrappingText(lineText(entry.sentence));
        }
    }
    if (sentences > kMostSentences) lines << tr("and %1 more").arg(sentences - kMostSentences);
    return lines;
}

bool LossBanner::isAmber() const { return health_.totalsAreBounds() || health_.unrecordedGrowth > 0; }

void LossBanner::paintGround() {
    painting_ = true;
    auto colors = QPalette();
    if (isAmber()) colors.setColor(QPalette::Window, amberGround(colors));
    setPalette(colors);
    painting_ = false;
}

void LossBanner::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !painting_) paintGround();
}

void LossBanner::refresh() {
    paintGround();
    headline_->setText(traceName_.isEmpty() ? headline() : tr("%1: %2").arg(lineText(traceName_), headline()));
    details_->setText(details().join(QLatin1Char('\n')));
    const bool hasDetails = !details_->text().isEmpty();
    details_->setVisible(more_->isChecked() && hasDetails);
    // Losses stay on screen; the list that the user asked for can be closed.
    more_->setVisible(isAmber() && hasDetails);
    close_->setVisible(!isAmber());
    setVisible(isAmber() || more_->isChecked());
}

} // namespace highwater::ui

#include "moc_loss_banner.cpp"
