#include "ui/view/parts/plain_widgets.h"

#include "ui/format/plain_text.h"

#include <QToolButton>

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

void openMenuByClick(QToolButton& button, QMenu* menu) {
    button.setPopupMode(QToolButton::InstantPopup);
    button.setMenu(menu);
    button.setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
}

} // namespace highwater::ui
