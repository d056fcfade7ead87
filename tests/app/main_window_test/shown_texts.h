#pragma once

#include <QString>
#include <QStringList>

namespace highwater::tests {

/// The problem with a text where Qt draws HTML-like text as HTML; empty if there is none. The text must not contain
/// accidents of its origin: no tags except those of the program, no invisible characters, none that reorder the text
/// beside them, and it must fit on a screen.
[[nodiscard]] QString troubleOfToolTip(const QString& text);
/// The same for a text that is drawn literally, in one line.
[[nodiscard]] QString troubleOfLine(const QString& text);

/// Checks every text of every existing widget, visible or not: tooltips, labels, buttons, actions, tabs, titles, and
/// all roles of all rows of all models. One line per problem, with the widget's name.
[[nodiscard]] QStringList troublesOfAllWidgets();

} // namespace highwater::tests
