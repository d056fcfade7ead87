#include "app/tools/findings/page/findings_strip.h"

#include "app/pages/coming_name.h"
#include "app/tools/findings/page/names_apart.h"
#include "ui/view/parts/line_icons.h"

#include <QEvent>
#include <QToolButton>

#include <algorithm>
#include <numeric>
#include <utility>

namespace highwater::ui {
namespace {

using Length = FindingCard::Length;

constexpr int kMargin = 4;      ///< around the cards and between them
constexpr int kFewLetters = 14; ///< shorter names would be hard to read

/// One width for all that are wider, so that they fit into the room.
std::vector<int> narrowed(std::vector<int> widths, int room) {
    auto order = widths;
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto share = room / static_cast<int>(order.size() - i);
        if (order[i] <= share) {
            room -= order[i];
            continue;
        }
        for (auto& width : widths)
            width = std::min(width, share);
        break;
    }
    return widths;
}

struct Place {
    FindingCard* card;
    Length length;
    int width;
};

/// The cards that fit into the room, with a gap after each.
std::vector<FindingCard*> fitting(std::vector<FindingCard*> cards, int room, const QFontMetrics& metrics) {
    const int name = metrics.averageCharWidth() * kFewLetters;
    const auto least = [&] {
        return std::accumulate(cards.begin(), cards.end(), 0, [&](int sum, const FindingCard* card) {
            return sum + std::min(card->widthFor(Length::Brief), card->widthFor(Length::Brief, name)) + kMargin;
        });
    };
    while (cards.size() > 1 && least() > room)
        cards.pop_back();
    return cards;
}

/// The first cards get the whole line as long as the others still fit.
std::vector<Place> placesFor(const std::vector<FindingCard*>& cards, int room) {
    std::vector<Place> places;
    if (cards.empty()) return places;
    const auto shown = fitting(cards, room, cards.front()->fontMetrics());
    room -= kMargin * static_cast<int>(shown.size());
    std::vector<int> widths;
    for (auto* card : shown) {
        places.push_back({card, Length::Brief, 0});
        widths.push_back(card->widthFor(Length::Brief));
    }
    auto left = room - std::accumulate(widths.begin(), widths.end(), 0);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const int more = places[i].card->widthFor(Length::Whole) - widths[i];
        if (more > left) continue;
        places[i].length = Length::Whole;
        widths[i] += more;
        left -= more;
    }
    widths = narrowed(std::move(widths), room);
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i].width = widths[i];
    return places;
}

} // namespace

