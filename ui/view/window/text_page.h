#pragma once

#include <QString>

class QAction;
class QWidget;

namespace highwater::ui {

/// A non-modal page of plain text, which can be selected and copied by mouse and keyboard.
struct TextPage {
    QString name; ///< object name prefix: "traceProperties" makes tracePropertiesPage, tracePropertiesText
    QString title;
    QString label; ///< for screen readers
    QString text;
    QAction* action = nullptr; ///< an additional button; null: none
};
/// GUI thread only.
void showTextPage(QWidget* parent, const TextPage& page);

} // namespace highwater::ui
