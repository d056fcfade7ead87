#include "ui/view/parts/command_look.h"

#include "ui/format/plain_text.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QStringList>

namespace highwater::ui {

QString keysOf(const QAction& action) {
    QStringList keys;
    for (const auto& key : action.shortcuts()) {
        auto text = key.toString(QKeySequence::NativeText);
        // Both keys are labelled Enter; Qt names that of the letters Return.
        if (text.endsWith(QLatin1String("Return"))) text.replace(text.size() - 6, 6, QStringLiteral("Enter"));
        if (!keys.contains(text)) keys << text;
    }
    const auto told = action.text().indexOf(QLatin1Char('\t'));
    if (keys.isEmpty() && told >= 0) keys << action.text().mid(told + 1);
    return keys.join(QStringLiteral(", "));
}

void setLook(QAction& action, LineIcon icon, const QString& word, const QString& help) {
    action.setIcon(lineIcon(icon));
    action.setIconText(word);
    const auto keys = keysOf(action);
    const auto keyed = QCoreApplication::translate("CommandLook", "%1 (%2)").arg(help, keys);
    action.setToolTip(tooltipText(keys.isEmpty() ? help : keyed));
}

} // namespace highwater::ui
