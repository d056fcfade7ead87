#include "ui/view/window/text_page.h"

#include "ui/format/plain_text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

constexpr QSize kTextPageSize{620, 560};

} // namespace

void showTextPage(QWidget* parent, const TextPage& page) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(page.name + QStringLiteral("Page"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(titleText(page.title));
    dialog->resize(kTextPageSize);
    auto* lines = new QPlainTextEdit(page.text);
    lines->setObjectName(page.name + QStringLiteral("Text"));
    lines->setAccessibleName(page.label);
    lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    lines->setReadOnly(true);
    lines->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* copy = buttons->addButton(QDialog::tr("&Copy All"), QDialogButtonBox::ActionRole);
    copy->setObjectName(page.name + QStringLiteral("Copy"));
    QObject::connect(copy, &QPushButton::clicked, lines,
                     [lines] { QApplication::clipboard()->setText(lines->toPlainText()); });
    if (page.action != nullptr) {
        auto* more = buttons->addButton(page.action->text(), QDialogButtonBox::ActionRole);
        more->setObjectName(page.name + QStringLiteral("Action"));
        QObject::connect(more, &QPushButton::clicked, page.action, &QAction::trigger);
    }
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QWidget::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(lines);
    layout->addWidget(buttons);
    dialog->show();
}

} // namespace highwater::ui
