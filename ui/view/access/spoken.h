#pragma once

#include <QAccessible>
#include <QString>

class QWidget;

namespace highwater::ui {

/// A widget that paints its contents: the value that a screen reader reads in addition to accessible name and
/// description. installAccess() creates the interfaces. GUI thread only.
class Spoken {
  public:
    virtual ~Spoken() = default;
    [[nodiscard]] virtual QAccessible::Role spokenRole() const { return QAccessible::Chart; }
    /// The selected or hovered item, or otherwise a summary of the widget.
    [[nodiscard]] virtual QString spokenValue() const = 0;
};

/// Reports that the value of this widget has changed. Free if no screen reader is active.
void reportSpokenValue(QWidget& widget);

/// Factory for QAccessible: interfaces of all Spoken widgets.
[[nodiscard]] QAccessibleInterface* makeSpokenInterface(const QString& className, QObject* object);

} // namespace highwater::ui
