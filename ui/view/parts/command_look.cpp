#include "ui/view/parts/command_look.h"

#include "ui/format/plain_text.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QStringList>

namespace highwater::ui {
namespace {

QString keysOf(const QAction& action) {
    QStringList keys;
    for (const auto& key : action.shortcuts())
        keys << key.toString(QKeySequence::NativeText);
    const auto told = action.text().indexOf(QLatin1Char('\t'));
    if (keys.isEmpty() && told >= 0) keys << action.text().mid(told + 1);
    return keys.join(QStringLiteral(", "));
}

} // namespace

void setLook(QAction& action, LineIcon icon, const QString& word, const QString& help) {
    action.setIcon(lineIcon(icon));
    action.setIconText(word);
    const auto keys = keysOf(action);
    const auto keyed = QCoreApplication::translate("CommandLook", "%1 (%2)").arg(help, keys);
    action.setToolTip(tooltipText(keys.isEmpty() ? help : keyed));
}

} // namespace highwater::ui
