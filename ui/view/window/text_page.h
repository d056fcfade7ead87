#pragma once

#include <QString>

class QAction;
class QWidget;

namespace highwater::ui {

/// A page of plain text beside the window, which stays usable; its text can be selected and copied by mouse and keys.
struct TextPage {
    QString name; ///< of the object: "traceProperties" makes tracePropertiesPage, tracePropertiesText
    QString title;
    QString label; ///< for screen readers
    QString text;
    QAction* action = nullptr; ///< what a further button does, and is called by; null: there is none
};
/// GUI thread only.
void showTextPage(QWidget* parent, const TextPage& page);

} // namespace highwater::ui
