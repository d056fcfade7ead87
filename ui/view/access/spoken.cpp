#include "ui/view/access/spoken.h"

#include <QAccessibleWidget>
#include <QWidget>

namespace highwater::ui {
namespace {

class SpokenInterface : public QAccessibleWidget {
  public:
    SpokenInterface(QWidget& widget, const Spoken& spoken)
        : QAccessibleWidget(&widget, spoken.spokenRole()), spoken_(spoken) {}
    [[nodiscard]] QString text(QAccessible::Text which) const override {
        return which == QAccessible::Value ? spoken_.spokenValue() : QAccessibleWidget::text(which);
    }

  private:
    const Spoken& spoken_; ///< the same object as the widget: QAccessible discards both together
};

} // namespace

void reportSpokenValue(QWidget& widget) {
    const auto* spoken = dynamic_cast<const Spoken*>(&widget);
    if (!spoken || !QAccessible::isActive()) return;
    QAccessibleValueChangeEvent changed(&widget, spoken->spokenValue());
    QAccessible::updateAccessibility(&changed);
}

QAccessibleInterface* makeSpokenInterface(const QString& /*className*/, QObject* object) {
    const auto* spoken = dynamic_cast<const Spoken*>(object);
    return spoken && object->isWidgetType() ? new SpokenInterface(*static_cast<QWidget*>(object), *spoken) : nullptr;
}

} // namespace highwater::ui
