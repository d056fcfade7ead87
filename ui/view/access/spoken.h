#pragma once

#include <QAccessible>
#include <QString>

class QWidget;

namespace highwater::ui {

/// A widget that paints what it shows: what a screen reader says of it beside its accessible name and description. The
/// interfaces are made by installAccess(). GUI thread only.
class Spoken {
  public:
    virtual ~Spoken() = default;
    [[nodiscard]] virtual QAccessible::Role spokenRole() const { return QAccessible::Chart; }
    /// What is chosen or pointed at in it now, else what it shows as a whole.
    [[nodiscard]] virtual QString spokenValue() const = 0;
};

/// The value of this widget is another one. Costs nothing while nobody listens.
void tellSpokenValue(QWidget& widget);

/// For QAccessible: interfaces of all that are Spoken.
[[nodiscard]] QAccessibleInterface* makeSpokenInterface(const QString& className, QObject* object);

} // namespace highwater::ui
