#pragma once

#include <QSize>
#include <QString>

class QWidget;

namespace highwater::ui {

/// A page of rich text beside the window, which stays usable. `name` is its object name; that of the text is
/// `name` + "Text".
void showHelpPage(QWidget* parent, const QString& name, const QString& title, const QString& html, QSize size);

enum class SignFont { Bold, Fixed };
/// Rows of a two-column table: what is typed, then what it does.
[[nodiscard]] QString helpRow(const QString& sign, const QString& what, SignFont font = SignFont::Bold);
[[nodiscard]] QString helpHeading(const QString& text);

} // namespace highwater::ui
