#include "ui/view/parts/message_strip.h"

#include "core/log/log.h"
#include "ui/format/plain_text.h"
#include "ui/theme/theme_colors.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QTextLayout>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace highwater::ui {

/// A text of several lines. If there is not enough room, it is elided and the tooltip shows the full text; texts with a
/// link are not elided.
class NoteLabel : public QLabel {
  public:
    void setNote(const QString& markup, const QString& plain, bool hasLink) {
        plain_ = plain;
        hasLink_ = hasLink;
        setText(markup);
        follow();
    }

  protected:
    void changeEvent(QEvent* event) override {
        QLabel::changeEvent(event);
        if (event->type() == QEvent::FontChange) follow();
    }
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        follow();
    }
    void paintEvent(QPaintEvent* event) override {
        if (!isCut_) return QLabel::paintEvent(event);
        QPainter painter(this);
        painter.setPen(palette().color(foregroundRole()));
        const auto& metrics = fontMetrics();
        const int lines = std::max(1, height() / metrics.lineSpacing());
        QTextLayout layout(plain_, font());
        layout.beginLayout();
        for (int i = 0; i < lines; ++i) {
            auto line = layout.createLine();
            if (!line.isValid()) break;
            line.setLineWidth(width());
            const auto rest = plain_.mid(line.textStart());
            const auto text = i + 1 < lines ? rest.left(line.textLength()).trimmed()
                                            : metrics.elidedText(rest, Qt::ElideRight, width());
            painter.drawText(0, i * metrics.lineSpacing() + metrics.ascent(), text);
        }
        layout.endLayout();
    }

  private:
    /// Not during painting, because measuring rich text requests another paint, endlessly.
    void follow() {
        isCut_ = !hasLink_ && heightForWidth(width()) > height();
        setToolTip(isCut_ ? tooltipText(plain_) : QString());
    }

    QString plain_;
    bool hasLink_ = false;
    bool isCut_ = false;
};

MessageStrip::MessageStrip(QWidget* parent) : QFrame(parent), label_(new NoteLabel) {
    build();
    hide();
}

void MessageStrip::build() {
    label_->setTextFormat(Qt::RichText);
    label_->setWordWrap(true);
    label_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    label_->setObjectName(QStringLiteral("messageText"));
    connect(label_, &QLabel::linkActivated, this, &MessageStrip::follow);
    auto* close = new QToolButton;
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Close this message"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 4);
    layout->addWidget(label_, 1);
    layout->addWidget(close);
}

void MessageStrip::tell(const Message& message) {
    const auto& [sentence, tone, link] = message;
    // A link without a warning means work in progress or a question, which is not logged.
    const bool isToBeKept = tone == Tone::Warning || link.text.isEmpty();
    if (isToBeKept && (sentence != sentence_ || isHidden()))
        log(tone == Tone::Warning ? LogLevel::Warning : LogLevel::Information, LogArea::Message,
            sentence.toStdString());
    sentence_ = sentence;
    act_ = link.act;
    auto text = wrappingText(lineText(sentence)).toHtmlEscaped();
    if (!link.text.isEmpty()) text += QStringLiteral(" <a href=\"#\">%1</a>").arg(lineText(link.text).toHtmlEscaped());
    label_->setNote(text, lineText(sentence), !link.text.isEmpty());
    label_->setAccessibleName(lineText(sentence));
    tone_ = tone;
    paintTone();
    show();
}

void MessageStrip::takeBack(const QString& sentence) {
    if (sentence == sentence_) hide();
}

/// The action may show another message.
void MessageStrip::follow() {
    if (const auto act = std::exchange(act_, nullptr)) act();
}

void MessageStrip::paintTone() {
    painting_ = true;
    auto colors = QPalette();
    if (tone_ == Tone::Warning) colors.setColor(QPalette::Window, amberGround(colors));
    setPalette(colors);
    setAutoFillBackground(tone_ == Tone::Warning);
    painting_ = false;
}

void MessageStrip::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !painting_) paintTone();
}

} // namespace highwater::ui

#include "moc_message_strip.cpp"
