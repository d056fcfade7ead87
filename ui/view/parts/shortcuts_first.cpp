#include "ui/view/parts/shortcuts_first.h"

#include <QKeyEvent>
#include <QLineEdit>

#include <algorithm>
#include <array>

namespace highwater::ui {
namespace {

bool isOfLines(const QKeyEvent& key) {
    constexpr std::array kOwn{QKeySequence::Cut,  QKeySequence::Copy, QKeySequence::Paste,
                              QKeySequence::Undo, QKeySequence::Redo, QKeySequence::SelectAll};
    return std::any_of(kOwn.begin(), kOwn.end(), [&](auto own) { return key.matches(own); });
}

class ShortcutsFirst : public QObject {
  public:
    using QObject::QObject;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride) return QObject::eventFilter(watched, event);
        const auto& key = static_cast<QKeyEvent&>(*event);
        const bool isLetter = key.key() >= Qt::Key_A && key.key() <= Qt::Key_Z;
        if (!isLetter || key.modifiers() != Qt::ControlModifier || isOfLines(key)) return false;
        event->ignore(); // accepting it would claim the key
        return true;
    }
};

} // namespace

void preferWindowShortcuts(QLineEdit& line) { line.installEventFilter(new ShortcutsFirst(&line)); }

} // namespace highwater::ui
