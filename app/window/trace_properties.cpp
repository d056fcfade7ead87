#include "app/window/trace_properties.h"

#include "core/export/info/info_writer.h"
#include "ui/format/plain_text.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <memory>
#include <sstream>

namespace highwater::app {
namespace {

constexpr QSize kPropertiesSize{620, 560};

} // namespace

QString tracePropertiesText(const pipeline::TraceLoader& loader, const store::PublishedTrace& trace) {
    const auto facts = loader.facts();
    const auto known = loader.notes();
    const auto notes = known ? known : std::make_shared<const TraceNotes>();
    std::ostringstream text;
    exports::writeInfoText({facts, trace, *notes}, text);
    return QString::fromStdString(text.str());
}

void showTraceProperties(QWidget* parent, const QString& trace, const QString& text) {
    auto* page = new QDialog(parent);
    page->setObjectName(QStringLiteral("tracePropertiesPage"));
    page->setAttribute(Qt::WA_DeleteOnClose);
    page->setWindowTitle(QDialog::tr("Properties of %1").arg(ui::titleText(trace)));
    page->resize(kPropertiesSize);
    auto* lines = new QPlainTextEdit(text);
    lines->setObjectName(QStringLiteral("tracePropertiesText"));
    lines->setAccessibleName(QDialog::tr("Trace properties"));
    lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    lines->setReadOnly(true);
    lines->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* copy = buttons->addButton(QDialog::tr("&Copy All"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("copyProperties"));
    QObject::connect(copy, &QPushButton::clicked, lines,
                     [lines] { QApplication::clipboard()->setText(lines->toPlainText()); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, page, &QWidget::close);
    auto* layout = new QVBoxLayout(page);
    layout->addWidget(lines);
    layout->addWidget(buttons);
    page->show();
}

} // namespace highwater::app
