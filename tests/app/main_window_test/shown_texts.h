#pragma once

#include <QString>
#include <QStringList>

namespace highwater::tests {

/// What is wrong with a text where Qt draws one that looks like HTML as HTML; empty: nothing. It must say nothing that
/// is in it by accident of its origin: no tags but those of the program, no characters that nobody sees or that reorder
/// what stands beside them, and no more than fits a screen.
[[nodiscard]] QString troubleOfToolTip(const QString& text);
/// The same of a text that is drawn as it stands, in one line.
[[nodiscard]] QString troubleOfLine(const QString& text);

/// Looks at every text of every widget that there is, whether it is visible or not: tooltips, labels, buttons, actions,
/// tabs, titles, and all roles of all rows of all models. One line a trouble, with the widget's name.
[[nodiscard]] QStringList troublesOfAllWidgets();

} // namespace highwater::tests
