#include "ui/view/parts/help_page.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace highwater::ui {

void showHelpPage(QWidget* parent, const QString& name, const QString& title, const QString& html, QSize size) {
    auto* page = new QDialog(parent);
    page->setObjectName(name);
    page->setAttribute(Qt::WA_DeleteOnClose);
    page->setWindowTitle(title);
    page->resize(size);
    auto* text = new QTextBrowser;
    text->setObjectName(name + QStringLiteral("Text"));
    text->setAccessibleName(title);
    text->setHtml(html);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, page, &QWidget::close);
    auto* layout = new QVBoxLayout(page);
    layout->addWidget(text);
    layout->addWidget(buttons);
    page->show();
}

QString helpRow(const QString& sign, const QString& what, SignFont font) {
    const auto tag = font == SignFont::Bold ? QStringLiteral("b") : QStringLiteral("code");
    return QStringLiteral("<tr><td><%1>%2</%1>&nbsp;&nbsp;&nbsp;</td><td>%3</td></tr>")
        .arg(tag, sign.toHtmlEscaped(), what.toHtmlEscaped());
}

QString helpHeading(const QString& text) {
    return QStringLiteral("<tr><td colspan=2><h4>%1</h4></td></tr>").arg(text.toHtmlEscaped());
}

} // namespace highwater::ui
