#include "app/window/help_controller.h"

#include "app/settings/own_memory.h"
#include "ui/format/byte_format.h"
#include "ui/view/parts/command_look.h"
#include "ui/view/parts/help_page.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>

#include <array>

namespace highwater::app {
namespace {

constexpr QSize kKeysSize{560, 620};

struct WidgetKey {
    const char* keys;
    const char* what;
};

/// Gestures and keys without an action, which apply only to one widget.
constexpr std::array kTimelineKeys{
    WidgetKey{"Drag", QT_TRANSLATE_NOOP("Keys", "Select an interval")},
    WidgetKey{"Shift+Left, Shift+Right", QT_TRANSLATE_NOOP("Keys", "Select starting at the cursor")},
    WidgetKey{"Left, Right", QT_TRANSLATE_NOOP("Keys", "Move the cursor")},
    WidgetKey{"Wheel, +, -", QT_TRANSLATE_NOOP("Keys", "Zoom at the pointer or the cursor")},
    WidgetKey{"Shift+Wheel", QT_TRANSLATE_NOOP("Keys", "Move the visible interval")},
};
constexpr std::array kFlameKeys{
    WidgetKey{"Enter, click", QT_TRANSLATE_NOOP("Keys", "Zoom into a frame")},
    WidgetKey{"Ctrl+Enter, double-click", QT_TRANSLATE_NOOP("Keys", "Go to the frame's row in the table")},
    WidgetKey{"Up, Down, Left, Right", QT_TRANSLATE_NOOP("Keys", "Move between frames")},
    WidgetKey{"Esc, Backspace", QT_TRANSLATE_NOOP("Keys", "Go back one zoom step")},
    WidgetKey{"Home", QT_TRANSLATE_NOOP("Keys", "Show all frames")},
    WidgetKey{"/, Ctrl+F", QT_TRANSLATE_NOOP("Keys", "Search frames")},
    WidgetKey{"F3, Shift+F3", QT_TRANSLATE_NOOP("Keys", "Go to the next or previous match")},
};
constexpr std::array kTableKeys{
    WidgetKey{"Right, Left", QT_TRANSLATE_NOOP("Keys", "Expand or collapse a row, or go to its child or parent")},
    WidgetKey{"*", QT_TRANSLATE_NOOP("Keys", "Expand everything below a row")},
    WidgetKey{"Menu key, Shift+F10", QT_TRANSLATE_NOOP("Keys", "Open the context menu of a row")},
};
constexpr std::array kFindKeys{
    WidgetKey{"Enter, Shift+Enter", QT_TRANSLATE_NOOP("Keys", "Find the next or previous match")},
    WidgetKey{"Ctrl+Enter", QT_TRANSLATE_NOOP("Keys", "Filter to the matches")},
    WidgetKey{"Ctrl+Shift+Enter", QT_TRANSLATE_NOOP("Keys", "Filter out the matches")},
    WidgetKey{"F1", QT_TRANSLATE_NOOP("Keys", "Explain the query language")},
    WidgetKey{"Esc", QT_TRANSLATE_NOOP("Keys", "Close Find and go back to the table")},
};
constexpr std::array kWindowKeys{
    WidgetKey{"Tab, Shift+Tab", QT_TRANSLATE_NOOP("Keys", "Go to the next or previous control")},
    WidgetKey{"Ctrl+Tab, Ctrl+Shift+Tab", QT_TRANSLATE_NOOP("Keys", "Go to the next or previous analysis tab")},
    WidgetKey{"Enter, Double-click", QT_TRANSLATE_NOOP("Keys", "In the Graph Explorer: add the graph")},
    WidgetKey{"Double-click", QT_TRANSLATE_NOOP("Keys", "On a tab: rename it")},
};

template <std::size_t kCount>
QString rows(const char* title, const std::array<WidgetKey, kCount>& keys) {
    auto text = ui::helpHeading(QCoreApplication::translate("Keys", title));
    for (const auto& key : keys) {
        text += ui::helpRow(QLatin1String(key.keys), QCoreApplication::translate("Keys", key.what));
    }
    return text;
}

QString labelOf(const QAction& action) {
    return action.text().section(QLatin1Char('\t'), 0, 0).remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

QString rowsOf(const QMenu& menu) {
    QString text;
    for (const auto* action : menu.actions()) {
        if (action->menu())
            text += rowsOf(*action->menu());
        else if (const auto keys = ui::keysOf(*action); !keys.isEmpty())
            text += ui::helpRow(keys, labelOf(*action));
    }
    return text;
}

} // namespace

QString keysPage(const QMenuBar& menus) {
    auto text = QStringLiteral("<table>");
    for (const auto* action : menus.actions()) {
        const auto ofMenu = action->menu() ? rowsOf(*action->menu()) : QString();
        if (!ofMenu.isEmpty()) text += ui::helpHeading(labelOf(*action)) + ofMenu;
    }
    text += rows(QT_TRANSLATE_NOOP("Keys", "In the timeline"), kTimelineKeys);
    text += rows(QT_TRANSLATE_NOOP("Keys", "In a flame graph"), kFlameKeys);
    text += rows(QT_TRANSLATE_NOOP("Keys", "In the table"), kTableKeys);
    text += rows(QT_TRANSLATE_NOOP("Keys", "In the find bar"), kFindKeys);
    text += rows(QT_TRANSLATE_NOOP("Keys", "Elsewhere"), kWindowKeys);
    return text + QStringLiteral("</table>");
}

void showKeys(QWidget* parent, const QMenuBar& menus) {
    ui::showHelpPage(parent, QStringLiteral("keysPage"), QMessageBox::tr("Keyboard Shortcuts"), keysPage(menus),
                     kKeysSize);
}

void showAbout(QWidget* parent) {
    const auto bytes = ownMemoryBytes();
    const auto memory =
        bytes ? QMessageBox::tr(" and uses %1 of memory").arg(ui::formatBytes(static_cast<std::int64_t>(*bytes)))
              : QString();
    const auto text = QStringLiteral("<h3>Highwater %1</h3><p>Shows where a process's memory goes.</p>"
                                     "<p>Licensed under GPL-3.0-or-later. It runs on Qt %2%3.</p>")
                          .arg(QCoreApplication::applicationVersion(), QLatin1String(qVersion()), memory);
    auto* page =
        new QMessageBox(QMessageBox::NoIcon, QMessageBox::tr("About Highwater"), text, QMessageBox::Close, parent);
    page->setAttribute(Qt::WA_DeleteOnClose);
    page->setTextFormat(Qt::RichText);
    page->setModal(false);
    page->show();
}

} // namespace highwater::app
