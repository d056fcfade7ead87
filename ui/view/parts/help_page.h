#pragma once

#include <QSize>
#include <QString>

class QWidget;

namespace highwater::ui {

/// Shows rich text in a separate, non-modal window. Its object name is `name`; that of the text is `name` + "Text".
void showHelpPage(QWidget* parent, const QString& name, const QString& title, const QString& html, QSize size);

enum class SignFont { Bold, Fixed };
/// Row of a two-column table: input and effect.
[[nodiscard]] QString helpRow(const QString& sign, const QString& what, SignFont font = SignFont::Bold);
[[nodiscard]] QString helpHeading(const QString& text);

} // namespace highwater::ui
