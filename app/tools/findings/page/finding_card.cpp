#include "app/tools/findings/page/finding_card.h"

#include "ui/format/plain_text.h"
#include "ui/theme/theme_colors.h"

#include <QKeyEvent>
#include <QPainter>

namespace highwater::ui {
namespace {

constexpr int kPadding = 8; ///< horizontal
constexpr int kStripe = 4;  ///< in the colour of the kind
constexpr int kInTall = 4;  ///< above and below the text
constexpr qreal kRound = 3;

QRgb stripeOf(FindingCard::Kind kind, const ThemeColors& colors) {
    switch (kind) {
    case FindingCard::Kind::Surge:
        return colors.gold;
    case FindingCard::Kind::Held:
        return colors.blue;
    case FindingCard::Kind::Leak:
        break;
    }
    return colors.grew;
}

} // namespace

FindingCard::FindingCard(Kind kind, QWidget* parent) : QPushButton(parent), kind_(kind) {
    setFlat(true); // gets the focus ring of flat buttons
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
}

void FindingCard::setFinding(const analysis::FindingText& text) {
    const auto lineOf = [](const analysis::FindingLine& line) {
        return Line{lineText(line.before), lineText(line.name), lineText(line.after)};
    };
    whole_ = lineOf(text.line);
    brief_ = lineOf(text.brief);
    setAccessibleName(whole_.before + whole_.name + whole_.after);
    setToolTip(tooltipText(visibleText(text.sentence)));
    setAccessibleDescription(visibleText(text.sentence));
    showLine(Length::Whole, whole_.name);
}

QString FindingCard::name(Length length) const { return line(length).name; }

int FindingCard::widthFor(Length length) const {
    return widthFor(length, fontMetrics().horizontalAdvance(line(length).name));
}

int FindingCard::widthFor(Length length, int nameWidth) const {
    const auto& text = line(length);
    return fontMetrics().horizontalAdvance(text.before) + nameWidth + fontMetrics().horizontalAdvance(text.after) +
           kStripe + 2 * kPadding;
}

void FindingCard::showLine(Length length, const QString& shortenedName) {
    shown_ = line(length).before + shortenedName + line(length).after;
    update();
}

QSize FindingCard::sizeHint() const { return {widthFor(Length::Whole), fontMetrics().height() + 2 * kInTall}; }

void FindingCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) return QPushButton::keyPressEvent(event);
    if (!event->isAutoRepeat()) click();
}

void FindingCard::paintEvent(QPaintEvent* /*event*/) {
    const auto& colors = themeColors(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(underMouse() || hasFocus() ? QColor(colors.accent) : palette().color(QPalette::Mid));
    painter.setBrush(palette().color(isDown() ? QPalette::AlternateBase : QPalette::Base));
    painter.drawRoundedRect(frame, kRound, kRound);
    painter.fillRect(QRect(1, 3, kStripe - 1, height() - 6), stripeOf(kind_, colors));
    painter.setPen(palette().color(QPalette::Text));
    const auto room = rect().adjusted(kStripe + kPadding, 0, -kPadding + 2, 0);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     fontMetrics().elidedText(shown_, Qt::ElideRight, room.width()));
}

} // namespace highwater::ui

#include "moc_finding_card.cpp"
