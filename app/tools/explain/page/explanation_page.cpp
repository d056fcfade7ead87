#include "app/tools/explain/page/explanation_page.h"

#include "ui/format/file_name.h"
#include "ui/format/plain_text.h"
#include "ui/view/access/trace_guard.h"
#include "ui/view/parts/plain_widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QScrollBar>
#include <QVBoxLayout>

namespace highwater::app {
namespace {

constexpr int kColumns = 112; ///< the lines of the page, a scroll bar and margins
constexpr int kLines = 42;

} // namespace

ExplanationPage::ExplanationPage(QWidget* parent)
    : QDialog(parent), text_(new QPlainTextEdit), label_(new ui::PlainLabel) {
    setObjectName(QStringLiteral("explanationPage"));
    text_->setObjectName(QStringLiteral("explanationText"));
    text_->setAccessibleName(tr("Explanation of memory growth"));
    text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setReadOnly(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label_->setObjectName(QStringLiteral("explanationRemark"));
    label_->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(text_);
    layout->addWidget(label_);
    buildButtons();
    const QFontMetrics metrics(text_->font());
    const QSize wanted(metrics.horizontalAdvance(QLatin1Char('x')) * kColumns, metrics.lineSpacing() * kLines);
    resize(parent ? wanted.boundedTo(parent->size()) : wanted);
    text_->setFocus();
    showRemark();
}

void ExplanationPage::buildButtons() {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    const auto add = [&](const QString& text, const QString& name) {
        auto* button = buttons->addButton(text, QDialogButtonBox::ActionRole);
        button->setObjectName(name);
        button->setAutoDefault(false);
        return button;
    };
    copy_ = add(tr("&Copy All"), QStringLiteral("copyExplanation"));
    save_ = add(tr("&Save…"), QStringLiteral("saveExplanation"));
    auto* refresh = add(tr("&Refresh"), QStringLiteral("refreshExplanation"));
    refresh->setShortcut(QKeySequence::Refresh);
    connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(text()); });
    connect(save_, &QPushButton::clicked, this, &ExplanationPage::askWhereToSave);
    connect(refresh, &QPushButton::clicked, this, &ExplanationPage::refreshWanted);
    connect(buttons, &QDialogButtonBox::rejected, this, &QWidget::close);
    layout()->addWidget(buttons);
}

void ExplanationPage::setTrace(const QString& name) {
    trace_ = name;
    setWindowTitle(tr("Memory Growth in %1").arg(ui::titleText(name)));
}

void ExplanationPage::setText(const QString& text) {
    if (text == text_->toPlainText()) return;
    auto* down = text_->verticalScrollBar();
    const auto place = down->value();
    text_->setPlainText(text);
    down->setValue(place);
    showRemark();
}

QString ExplanationPage::text() const { return text_->toPlainText(); }

void ExplanationPage::setBusy(bool busy) {
    isBusy_ = busy;
    showRemark();
}

void ExplanationPage::setRemark(const QString& sentence) {
    remark_ = sentence;
    showRemark();
}

void ExplanationPage::showRemark() {
    const bool hasText = !text_->document()->isEmpty();
    copy_->setEnabled(hasText);
    save_->setEnabled(hasText);
    label_->setText(isBusy_ ? tr("Computing…") : remark_);
    label_->setVisible(isBusy_ || !remark_.isEmpty());
}

void ExplanationPage::askWhereToSave() {
    auto* dialog = new QFileDialog(this, tr("Save Page As"), {}, tr("Text (*.txt);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("saveExplanationAs"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("txt"));
    dialog->selectFile(ui::proposedFileName(trace_, tr("memory growth"), QStringLiteral("txt")));
    connect(dialog, &QFileDialog::fileSelected, this, &ExplanationPage::save);
    dialog->open();
}

void ExplanationPage::save(const QString& path) {
    if (const auto why = ui::traceOverwriteRefusal(path); !why.isEmpty()) return setRemark(why);
    const auto bytes = text().toUtf8();
    QSaveFile file(path);
    const bool isSaved = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
    setRemark(isSaved ? tr("Saved as %1.").arg(path) : tr("%1 cannot be written: %2.").arg(path, file.errorString()));
}

} // namespace highwater::app

#include "moc_explanation_page.cpp"
