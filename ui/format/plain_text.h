#pragma once

#include <QString>

#include <string_view>

// What a trace says (names of processes, modules, functions and files, command lines, marks, notes) was written by
// anybody, and so were the sentences that quote it. Qt reads a text that looks like HTML as HTML in tooltips and
// labels, and fetches the pictures that it names, from servers, too. Every such text goes through one of these on its
// way into a widget; labels and questions are those of ui/view/parts/plain_widgets.h. Any thread.

namespace highwater::ui {

/// In one line, with a visible substitute for each character that breaks a line, has no picture, or reorders what
/// stands around it: "two[U+000A]lines". What has none of these stays as it is, and a substitute has none.
[[nodiscard]] QString visibleText(const QString& text);
[[nodiscard]] QString visibleText(std::string_view utf8);

/// The same for a row, a button or a title, which are never this long: the end goes.
inline constexpr qsizetype kMostInLine = 1000;
[[nodiscard]] QString lineText(const QString& text);
[[nodiscard]] QString lineText(std::string_view utf8);

/// For setToolTip, Qt::ToolTipRole and the like: nothing in it is read as markup. Lines stay lines; long ones are
/// broken, so that they fit a screen, and what is beyond two dozen lines goes. Not for text that went through it
/// already.
[[nodiscard]] QString tooltipText(const QString& text);

/// For the text of an action, a button or a tab, where & would be the mark of a key.
[[nodiscard]] QString menuText(const QString& text);

/// For the title of a window, where "[*]" would be the sign of unsaved changes.
[[nodiscard]] QString titleText(const QString& text);

/// For a label that wraps its words: long ones, as paths are, may be broken, too. Else none could be narrower than its
/// longest word.
[[nodiscard]] QString wrappingText(const QString& text);

} // namespace highwater::ui
