#include "app/help_pages.h"

#include <QCoreApplication>
#include <QMessageBox>

namespace highwater::app {
namespace {

void showPage(QWidget* parent, const QString& title, const QString& text) {
    auto* page = new QMessageBox(QMessageBox::NoIcon, title, text, QMessageBox::Close, parent);
    page->setAttribute(Qt::WA_DeleteOnClose);
    page->setTextFormat(Qt::RichText);
    page->setModal(false);
    page->show();
}

QString row(const char* keys, const char* what) {
    return QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
        .arg(QLatin1String(keys), QLatin1String(what));
}

} // namespace

void showKeys(QWidget* parent) {
    const auto text =
        QStringLiteral("<table>") + row("Ctrl+O", "open a trace") +
        row("Ctrl+1, Ctrl+2, Ctrl+3", "VirtualAlloc, Heap, Frees") +
        row("drag, Shift+Left, Shift+Right", "select an interval in the timeline") +
        row("Enter", "zoom to the selected interval") + row("wheel, + and -", "zoom at the pointer") +
        row("Shift+wheel", "move the visible interval") + row("Backspace, Alt+Left", "unzoom: the interval before") +
        row("Alt+Right", "zoom forward again") + row("Home", "in the timeline: show the whole trace") +
        row("Esc", "clear the selected interval") + row("Right, Left", "open and close a row of the table") +
        row("Ctrl+Right", "open along the largest Impacting Size") +
        row("F, Shift+F", "keep or remove the selected rows") + row("Ctrl+Z", "undo the last filter") +
        row("Ctrl+C", "copy the selected rows") + QStringLiteral("</table>");
    showPage(parent, QMessageBox::tr("Keys"), text);
}

void showAbout(QWidget* parent) {
    const auto text = QStringLiteral("<h3>Highwater %1</h3><p>Shows where a process's memory goes, while it goes.</p>"
                                     "<p>GPL-3.0-or-later. With Qt %2.</p>")
                          .arg(QCoreApplication::applicationVersion(), QLatin1String(qVersion()));
    showPage(parent, QMessageBox::tr("About Highwater"), text);
}

} // namespace highwater::app
