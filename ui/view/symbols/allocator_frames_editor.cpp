#include "ui/view/symbols/allocator_frames_editor.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/theme/theme_colors.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/parts/plain_widgets.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QTextCursor>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

constexpr QSize kEditorSize{520, 480};
constexpr int kNamedLines = 3; ///< number of invalid lines to quote

bool isRejected(const QString& line) { return !analysis::AllocatorFrames(line.toStdString()).rejected().empty(); }

} // namespace

AllocatorFramesEditor::AllocatorFramesEditor(QWidget* parent)
    : QDialog(parent), edit_(new QPlainTextEdit), problems_(new PlainLabel) {
    build();
    connect(edit_, &QPlainTextEdit::textChanged, this, &AllocatorFramesEditor::check);
    check();
}

void AllocatorFramesEditor::build() {
    setObjectName(QStringLiteral("allocatorFramesEditor"));
    setWindowTitle(tr("Allocator Frames"));
    setModal(false);
    resize(kEditorSize);
    auto* words = new PlainLabel(
        tr("Bottom-up stacks skip these functions, so that they start with the function that requested the memory. "
           "Enter one module!function per line; * matches any text, # starts a comment."));
    words->setWordWrap(true);
    edit_->setObjectName(QStringLiteral("allocatorFramesText"));
    edit_->setAccessibleName(tr("Allocator frames, one pattern per line"));
    edit_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    edit_->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit_->setTabChangesFocus(true);
    problems_->setObjectName(QStringLiteral("allocatorFramesProblems"));
    problems_->setWordWrap(true);
    auto* buttons =
        new QDialogButtonBox(QDialogButtonBox::Apply | QDialogButtonBox::RestoreDefaults | QDialogButtonBox::Close);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(words);
    layout->addWidget(edit_, 1);
    layout->addWidget(problems_);
    layout->addWidget(buttons);
    connect(buttons->button(QDialogButtonBox::Apply), &QPushButton::clicked, this, [this] { emit applied(text()); });
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] {
        // As an edit, so that Ctrl+Z restores the user's list.
        QTextCursor all(edit_->document());
        all.select(QTextCursor::Document);
        all.insertText(toQString(analysis::AllocatorFrames::builtInText()));
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QWidget::close);
}

void AllocatorFramesEditor::setText(const QString& text) { edit_->setPlainText(text); }

QString AllocatorFramesEditor::text() const { return edit_->toPlainText(); }

QStringList AllocatorFramesEditor::rejectedLines() const {
    QStringList lines;
    for (auto block = edit_->document()->begin(); block.isValid(); block = block.next()) {
        if (isRejected(block.text())) lines << block.text().trimmed();
    }
    return lines;
}

void AllocatorFramesEditor::check() {
    QList<QTextEdit::ExtraSelection> marks;
    QStringList named;
    for (auto block = edit_->document()->begin(); block.isValid(); block = block.next()) {
        if (!isRejected(block.text())) continue;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.format.setBackground(amberGround(palette()));
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << mark;
        if (named.size() < kNamedLines)
            named << tr("line %1 “%2”").arg(block.blockNumber() + 1).arg(block.text().trimmed());
    }
    edit_->setExtraSelections(marks);
    problems_->setVisible(!marks.isEmpty());
    auto words =
        tr("Ignored because of a missing “!” between module and function: %1").arg(named.join(QStringLiteral(", ")));
    if (marks.size() > named.size()) words += tr(" and %1 more").arg(marks.size() - named.size());
    problems_->setText(wrappingText(words));
}

} // namespace highwater::ui

#include "moc_allocator_frames_editor.cpp"
