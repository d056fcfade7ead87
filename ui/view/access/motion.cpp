#include "ui/view/access/motion.h"

#include <QApplication>
#include <QMainWindow>

#include <iterator>

namespace highwater::ui {
namespace {

Motion now = Motion::Full;

constexpr Qt::UIEffect kEffects[] = {Qt::UI_AnimateMenu,    Qt::UI_FadeMenu,    Qt::UI_AnimateCombo,
                                     Qt::UI_AnimateTooltip, Qt::UI_FadeTooltip, Qt::UI_AnimateToolBox};

/// The desktop's setting before the first change.
struct Platform {
    bool effects[std::size(kEffects)] = {};
    int cursorFlashTime = QApplication::cursorFlashTime();

    Platform() {
        for (std::size_t i = 0; i < std::size(kEffects); ++i)
            effects[i] = QApplication::isEffectEnabled(kEffects[i]);
    }
};

} // namespace

Motion motion() { return now; }

void setMotion(Motion motion) {
    static const Platform platform;
    now = motion;
    const bool isFull = motion == Motion::Full;
    for (std::size_t i = 0; i < std::size(kEffects); ++i)
        QApplication::setEffectEnabled(kEffects[i], isFull && platform.effects[i]);
    QApplication::setCursorFlashTime(isFull ? platform.cursorFlashTime : 0);
    for (auto* widget : QApplication::topLevelWidgets()) {
        if (auto* window = qobject_cast<QMainWindow*>(widget)) window->setAnimated(isFull);
    }
}

} // namespace highwater::ui