FindingsStrip::FindingsStrip(QWidget* parent)
    : QWidget(parent),
      surge_(new FindingCard(FindingCard::Kind::Surge, this)),
      held_(new FindingCard(FindingCard::Kind::Held, this)),
      leaks_{new FindingCard(FindingCard::Kind::Leak, this), new FindingCard(FindingCard::Kind::Leak, this)},
      close_(new QToolButton(this)) {
    setObjectName(QStringLiteral("findings"));
    setAccessibleName(tr("Findings"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    surge_->setObjectName(QStringLiteral("surgeCard"));
    held_->setObjectName(QStringLiteral("heldCard"));
    leaks_[0]->setObjectName(QStringLiteral("leakCard1"));
    leaks_[1]->setObjectName(QStringLiteral("leakCard2"));
    close_->setObjectName(QStringLiteral("closeFindings"));
    close_->setIcon(lineIcon(LineIcon::Close));
    close_->setAutoRaise(true);
    close_->setFocusPolicy(Qt::TabFocus);
    close_->setAccessibleName(tr("Hide the findings"));
    close_->setToolTip(tr("Hide the findings. View > Findings shows them again."));
    connect(close_, &QToolButton::clicked, this, &FindingsStrip::closeWanted);
    connect(surge_, &QPushButton::clicked, this, [this] {
        const auto shown = findings_; // a receiver may set others
        if (shown && shown->surge) emit surgeWanted(*shown->surge);
    });
    connect(held_, &QPushButton::clicked, this, [this] {
        const auto shown = findings_;
        if (shown && shown->held) emit heldWanted(*shown->held);
    });
    for (std::size_t i = 0; i < leaks_.size(); ++i) {
        connect(leaks_[i], &QPushButton::clicked, this, [this, i] {
            const auto shown = findings_;
            if (shown && i < shown->leaks.size()) emit leakWanted(shown->leaks[i]);
        });
    }
    setFindings(nullptr);
}

void FindingsStrip::setFindings(std::shared_ptr<const analysis::Findings> findings, bool areNamesComing) {
    findings_ = std::move(findings);
    isNaming_ = false;
    if (findings_ && findings_->surge) showFinding(*surge_, analysis::textOf(*findings_->surge), areNamesComing);
    if (findings_ && findings_->held) showFinding(*held_, analysis::textOf(*findings_->held), areNamesComing);
    const auto leaks = findings_ ? analysis::textsOf(findings_->leaks) : std::vector<analysis::FindingText>();
    for (std::size_t i = 0; i < std::min(leaks.size(), leaks_.size()); ++i)
        showFinding(*leaks_[i], leaks[i], areNamesComing);
    updateGeometry();
    arrange();
}

/// An address that becomes a name a moment later would look like another finding.
void FindingsStrip::showFinding(FindingCard& card, analysis::FindingText text, bool isNameComing) {
    const auto name = text.line.name;
    const auto coming = isNameComing ? app::comingName(name) : name;
    if (coming != name) {
        isNaming_ = true;
        text.line.name = text.brief.name = coming;
        for (auto at = text.sentence.find(name); at != std::string::npos; at = text.sentence.find(name, at))
            text.sentence.replace(at, name.size(), coming);
    }
    card.setFinding(text);
}

std::vector<FindingCard*> FindingsStrip::cards() const {
    std::vector<FindingCard*> cards;
    if (findings_ && findings_->surge) cards.push_back(surge_);
    for (std::size_t i = 0; findings_ && i < std::min(findings_->leaks.size(), leaks_.size()); ++i)
        cards.push_back(leaks_[i]);
    if (findings_ && findings_->held) cards.push_back(held_);
    return cards;
}

QSize FindingsStrip::sizeHint() const {
    auto width = close_->sizeHint().width() + kMargin;
    for (const auto* card : cards())
        width += card->sizeHint().width() + kMargin;
    return {width, std::max(surge_->sizeHint().height(), close_->sizeHint().height()) + kMargin};
}

QSize FindingsStrip::minimumSizeHint() const { return {0, sizeHint().height()}; }

void FindingsStrip::arrange() {
    const int room = width() - close_->sizeHint().width() - 2 * kMargin;
    const auto places = placesFor(cards(), room);
    QStringList names;
    QList<int> rooms;
    for (const auto& place : places) {
        names << place.card->name(place.length);
        rooms << place.width - place.card->widthFor(place.length, 0);
    }
    const auto shortened = namesApart(names, rooms, fontMetrics());
    const int tall = height() - kMargin;
    for (auto* card : {surge_, leaks_[0], leaks_[1], held_})
        card->setVisible(std::ranges::any_of(places, [&](const Place& place) { return place.card == card; }));
    int x = kMargin;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto& [card, length, width] = places[i];
        card->showLine(length, shortened[static_cast<qsizetype>(i)]);
        card->setGeometry(x, kMargin / 2, width, tall);
        x += width + kMargin;
    }
    const auto size = close_->sizeHint().boundedTo({width(), tall});
    close_->setGeometry(width() - size.width() - kMargin, (height() - size.height()) / 2, size.width(), size.height());
}

void FindingsStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void FindingsStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange) return;
    updateGeometry();
    arrange();
}

} // namespace highwater::ui

#include "moc_findings_strip.cpp"
