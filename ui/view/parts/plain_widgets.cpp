#include "ui/view/parts/plain_widgets.h"

#include "ui/format/plain_text.h"

#include <QStyleOptionToolButton>

namespace highwater::ui {

PlainLabel::PlainLabel(const QString& text, QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setText(text);
}

void PlainLabel::setSentence(const QString& text) { setText(wrappingText(lineText(text))); }

QMessageBox* makeQuestion(const QString& text, QMessageBox::StandardButtons buttons, QWidget* parent) {
    auto* question = new QMessageBox(QMessageBox::Question, QMessageBox::tr("Highwater"), {}, buttons, parent);
    question->setTextFormat(Qt::PlainText);
    question->setText(wrappingText(lineText(text)));
    question->setAttribute(Qt::WA_DeleteOnClose);
    return question;
}

MenuButton::MenuButton(QWidget* parent) : QToolButton(parent) { setPopupMode(InstantPopup); }

/// Not by a style sheet, because a widget with one keeps the colours of its original theme.
void MenuButton::initStyleOption(QStyleOptionToolButton* option) const {
    QToolButton::initStyleOption(option);
    option->features &= ~QStyleOptionToolButton::HasMenu;
}

} // namespace highwater::ui

#include "moc_plain_widgets.cpp"
