#pragma once

#include <QString>

#include <string_view>

// Text from a trace (names of processes, modules, functions and files, command lines, marks, notes) is untrusted, and
// so is any sentence that quotes it. Qt interprets text that looks like HTML in tooltips and labels, and loads the
// images that it refers to, even from servers. All such text passes through one of these functions before it reaches a
// widget. For labels and questions, use ui/view/parts/plain_widgets.h. Any thread.

namespace highwater::ui {

/// Returns one line with a visible substitute for each character that breaks a line, has no glyph, or reorders its
/// surroundings: "two[U+000A]lines". Other text is unchanged, so applying it twice has no effect.
[[nodiscard]] QString visibleText(const QString& text);
[[nodiscard]] QString visibleText(std::string_view utf8);

/// The same for a row, button or title, cut at the end to this length.
inline constexpr qsizetype kMostInLine = 1000;
[[nodiscard]] QString lineText(const QString& text);
[[nodiscard]] QString lineText(std::string_view utf8);

/// For setToolTip, Qt::ToolTipRole and similar: disables markup. Line breaks are kept, long lines are wrapped to fit a
/// screen, and text beyond two dozen lines is cut. Do not apply it twice.
[[nodiscard]] QString tooltipText(const QString& text);

/// For the text of an action, button or tab, where & would mark a mnemonic.
[[nodiscard]] QString menuText(const QString& text);

/// For a window title, where "[*]" would be the placeholder for unsaved changes.
[[nodiscard]] QString titleText(const QString& text);

/// For a label with word wrap: allows breaks inside long words, such as paths. Otherwise the label could not be
/// narrower than its longest word.
[[nodiscard]] QString wrappingText(const QString& text);

} // namespace highwater::ui
