#include "ui/view/parts/query_field.h"

#include "ui/theme/theme_colors.h"
#include "ui/view/parts/shortcuts_first.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QCoreApplication>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTextCharFormat>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kMostNames = 12;

bool isEnter(int key) { return key == Qt::Key_Return || key == Qt::Key_Enter; }

} // namespace

QueryField::QueryField(const QStringList& columnNames, QWidget* parent)
    : QLineEdit(parent), completer_(new QCompleter(columnNames, this)) {
    setMaxLength(kLongestText);
    preferWindowShortcuts(*this);
    connectCompleter();
}

void QueryField::connectCompleter() {
    completer_->setWidget(this); // not setCompleter, which completes the whole line
    completer_->setCompletionMode(QCompleter::PopupCompletion);
    completer_->setCaseSensitivity(Qt::CaseInsensitive);
    completer_->setFilterMode(Qt::MatchContains);
    completer_->setMaxVisibleItems(kMostNames);
    completer_->popup()->setObjectName(QStringLiteral("columnNames"));
    connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, &QueryField::takeName);
    connect(this, &QLineEdit::textEdited, this, &QueryField::offerNames);
    connect(this, &QLineEdit::textChanged, this, &QueryField::clearMark);
}

// Column names

qsizetype QueryField::openBracket() const {
    const auto before = text().left(cursorPosition());
    const auto open = before.lastIndexOf(QLatin1Char('['));
    return open > before.lastIndexOf(QLatin1Char(']')) ? open : -1;
}

void QueryField::offerNames() {
    const auto open = openBracket();
    if (open < 0) return completer_->popup()->hide();
    completer_->setCompletionPrefix(text().mid(open + 1, cursorPosition() - open - 1));
    auto* popup = completer_->popup();
    if (completer_->completionCount() == 0) return popup->hide();
    auto place = cursorRect();
    place.setWidth(popup->sizeHintForColumn(0) + popup->verticalScrollBar()->sizeHint().width());
    completer_->complete(place);
    popup->setCurrentIndex(completer_->completionModel()->index(0, 0));
}

void QueryField::takeName(const QString& name) {
    const auto open = openBracket();
    if (open < 0) return;
    auto words = text();
    auto end = cursorPosition();
    if (end < words.size() && words[end] == QLatin1Char(']')) ++end;
    words.replace(open + 1, end - open - 1, name + QLatin1Char(']'));
    setText(words);
    setCursorPosition(static_cast<int>(open + name.size() + 2));
    emit textEdited(words);
}

// Errors

void QueryField::mark(int position, int length) {
    const auto size = static_cast<int>(text().size());
    if (size == 0) return;
    // A position between two characters is marked at the preceding one.
    if (length == 0) position = std::max(position - 1, 0);
    position = std::min(position, size - 1);
    length = std::clamp(length, 1, size - position);
    marked_ = text().mid(position, length);
    showMark(position, length);
}

void QueryField::clearMark() {
    if (marked_.isEmpty()) return;
    marked_.clear();
    showMark(0, 0);
}

/// A line edit has no text formats, but accepts those of an input method.
void QueryField::showMark(int position, int length) {
    QList<QInputMethodEvent::Attribute> attributes;
    if (length > 0) {
        QTextCharFormat format;
        format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        format.setUnderlineColor(QColor::fromRgb(themeColors(palette()).mistake));
        format.setBackground(mistakeGround());
        attributes << QInputMethodEvent::Attribute(QInputMethodEvent::TextFormat, position - cursorPosition(), length,
                                                   format);
    }
    QInputMethodEvent event({}, attributes);
    QCoreApplication::sendEvent(this, &event);
}

// Keys

bool QueryField::event(QEvent* event) {
    // Elsewhere, F1 shows the window's shortcuts.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_F1) {
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

bool QueryField::handleEnter(Qt::KeyboardModifiers modifiers) {
    const bool isShift = modifiers.testFlag(Qt::ShiftModifier);
    if (modifiers.testFlag(Qt::ControlModifier))
        isShift ? emit removeWanted() : emit keepWanted();
    else
        isShift ? emit previousWanted() : emit nextWanted();
    return true;
}

void QueryField::keyPressEvent(QKeyEvent* event) {
    const bool isChoosing = completer_->popup()->isVisible();
    if (isChoosing && (isEnter(event->key()) || event->key() == Qt::Key_Escape || event->key() == Qt::Key_Tab))
        return event->ignore(); // the completer handles these keys
    if (isEnter(event->key()) && handleEnter(event->modifiers())) return event->accept();
    if (event->key() == Qt::Key_Escape) {
        event->accept();
        emit closeWanted();
    } else if (event->key() == Qt::Key_F1) {
        event->accept();
        emit helpWanted();
    } else {
        QLineEdit::keyPressEvent(event);
    }
}

} // namespace highwater::ui

#include "moc_query_field.cpp"
